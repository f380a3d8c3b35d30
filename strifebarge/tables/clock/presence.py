"""Presence at a table, as far as people's pages ask for it, and its consequences at a live table.  Pure."""

import re

from msgspec import Struct

from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.status import ABANDONED_ENDS_AFTER, Status
from strifebarge.tables.model.suspension import suspend_now
from strifebarge.tables.model.table import Table

PRESENCE_KEPT_EVERY = 10  # seconds: no more often is it written down that somebody is here
SPECTATOR_KEPT_EVERY = 30  # and no more often that somebody watches
PAGE_TURN_GRACE = 15  # seconds in which a page may be turned without its reader being away
LIVE_ABSENT_AFTER = 60  # seconds that somebody may be away from a live table that waits for them
ABANDONED_SUSPENDED_AFTER = 180  # seconds until a live game that everybody has left is suspended

PRESENCE_PART = re.compile("@[01]*[.0-9]*")  # what `presence_part` makes


class TablePresence(Struct, frozen=True):
    """Everybody's presence at one table, at one moment.  Bots are always here, where the site has them."""

    now: float = 0
    until: dict[str, float] = {}  # by player: how long their last sign of being here holds.
    bots: bool = True  # the site has bots
    # Of a table that nobody has looked at, as where only programs play, nothing is known.

    def has(self, player: str | None) -> bool:
        """Return whether this person is here."""
        if is_bot(player):
            return self.bots
        return player is not None and self.until.get(player, 0) >= self.now

    def last_seen(self, player: str) -> float:
        """Return when they were last here; 0 for never."""
        return self.now if self.has(player) else max(0, self.until.get(player, 0) - PAGE_TURN_GRACE)

    def any_of(self, chair: Chair) -> bool:
        """Return whether anybody of this chair is here."""
        return any(map(self.has, chair.players))

    def people_of(self, chair: Chair) -> bool:
        """Return whether anybody of this chair is here who is no bot."""
        return any(self.has(player) for player in chair.players if not is_bot(player))


def asks_again(now: float, seconds: float) -> float:
    """Return until when somebody is here whose page asks again in `seconds`."""
    return now + max(seconds, PRESENCE_KEPT_EVERY) + PAGE_TURN_GRACE


def looks_again(now: float, seconds: float) -> float:
    """Return until when somebody watches whose page asks again in `seconds`."""
    return now + max(seconds, SPECTATOR_KEPT_EVERY) + PAGE_TURN_GRACE


def last_here(table: Table, presence: TablePresence) -> float:
    """Return when anybody who sits at a table was last there: now, if they are."""
    people = [player for chair in table.chairs for player in chair.players if not is_bot(player)]
    times = [presence.last_seen(player) for player in people]
    return max(times, default=0) or table.times.changed


def status_with_presence(table: Table, presence: TablePresence) -> Status:
    """Return what a table's status is in the light of who is there; only at a live table does that matter."""
    if not table.live or not presence.until or table.status is not Status.PLAYING:
        return table.status
    if not any(presence.people_of(chair) for chair in table.chairs):
        return Status.ABANDONED
    return table.status if all(presence.any_of(chair) for chair in table.in_play()) else Status.DISRUPTED


def game_ends_by_absence(table: Table, presence: TablePresence) -> bool:
    """Let time do to a live table what it does: whether the game is to end now.

    A game that everybody has left is suspended after three minutes, and after 90 seconds more it
    ends; at an open table a player who has been gone for 90 seconds has agreed to nothing.
    """
    if not table.live or not presence.until:
        return False
    last = last_here(table, presence)
    gone = presence.now - last
    if table.status is Status.OPEN and gone >= ABANDONED_ENDS_AFTER:
        table.unready()
    suspended_at = last + ABANDONED_SUSPENDED_AFTER
    runs_out = table.due is not None and table.due < suspended_at  # then the clock is first
    if (
        status_with_presence(table, presence) is Status.ABANDONED
        and gone >= ABANDONED_SUSPENDED_AFTER
        and not runs_out
    ):
        suspend_now(table, suspended_at)
    suspension = table.suspension
    left = table.status is Status.SUSPENDED and suspension is not None and suspension.by_itself
    return left and gone >= ABANDONED_SUSPENDED_AFTER + ABANDONED_ENDS_AFTER


def ends(table: Table, presence: TablePresence) -> float:
    """Return when a live game that was suspended by itself ends, should nobody who is there be seen again."""
    signs = [
        presence.until.get(player, 0) - PAGE_TURN_GRACE for chair in table.chairs for player in chair.players
    ]
    return (
        (max(0, max(signs, default=0)) or table.times.changed)
        + ABANDONED_SUSPENDED_AFTER
        + ABANDONED_ENDS_AFTER
    )


def table_etag(table: Table, presence: TablePresence, player: str | None) -> str:
    """Return a word that differs as soon as somebody's page of a table does.

    That is its version, a pause, what only they or the players know of since, and who is here; to themselves
    they always are.
    """
    own = table.own_news(player)
    version = f"{table.news}+{own}" if own else table.news
    if not table.shows_presence:
        return version
    return version + with_seats(
        presence_part(table, presence), [chair.seat for chair in table.chairs_of(player)]
    )


def with_seats(presence: str, seats: list[int]) -> str:
    """Return the end of a word with somebody in these seats here at any rate; "" where nothing is known."""
    if not presence:
        return ""
    for seat in seats:
        presence = f"{presence[: seat + 1]}1{presence[seat + 2 :]}"
    return presence


def presence_part(table: Table, presence: TablePresence) -> str:
    """Return the end of such a word: who is here, and at a live table how many have been away too long."""
    there = "".join("01"[presence.any_of(chair)] for chair in table.chairs)
    if not table.live:
        return f"@{there}"
    waited = [chair for chair in table.chairs if table.waits_for(chair)]
    last = [max(map(presence.last_seen, chair.players), default=0) for chair in waited]
    overdue = sum(presence.now - each >= LIVE_ABSENT_AFTER for each in last)
    return f"@{there}.{overdue}"


def without_presence(etag: str) -> str:
    """Return such a word without who is here."""
    return PRESENCE_PART.sub("", etag)
