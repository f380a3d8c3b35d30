"""The tables of the database, in chapters.  A change here needs a migration, and a test says so.

A table's whole truth is its `body`; the columns beside it are what queries look for, and what the host of a
site may want to see.  Times are seconds since 1970, UTC.
"""

from .accounts import accounts, codes, devices, links, passkeys, players, tokens, traces
from .base import metadata
from .clocks import judging, onlookers, seen, site_time, uptime_periods, vacations
from .notifications import channels, deliveries, looks, notifications, nudges, subscribers
from .results import ladders, ratings, records, sitters
from .site import audit_log, host_sessions, secrets, web_sessions
from .subscriptions import followed, followers, told_events
from .tables import chairs, invited, listings, moves, receipts, snapshots, tables
from .talk import mutes, notes, said
from .tournaments import entrants, tournament_games, tournament_receipts, tournaments

__all__ = [
    "accounts",
    "audit_log",
    "chairs",
    "channels",
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
    "said",
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
