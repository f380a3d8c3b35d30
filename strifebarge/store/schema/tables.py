"""Tables, who sits there, and the ledgers of their games."""

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from strifebarge.store.schema.base import metadata

# JSON is kept as plain text: PostgreSQL's jsonb refuses "\u0000", which a player may well type.
tables = Table(
    "tables",
    metadata,
    Column("id", String, primary_key=True),
    Column("game", String, nullable=False),
    Column("status", String, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("host", String),
    Column("parent", String),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("started", Double),
    Column("ended", Double),
    Column("body", Text, nullable=False),
    Column("due", Double, index=True),
    UniqueConstraint("parent"),  # a table has one rematch
)


def table_id(**options: Any) -> Column[str]:
    """Return the column of the table that a row belongs to, and is deleted with."""
    return Column("table_id", String, ForeignKey(tables.c.id, ondelete="CASCADE"), **options)


# Who sits at which tables, and for whom others wait: a row for each person in a seat, or for a free seat.
chairs = Table(
    "chairs",
    metadata,
    table_id(primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String),
    Column("to_move", Boolean, nullable=False),
    # 0 is the seat's player; co-players are counted from 1.
    Column("coplayer", Integer, primary_key=True, autoincrement=False),
    Index("ix_chairs_player", "player", "to_move"),
)

# People who were invited by name and have not answered.
invitations = Table(
    "invitations",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True, index=True),
)

# The tables on the list of open ones.
listings = Table(
    "listings",
    metadata,
    table_id(primary_key=True),
    Column("game", String, nullable=False),
    Column("pace", String, nullable=False),
    Column("language", String, nullable=False),
    Column("free_seats", Integer, nullable=False),
    Column("changed", Double, nullable=False, index=True),
)

# The ledger, line by line; see `strifebarge.tables.model.ports.Row`.
moves = Table(
    "moves",
    metadata,
    table_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("action", Text),
    Column("log", Text, nullable=False),
    Column("fingerprint", String, nullable=False),
    Column("final", Boolean, nullable=False),
    Column("at", Double, nullable=False),
    Column("by", String, nullable=False),
    Column("step", Integer, primary_key=True, autoincrement=False),
)

# The states from which a game is taken up; see `strifebarge.rules.ledger.Snapshot`.
snapshots = Table(
    "snapshots",
    metadata,
    table_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("stage", String, nullable=False),
    Column("state", LargeBinary, nullable=False),
)

# The forms that were accepted: `digest` tells whether one with the same key is the same.
receipts = Table(
    "receipts",
    metadata,
    Column("key", String, primary_key=True),
    Column("player", String, nullable=False),
    table_id(nullable=False, index=True),
    Column("digest", String, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", Double, nullable=False),
)
