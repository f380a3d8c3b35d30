"""The tables of the database, in chapters: a change here needs a migration, and a test says so.

A table's whole truth is its `body`; the columns beside it are what queries look for, and what the host of a
site may want to see.  Times are seconds since 1970, UTC.
"""

from strifebarge.store.schema.accounts import (
    accounts,
    codes,
    devices,
    links,
    passkeys,
    players,
    tokens,
    traces,
)
from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.clocks import judging, onlookers, seen, site_time, uptime_periods, vacations
from strifebarge.store.schema.notifications import (
    channels,
    deliveries,
    looks,
    notifications,
    nudges,
    subscribers,
)
from strifebarge.store.schema.results import ladders, ratings, records, sitters
from strifebarge.store.schema.site import audit_log, host_sessions, secrets, web_sessions
from strifebarge.store.schema.subscriptions import followed, followers, told_events
from strifebarge.store.schema.tables import chairs, invited, listings, moves, receipts, snapshots, tables
from strifebarge.store.schema.talk import chat_lines, mutes, notes
from strifebarge.store.schema.tournaments import entrants, tournament_games, tournament_receipts, tournaments

__all__ = [
    "accounts",
    "audit_log",
    "chairs",
    "channels",
    "chat_lines",
    "codes",
    "deliveries",
    "devices",
    "entrants",
    "followed",
    "followers",
    "host_sessions",
    "invited",
    "judging",
    "ladders",
    "links",
    "listings",
    "looks",
    "metadata",
    "moves",
    "mutes",
    "notes",
    "notifications",
    "nudges",
    "onlookers",
    "passkeys",
    "players",
    "ratings",
    "receipts",
    "records",
    "secrets",
    "seen",
    "site_time",
    "sitters",
    "snapshots",
    "subscribers",
    "tables",
    "tokens",
    "told_events",
    "tournament_games",
    "tournament_receipts",
    "tournaments",
    "traces",
    "uptime_periods",
    "vacations",
    "web_sessions",
]
