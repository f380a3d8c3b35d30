"""What people say at a table, what they note for themselves, and whom they would rather not read."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "said",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("phrase", sa.String, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("struck", sa.Boolean, nullable=False),
        sa.Column("reported", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_said"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_said_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "notes",
        sa.Column("table_id", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player", name="pk_notes"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_notes_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "mutes",
        sa.Column("player", sa.String, nullable=False),
        sa.Column("other", sa.String, nullable=False),
        sa.PrimaryKeyConstraint("player", "other", name="pk_mutes"),
    )
