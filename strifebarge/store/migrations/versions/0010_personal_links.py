"""Links by which people come back from any browser."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "links",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
        sa.Column("used", sa.Double),
        sa.PrimaryKeyConstraint("player", name="pk_links"),
    )
