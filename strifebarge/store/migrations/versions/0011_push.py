"""Browsers that are told by push, and the key by which push services know the site again."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("addresses", sa.Column("device", sa.String))
    op.execute("UPDATE addresses SET device = ''")
    with op.batch_alter_table("addresses") as batch:
        batch.alter_column("device", nullable=False)
    op.create_table(
        "secrets",
        sa.Column("name", sa.String, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secrets"),
    )
