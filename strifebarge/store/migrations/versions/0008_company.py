"""Several people in a seat, which of them has moved, and who is at a table now."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("moves", sa.Column("by", sa.String))
    op.add_column("chairs", sa.Column("beside", sa.Integer))
    op.execute("UPDATE moves SET by = ''")
    op.execute("UPDATE chairs SET beside = 0")
    with op.batch_alter_table("moves") as batch:
        batch.alter_column("by", nullable=False)
    with op.batch_alter_table("chairs") as batch:
        batch.alter_column("beside", nullable=False)
        batch.drop_constraint("pk_chairs", type_="primary")
        batch.create_primary_key("pk_chairs", ["table_id", "seat", "beside"])
    op.create_table(
        "seen",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_seen"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seen_table_id", ondelete="CASCADE"),
    )
