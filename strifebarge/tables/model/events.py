"""Events at a table, to which results and notifications subscribe.

A subscriber is called in the database transaction that writes what happened, with that open change; what it
writes is kept together with the event or not at all.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct


class Event(Struct, frozen=True, kw_only=True):
    """Something that has happened: when, in seconds since 1970, UTC, and by whose form."""

    at: float
    by: str | None = None  # the player's secret id; None: by itself


class Moved(Event, frozen=True, kw_only=True):
    """The game has gone on, or stands still: other seats may be to move now, or none."""

    was: list[int] = []  # the seats that were to move before
    moved: frozenset[int] = frozenset()  # the seats that have answered since
    undone: bool = False  # a move was taken back: its turn comes again, and is the same turn


class Closed(Event, frozen=True):
    """The game is over, with a result or without one."""


class Deleted(Event, frozen=True):
    """The table, and all that was kept of it, is deleted."""


class AgreementAsked(Event, frozen=True):
    """Something has changed at a table, which may wait for somebody's agreement now."""


class DecisionAsked(Event, frozen=True, kw_only=True):
    """A seat's time has run out: its opponent may decide what comes of it."""

    late: int  # that seat


class PauseChanged(Event, frozen=True):
    """A pause of all clocks has begun, or is about to end."""


class Nudged(Event, frozen=True, kw_only=True):
    """Players are reminded that a table waits for them."""

    players: list[str]


# The change is whatever the store opens; each subscriber says in a port of its own what it needs of it.
EventListener: TypeAlias = Callable[[Any, Event], None]
