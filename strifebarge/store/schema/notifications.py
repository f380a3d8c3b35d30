"""Subscribers, their channels, and what is on its way to them."""

from sqlalchemy import Column, Double, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.tables import table_id

# What somebody wants to be told, and when; see `strifebarge.notifications.models.Subscriber`.
subscribers = Table(
    "subscribers",
    metadata,
    Column("player", String, primary_key=True),
    Column("body", Text, nullable=False),
)

# Where they are told; `error` is why that fails.  A process that sends there holds the `lease`; nothing is
# sent before `retry`.
channels = Table(
    "channels",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("address", Text, nullable=False, index=True),
    Column("state", String, nullable=False),
    Column("error", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("retry", Double, nullable=False),
    Column("lease", Double, nullable=False),
    Column("device", String, nullable=False),
    UniqueConstraint("player", "kind", "address"),
)

# One of a kind for one person at a table: it is deleted when it has been answered.  `sent` is when
# it was dispatched.
notifications = Table(
    "notifications",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("kind", String, nullable=False),
    table_id(),
    Column("created", Double, nullable=False),
    Column("due", Double, nullable=False),
    Column("sent", Double),
    UniqueConstraint("table_id", "player", "kind"),
    Index("ix_notifications_sent", "sent", "due"),
)

# Notifications that are to go through a channel, from a moment on; deleted when they have arrived.
deliveries = Table(
    "deliveries",
    metadata,
    Column("notification_id", String, ForeignKey(notifications.c.id, ondelete="CASCADE"), primary_key=True),
    Column("channel_id", String, ForeignKey(channels.c.id, ondelete="CASCADE"), primary_key=True),
    Column("due", Double, nullable=False),
    Index("ix_deliveries_channel_id", "channel_id", "due"),
)

# When somebody last had a table's page before them.
page_visits = Table(
    "page_visits",
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
