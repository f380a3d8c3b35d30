"""Games that have ended, the people in them, and their ratings."""

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, String, Table, UniqueConstraint

from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.tables import table_id

# The games that have ended; `rated` counts the rated ones of each game.
records = Table(
    "records",
    metadata,
    Column("id", String, primary_key=True),
    table_id(nullable=False, unique=True),  # a game ends once
    Column("game", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("rated", Integer),
    Column("series", String, nullable=False, index=True),
    Column("ended", Double, nullable=False),
    UniqueConstraint("game", "rated"),
    Index("ix_records_game", "game", "ended"),
)

# Who sat where while a game was played, their place, and their rating after it.
record_players = Table(
    "record_players",
    metadata,
    Column("record_id", String, ForeignKey(records.c.id, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("team", Integer, nullable=False),
    Column("player", String, primary_key=True, index=True),
    Column("name", String, nullable=False),
    Column("place", Integer),
    Column("shared", Boolean, nullable=False),
    Column("mu", Double),
    Column("sigma", Double),
)

# The process that rates a game of one kind locks its row: rated games follow one another.
ladders = Table(
    "ladders",
    metadata,
    Column("game", String, primary_key=True),
    Column("games", Integer, nullable=False),
)

# How good people are at a game; made from the entries, and can be made anew.  `displayed` is the one number
# that people are shown, by which leaderboards are ordered.
ratings = Table(
    "ratings",
    metadata,
    Column("game", String, primary_key=True),
    Column("player", String, primary_key=True, index=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("displayed", Integer, nullable=False),
    Index("ix_ratings_game", "game", "displayed"),
)
