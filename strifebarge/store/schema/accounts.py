"""People, and what makes them who they are."""

from sqlalchemy import BigInteger, Column, Double, Integer, LargeBinary, String, Table, Text

from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.tables import table_id

# People: `public` is how others know them; `gone` says why this person exists no more, or is ""; `ban` is a
# JSON object, or NULL for most.
players = Table(
    "players",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("public", String, nullable=False, unique=True),
    Column("preferences", Text, nullable=False),
    Column("gone", String, nullable=False),
    Column("ban", Text),
)

# At which tables anything is kept of whom: a table's body tells of people whom its chairs do not.
traces = Table(
    "traces",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True, index=True),
)

# The browsers that are signed in.
devices = Table(
    "devices",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("last_seen", Double, nullable=False),
)

# What people sign in with: `password` is its Argon2id hash, `skeleton` what all logins that look alike have
# in common.
accounts = Table(
    "accounts",
    metadata,
    Column("player", String, primary_key=True),
    Column("login", String, nullable=False, unique=True),
    Column("password", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("skeleton", String, nullable=False, index=True, unique=True),
)

# The public halves of the keys by which people sign in without a password.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("name", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("last_used", Double, nullable=False),
)

# Personal links: `number` counts them for each person; up to 0 there is none.
personal_links = Table(
    "personal_links",
    metadata,
    Column("player", String, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("created", Double, nullable=False),
    Column("last_used", Double),
)

# Codes that sign in one more device, once; `used_by` is the key of the form that used it.
device_codes = Table(
    "device_codes",
    metadata,
    Column("code_hash", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("expires", Double, nullable=False, index=True),
    Column("used_by", String),
)

# Tokens, by which programs act for people: `hash` is the SHA-256 of the token, `scopes` are words.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("hash", String, nullable=False, unique=True, index=True),
    Column("name", String, nullable=False),
    Column("scopes", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("last_used", Double, nullable=False),
)
