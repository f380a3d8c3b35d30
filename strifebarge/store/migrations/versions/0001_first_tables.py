"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def table(name: str) -> sa.ForeignKey:
    return sa.ForeignKey("tables.id", name=name, ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("host", sa.String),
        sa.Column("parent", sa.String),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("ended", sa.Double),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("parent", name="uq_tables_parent"),
    )
    op.create_table(
        "chairs",
        sa.Column("table_id", sa.String, table("fk_chairs_table_id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player", sa.String),
        sa.Column("to_move", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_chairs"),
    )
    op.create_index("ix_chairs_player", "chairs", ["player", "to_move"])
    op.create_table(
        "moves",
        sa.Column("table_id", sa.String, table("fk_moves_table_id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("action", sa.Text),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.String, nullable=False),
        sa.Column("final", sa.Boolean, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_moves"),
    )
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String, table("fk_snapshots_table_id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("stage", sa.String, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_snapshots"),
    )
    op.create_table(
        "receipts",
        sa.Column("key", sa.String, nullable=False),
        sa.Column("player", sa.String, nullable=False),
        sa.Column("table_id", sa.String, table("fk_receipts_table_id"), nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_receipts"),
    )
    op.create_index("ix_receipts_table_id", "receipts", ["table_id"])
    op.create_table(
        "players",
        sa.Column("id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_table(
        "web_sessions",
        sa.Column("sid_hash", sa.String, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("sid_hash", name="pk_web_sessions"),
    )
    op.create_index("ix_web_sessions_expires", "web_sessions", ["expires"])
