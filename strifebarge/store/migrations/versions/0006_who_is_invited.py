"""Who was invited to a table by name, and the list of open tables."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "invited",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_invited"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_invited_table_id", ondelete="CASCADE"),
    )
    op.create_index("ix_invited_player", "invited", ["player"])
    op.create_table(
        "listings",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("pace", sa.String, nullable=False),
        sa.Column("language", sa.String, nullable=False),
        sa.Column("free", sa.Integer, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_listings"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_listings_table_id", ondelete="CASCADE"),
    )
    op.create_index("ix_listings_changed", "listings", ["changed"])
