"""How many watch a game now."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "onlookers",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("mark", sa.String, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "mark", name="pk_onlookers"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_onlookers_table_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_onlookers_until", "onlookers", ["until"])
