"""Who is at a table now, as far as their pages ask for it, and what follows at a live table.  Pure."""

from typing import TYPE_CHECKING

from msgspec import Struct

from .aside import put_away
from .status import Status

if TYPE_CHECKING:
    from .chairs import Chair
    from .table import Table

NOTED_EVERY = 10  # seconds: no more often is it written down that somebody is here
COUNTED_EVERY = 30  # and no more often that somebody watches
GRACE = 15  # seconds in which a page may be turned without its reader being away
LIVE_PATIENCE = 60  # seconds that somebody may be away from a live table that waits for them
ABANDONED = 180  # seconds until a live game that everybody has left is put aside
FORSAKEN = 90  # and after so many more it ends


class Here(Struct, frozen=True):
    """Everybody's presence at one table, at one moment."""

    now: float = 0
    until: dict[str, float] = {}  # by player: how long their last sign of being here holds.
    # Of a table that nobody has looked at, as where only programs play, nothing is known.

    def has(self, player: str | None) -> bool:
        """Is this person here?"""
        return player is not None and self.until.get(player, 0) >= self.now

    def seen(self, player: str) -> float:
        """When they were last here; 0 for never."""
        return self.now if self.has(player) else max(0, self.until.get(player, 0) - GRACE)

    def any_of(self, chair: "Chair") -> bool:
        """Is anybody of this chair here?"""
        return any(self.has(player) for player, _ in chair.people)


def asks_again(now: float, seconds: float) -> float:
    """Until when somebody is here whose page asks again in so many seconds."""
    return now + max(seconds, NOTED_EVERY) + GRACE


def looks_again(now: float, seconds: float) -> float:
    """Until when somebody watches whose page asks again in so many seconds."""
    return now + max(seconds, COUNTED_EVERY) + GRACE


def last_here(table: "Table", here: Here) -> float:
    """When anybody who sits at a table was last there: now, if they are."""
    seen = [here.seen(player) for chair in table.chairs for player, _ in chair.people]
    return max(seen, default=0) or table.changed


def standing(table: "Table", here: Here) -> "Status":
    """What a table's status is in the light of who is there; only at a live table does that matter."""
    if not table.live or not here.until or table.status is not Status.PLAYING:
        return table.status
    if not any(here.any_of(chair) for chair in table.chairs):
        return Status.ABANDONED
    return table.status if all(here.any_of(chair) for chair in table.in_play()) else Status.DISRUPTED


def pass_time(table: "Table", here: Here) -> bool:
    """Let time do to a live table what it does: whether the game is to end now.

    A game that everybody has left is put aside after three minutes, and after 90 seconds more it
    ends; at an open table those who have been gone for 90 seconds have agreed to nothing.
    """
    if not table.live or not here.until:
        return False
    last = last_here(table, here)
    gone = here.now - last
    if table.status is Status.OPEN and gone >= FORSAKEN:
        table.unready()
    runs_out = table.due is not None and table.due < last + ABANDONED  # then the clock is first
    if standing(table, here) is Status.ABANDONED and gone >= ABANDONED and not runs_out:
        put_away(table, last + ABANDONED)
    aside = table.suspension
    forsaken = table.status is Status.SUSPENDED and aside is not None and not aside.by
    return forsaken and gone >= ABANDONED + FORSAKEN


def ends(table: "Table", here: Here) -> float:
    """When a live game that was put aside by itself ends, should nobody who is there be seen again."""
    signs = [here.until.get(player, 0) - GRACE for chair in table.chairs for player, _ in chair.people]
    return (max(0, max(signs, default=0)) or table.changed) + ABANDONED + FORSAKEN


def mark(table: "Table", here: Here, player: str | None) -> str:
    """What differs as soon as somebody's page of a table does.

    That is its version, a pause, what they have composed since, and at a live table who is there.
    """
    steps = sum(table.steps.get(chair.seat, 0) for chair in table.chairs_of(player))
    version = f"{table.news}+{steps}" if steps else table.news
    if not table.live:
        return version
    there = "".join("01"[here.any_of(chair)] for chair in table.chairs)
    waited = [chair for chair in table.chairs if table.waits_for(chair)]
    last = [max(map(here.seen, dict(chair.people)), default=0) for chair in waited]
    overdue = sum(here.now - each >= LIVE_PATIENCE for each in last)
    return f"{version}.{there}.{overdue}"
