"""The tables of the database, in chapters: a change here needs a migration, and a test says so.

A table's whole truth is its `body`; the columns beside it are what queries look for, and what the host of a
site may want to see.  Times are seconds since 1970, UTC.
"""

from strifebarge.store.schema.accounts import (
    accounts,
    device_codes,
    devices,
    passkeys,
    personal_links,
    players,
    tokens,
    traces,
)
from strifebarge.store.schema.base import metadata
from strifebarge.store.schema.clocks import (
    forms_being_judged,
    presence,
    site_time,
    spectators,
    uptime_periods,
    vacations,
)
from strifebarge.store.schema.notifications import (
    channels,
    deliveries,
    notifications,
    nudges,
    page_visits,
    subscribers,
)
from strifebarge.store.schema.results import ladders, ratings, record_players, records
from strifebarge.store.schema.site import audit_log, host_sessions, secrets, web_sessions
from strifebarge.store.schema.subscriptions import events, followed_tables, followers
from strifebarge.store.schema.tables import chairs, invitations, listings, moves, receipts, snapshots, tables
from strifebarge.store.schema.talk import chat_messages, mutes, notes
from strifebarge.store.schema.tournaments import entrants, tournament_games, tournament_receipts, tournaments

__all__ = [
    "accounts",
    "audit_log",
    "chairs",
    "channels",
    "chat_messages",
    "deliveries",
    "device_codes",
    "devices",
    "entrants",
    "events",
    "followed_tables",
    "followers",
    "forms_being_judged",
    "host_sessions",
    "invitations",
    "ladders",
    "listings",
    "metadata",
    "moves",
    "mutes",
    "notes",
    "notifications",
    "nudges",
    "page_visits",
    "passkeys",
    "personal_links",
    "players",
    "presence",
    "ratings",
    "receipts",
    "record_players",
    "records",
    "secrets",
    "site_time",
    "snapshots",
    "spectators",
    "subscribers",
    "tables",
    "tokens",
    "tournament_games",
    "tournament_receipts",
    "tournaments",
    "traces",
    "uptime_periods",
    "vacations",
    "web_sessions",
]
