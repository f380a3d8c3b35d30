"""Secrets of the site itself, the sessions of browsers, and what its hosts have done."""

from sqlalchemy import Boolean, Column, Double, Integer, LargeBinary, String, Table, Text

from strifebarge.store.schema.base import metadata

# What the site makes once for itself, and all its processes must have alike; and what hosts have switched.
secrets = Table(
    "secrets",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", Text, nullable=False),
)

# What Flask-Session keeps, by the SHA-256 of the session's id; and whose it is, by their device.
web_sessions = Table(
    "web_sessions",
    metadata,
    Column("sid_hash", String, primary_key=True),
    Column("device", String),
    Column("data", LargeBinary, nullable=False),
    Column("expires", Double, nullable=False, index=True),
)

# The browsers of hosts, and the links by which a browser becomes one, by the SHA-256 of their keys.
host_sessions = Table(
    "host_sessions",
    metadata,
    Column("key_hash", String, primary_key=True),
    Column("by", String, nullable=False),
    Column("is_link", Boolean, nullable=False),
    Column("expires", Double, nullable=False),
)

# What hosts of the site have done; the subject may be gone.  `form_key` is NULL for commands.
audit_log = Table(
    "audit_log",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("by", String, nullable=False),
    Column("act", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("details", Text, nullable=False),
    Column("form_key", String, unique=True, index=True),
)
