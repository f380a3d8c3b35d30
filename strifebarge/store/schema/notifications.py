"""Subscribers, their channels, and what is on its way to them.  Some tables have names of an earlier time."""

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.tables import table_id

# What somebody wants to be told, and when; see `strifebarge.notifications.models.Subscriber`.
subscribers = Table(
    "readers",
    metadata,
    Column("player", String, primary_key=True),
    Column("body", Text, nullable=False),
)

# Where they are told.  A process that sends there holds the `lease`; nothing is sent before `retry`.
channels = Table(
    "addresses",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False),
    Column("way", String, nullable=False),
    Column("place", Text, nullable=False, index=True),
    Column("state", String, nullable=False),
    Column("trouble", Text, nullable=False),
    Column("made", Double, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("retry", Double, nullable=False),
    Column("lease", Double, nullable=False),
    Column("device", String, nullable=False),
    UniqueConstraint("player", "way", "place"),
)

# One of a kind for one person at a table: it is deleted when it has been answered.
notifications = Table(
    "letters",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    table_id(),
    Column("made", Double, nullable=False),
    Column("due", Double, nullable=False),
    Column("told", Double),
    UniqueConstraint("table_id", "player", "kind"),
    Index("ix_letters_told", "told", "due"),
)

# Notifications that are to go through a channel, from a moment on; deleted when they have arrived.
deliveries = Table(
    "sendings",
    metadata,
    Column("letter_id", String, ForeignKey(notifications.c.id, ondelete="CASCADE"), primary_key=True),
    Column("address_id", String, ForeignKey(channels.c.id, ondelete="CASCADE"), primary_key=True),
    Column("due", Double, nullable=False),
    Index("ix_sendings_address_id", "address_id", "due"),
)

# When somebody last had a table's page before them.
looks = Table(
    "looks",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True),
    Column("at", Double, nullable=False),
)

# When somebody was last nudged, at any table.
nudges = Table(
    "nudges",
    metadata,
    Column("player", String, primary_key=True),
    Column("at", Double, nullable=False),
)
