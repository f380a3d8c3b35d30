"""The consequences of deadlines at a table.  Pure: no clock but the time it is told."""

from collections.abc import Collection
from itertools import pairwise

from msgspec import Struct

from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.model.clock import Clock, ExcludedPeriod, allowed
from strifebarge.tables.model.table import Table

A_MOMENT = 1.0  # seconds in which a form that came in time becomes known to all processes
SOON = 120.0  # seconds in which nobody is late after the server was away
BROKEN = "This game's rules fail when a player's time runs out. Its author has to fix them."


class UptimePeriod(Struct, frozen=True):
    """A time in which the site was there, as its ticker has noted; between two of them it was away."""

    number: int
    began: float
    ended: float
    allowed: float  # seconds that may go by before it counts as away

    def asleep(self, at: float) -> bool:
        return at - self.ended > self.allowed


def catch_up(
    clock: Clock, table: Table, at: float, uptime_periods: list[UptimePeriod], vacations: Collection[Vacation]
) -> None:
    """Leave out what has made time stand still at a table up to now.

    `uptime_periods` begin with the last one that the clock knows of, if there is one.
    """
    away = [
        clock.absence(min(one.ended, other.began), other.began)
        for one, other in pairwise(uptime_periods)
        if clock.uptime_period and other.number > clock.uptime_period
    ]
    clock.catch_up(at, away, _by_seat(table, vacations) if clock.pace.slow else {})
    if uptime_periods:
        clock.uptime_period = uptime_periods[-1].number


def _by_seat(table: Table, vacations: Collection[Vacation]) -> dict[int, list[ExcludedPeriod]]:
    return {
        chair.seat: [each.span for each in vacations if each.player == chair.player] for chair in table.chairs
    }


def late_seats(
    clock: Clock,
    at: float,
    uptime_periods: list[UptimePeriod],
    own_seat: int | None = None,
    waiting: float = 0,
) -> list[int]:
    """Return the seats whose time has run out.

    All seats but `own_seat`, which sent the form in hand, have a moment more: their forms may be waiting.
    `waiting`: for how many seconds the oldest form has been waiting.
    """
    if uptime_periods and uptime_periods[-1].number > 1 and at < uptime_periods[-1].began + SOON:
        return []
    seats = clock.late(at)
    return seats if own_seat in seats else clock.late(at - max(A_MOMENT, waiting))


def would_be_out(clock: Clock, table: Table, seat: int, loses: bool) -> bool:
    """Return whether a seat is out of the game if it lets its time run out now; `loses`: once is enough."""
    return loses or clock.seat_clocks[seat].missed + 1 >= allowed(clock.pace, len(table.in_play()))


def has_grace(clock: Clock, table: Table, seat: int, loses: bool) -> bool:
    """Return whether a seat of two, whose time has run out, has a grace now: once, the other decides."""
    if not clock.pace.slow or clock.seat_clocks[seat].grace or not would_be_out(clock, table, seat, loses):
        return False
    others = [chair.player for chair in table.in_play() if chair.seat != seat]
    return len(others) == 1 and others[0] is not None and not table.chairs[seat].has(others[0])


def has_not_come(clock: Clock, table: Table, seat: int, loses: bool) -> bool:
    """Return whether a seat of two that would be out now has never played: then nobody has won or lost.

    In a tournament it has lost.
    """
    never = len(table.chairs) == 2 and not (table.chairs[seat].moved or table.tournament)
    return never and would_be_out(clock, table, seat, loses)


def moves_for_late_seats(clock: Clock, match: Match, seats: list[int], at: float) -> list[Move]:
    """Return the game's moves for late seats; a seat late too often, or once where that loses, is out.

    Raises whatever an author's rules may raise.
    """
    moves: list[Move] = []
    for seat in seats:
        playing = [each for each in match.game.still_in if each.number not in match.game.gone]
        out = clock.miss(seat, at, len(playing)) or match.rules.late == "loss"
        if not match.result and seat in match.waiting_for():
            moves += match.miss(seat, out)
    return moves
