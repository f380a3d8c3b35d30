"""The site's own time, and the forms that take long to judge."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "site_time",
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("machine", sa.String, nullable=False),
        sa.Column("uptime", sa.Double, nullable=False),
        sa.Column("reference", sa.Double, nullable=False),
        sa.Column("off", sa.Double, nullable=False),
        sa.Column("off_since", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("machine", name="pk_site_time"),
    )
    op.create_table(
        "judging",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("came", sa.Double, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_judging"),
    )
    op.create_index("ix_judging_table_id", "judging", ["table_id"])
