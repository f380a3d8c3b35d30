"""Time: when the site was up, who is away, and who is at a table now."""

from sqlalchemy import Column, Double, Integer, String, Table

from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.tables import table_id

# The times in which the site was up: the last row is now, and between two rows it was down.
uptime_periods = Table(
    "uptime_periods",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("began", Double, nullable=False),
    Column("ended", Double, nullable=False),
    Column("allowed", Double, nullable=False),
)

# What the site's time was, by the time since a machine was booted: a row for each machine, of its last beat.
site_time = Table(
    "site_time",
    metadata,
    Column("at", Double, nullable=False),
    Column("machine", String, primary_key=True),
    Column("uptime", Double, nullable=False),
    Column("reference", Double, nullable=False),
    Column("clock_offset", Double, nullable=False),
    Column("offset_since", Double, nullable=False),
)

# The forms that take long to judge: until then their senders' deadlines have not passed.
forms_being_judged = Table(
    "forms_being_judged",
    metadata,
    Column("id", String, primary_key=True),
    Column("table_id", String, nullable=False, index=True),
    Column("player", String, nullable=False),
    Column("arrived", Double, nullable=False),
    Column("until", Double, nullable=False),
)

# Days in which no deadline of somebody's passes.
vacations = Table(
    "vacations",
    metadata,
    Column("player", String, primary_key=True),
    Column("began", Double, primary_key=True, autoincrement=False),
    Column("until", Double, nullable=False),
)

# Who is at a table now, and until when if nothing more is heard of them.
presence = Table(
    "presence",
    metadata,
    table_id(primary_key=True),
    Column("player", String, primary_key=True),
    Column("until", Double, nullable=False),
)

# How many watch a game now: a row for each, which tells them apart from one another and not who they are.
spectators = Table(
    "spectators",
    metadata,
    table_id(primary_key=True),
    Column("mark", String, primary_key=True),
    Column("until", Double, nullable=False, index=True),
)
