"""Lines and notes of people at tables, and whom they do not read."""

from sqlalchemy import Boolean, Column, Double, Integer, String, Table, Text

from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.tables import table_id

# What was said: a text, or the name of a phrase; neither where it was deleted.
chat_messages = Table(
    "chat_messages",
    metadata,
    table_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("room", String, nullable=False),
    Column("player", String, nullable=False),
    Column("name", String, nullable=False),
    Column("seat", Integer),
    Column("text", Text, nullable=False),
    Column("phrase", String, nullable=False),
    Column("at", Double, nullable=False),
    Column("deleted", Boolean, nullable=False),
    Column("reported", Boolean, nullable=False),
)

# What people have written down for themselves.
notes = Table(
    "notes",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True),
    Column("text", Text, nullable=False),
    # Each of several at one device notes for their own seat; a player with one seat, for -1.
    Column("seat", Integer, primary_key=True, autoincrement=False),
)

# Pairs of people of whom one does not read what the other says.
mutes = Table(
    "mutes",
    metadata,
    Column("player", String, primary_key=True),
    Column("other", String, primary_key=True),
)
