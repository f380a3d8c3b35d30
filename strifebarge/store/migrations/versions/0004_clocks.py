"""Clocks: when to look at a table, when the site was there, who is on vacation."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tables", sa.Column("due", sa.Double))
    op.create_index("ix_tables_due", "tables", ["due"])
    op.create_table(
        "stretches",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("ended", sa.Double, nullable=False),
        sa.Column("allowed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_stretches"),
    )
    op.create_table(
        "vacations",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("began", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("player", "began", name="pk_vacations"),
    )
