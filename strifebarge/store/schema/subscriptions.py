"""Events that programs are told."""

from typing import Any

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Integer, LargeBinary, String, Table, Text

from strifebarge.store.schema.accounts import tokens
from strifebarge.store.schema.base import metadata

# The tokens that are told events: `number` is the last event's, `floor` the last one that is kept no more;
# `revision` counts how often events were written.
followers = Table(
    "followers",
    metadata,
    Column("token", String, ForeignKey(tokens.c.id, ondelete="CASCADE"), primary_key=True),
    Column("language", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("floor", BigInteger, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("last_seen", Double, nullable=False, index=True),
)


def follower(**options: Any) -> Column[str]:
    """Return the column of the token that a row belongs to, and is deleted with."""
    return Column("token", String, ForeignKey(followers.c.token, ondelete="CASCADE"), **options)


# The tables of which a token is told, each as of a revision.  A row outlives its table until the token is
# told that it is gone.
followed_tables = Table(
    "followed_tables",
    metadata,
    follower(primary_key=True),
    Column("table_id", String, primary_key=True, index=True),
    Column("revision", Integer, nullable=False),
    Column("seat", Integer),
    Column("facts", Text, nullable=False),
    Column("state", LargeBinary),
)

# The events, as they were told; an empty body is one of a table that has been deleted since.
events = Table(
    "events",
    metadata,
    follower(primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("table_id", String, nullable=False, index=True),
    Column("body", Text, nullable=False),
)
