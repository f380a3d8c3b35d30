"""The tables of the database.  Whatever is changed here needs a migration, and a test says so.

A table's whole truth is its `body`; the columns beside it are what queries look for, and what whoever looks
after the site may want to see.  Times are seconds since 1970, UTC.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

# Constraints with names can be changed by a later migration.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)

# -- tables ----------------------------------------------------------------------

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
    UniqueConstraint("parent"),  # one rematch, whoever asks
)


def table_id(**options: Any) -> Column[str]:
    """The table that a row belongs to, and goes with."""
    return Column("table_id", String, ForeignKey(tables.c.id, ondelete="CASCADE"), **options)


# Who sits at which tables, and whose move it is: a row for each who plays a seat, or for a free seat.
chairs = Table(
    "chairs",
    metadata,
    table_id(primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String),
    Column("to_move", Boolean, nullable=False),
    # 0 is the seat's player; from 1 on are those who play it with them.
    Column("beside", Integer, primary_key=True, autoincrement=False),
    Index("ix_chairs_player", "player", "to_move"),
)

# Who was invited by name and has not answered.
invited = Table(
    "invited",
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
    Column("free", Integer, nullable=False),
    Column("changed", Double, nullable=False, index=True),
)

# The ledger, line by line; see `strifebarge.table.ports.Row`.
moves = Table(
    "moves",
    metadata,
    table_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("action", Text),
    Column("told", Text, nullable=False),
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

# The forms that were accepted: `digest` tells whether one that comes with the same key is the same.
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

# What was said: a text, or the name of a phrase; neither where it was struck out.
said = Table(
    "said",
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
    Column("struck", Boolean, nullable=False),
    Column("reported", Boolean, nullable=False),
)

# What somebody has written down for themselves.
notes = Table(
    "notes",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True),
    Column("text", Text, nullable=False),
    # Each of several at one device notes for their own seat; whoever has one alone, for -1.
    Column("seat", Integer, primary_key=True, autoincrement=False),
)

# Who does not read what another says.
mutes = Table(
    "mutes",
    metadata,
    Column("player", String, primary_key=True),
    Column("other", String, primary_key=True),
)

# Who is at a table now, until when if nothing more is heard of them.
seen = Table(
    "seen",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True),
    Column("until", Double, nullable=False),
)

# How many watch a game now: a row for each, which tells them apart from one another and not who they are.
onlookers = Table(
    "onlookers",
    metadata,
    table_id(primary_key=True),
    Column("mark", String, primary_key=True),
    Column("until", Double, nullable=False, index=True),
)

# -- people ----------------------------------------------------------------------

# People: `public` is how others know them, `gone` says that nobody is this one any more, and why.
players = Table(
    "players",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("created", Double, nullable=False),
    Column("public", String, nullable=False, unique=True),
    Column("preferences", Text, nullable=False),
    Column("gone", String, nullable=False),
)

# At which tables anything is kept of whom: a table's body tells of people whom its chairs do not.
traces = Table(
    "traces",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True, index=True),
)

# The browsers that are somebody.
devices = Table(
    "devices",
    metadata,
    Column("id", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("name", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("seen", Double, nullable=False),
)

# What people sign in with: `password` is its Argon2id hash.
accounts = Table(
    "accounts",
    metadata,
    Column("player", String, primary_key=True),
    Column("login", String, nullable=False, unique=True),
    Column("password", String, nullable=False),
    Column("since", Double, nullable=False),
    Column("changed", Double, nullable=False),
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
    Column("seen", Double, nullable=False),
)

# By which somebody comes back from any browser: the how-manieth of theirs it is; there is none up to 0.
links = Table(
    "links",
    metadata,
    Column("player", String, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("made", Double, nullable=False),
    Column("used", Double),
)

# For a second device, once; `spent` is the key of the form that used it.
codes = Table(
    "codes",
    metadata,
    Column("code_hash", String, primary_key=True),
    Column("player", String, nullable=False, index=True),
    Column("expires", Double, nullable=False, index=True),
    Column("spent", String),
)

# -- time ------------------------------------------------------------------------

# When the site was there: the last row is now, and between two rows it was away.
stretches = Table(
    "stretches",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("began", Double, nullable=False),
    Column("ended", Double, nullable=False),
    Column("allowed", Double, nullable=False),
)

# Days in which no deadline of somebody's passes.
vacations = Table(
    "vacations",
    metadata,
    Column("player", String, primary_key=True),
    Column("began", Double, primary_key=True, autoincrement=False),
    Column("until", Double, nullable=False),
)

# -- the books -------------------------------------------------------------------

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
)

# Who sat where while it was played, where that led them, and their rating after it.
sitters = Table(
    "sitters",
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

# Whoever rates a game of one kind holds its row: rated games are one after the other.
ladders = Table(
    "ladders",
    metadata,
    Column("game", String, primary_key=True),
    Column("games", Integer, nullable=False),
)

# How good everybody is held to be at a game; made from the books, and can be made anew.
ratings = Table(
    "ratings",
    metadata,
    Column("game", String, primary_key=True),
    Column("player", String, primary_key=True, index=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
)

# -- notices ---------------------------------------------------------------------

# What somebody wants to be told, and when; see `strifebarge.table.letters.Reader`.
readers = Table(
    "readers",
    metadata,
    Column("player", String, primary_key=True),
    Column("body", Text, nullable=False),
)

# Where they are told.  Whoever sends there holds the `lease`, and nobody tries again before `retry`.
addresses = Table(
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

# One of a kind for one person at a table: it goes when it has been answered.
letters = Table(
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

# A letter that is to go to an address, from a moment on; gone when it is there.
sendings = Table(
    "sendings",
    metadata,
    Column("letter_id", String, ForeignKey(letters.c.id, ondelete="CASCADE"), primary_key=True),
    Column("address_id", String, ForeignKey(addresses.c.id, ondelete="CASCADE"), primary_key=True),
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
    Column("player", String, primary_key=True),  # whoever was nudged
    Column("at", Double, nullable=False),
)

# What the site makes once for itself, and all its processes must have alike.
secrets = Table(
    "secrets",
    metadata,
    Column("name", String, primary_key=True),
    Column("value", Text, nullable=False),
)

# -- sessions --------------------------------------------------------------------

# What Flask-Session keeps, by the SHA-256 of the session's id.
web_sessions = Table(
    "web_sessions",
    metadata,
    Column("sid_hash", String, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    Column("expires", Double, nullable=False, index=True),
)
