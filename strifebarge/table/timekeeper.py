"""What becomes of a table when a deadline has passed.  Pure: no clock but what it is told."""

from collections.abc import Collection
from itertools import pairwise

from msgspec import Struct

from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match

from .clock import Clock, Span, allowed
from .table import RUNNING, Status, Table
from .vacation import Vacation

A_MOMENT = 1.0  # seconds: whoever was in time may still be waiting for the table
SOON = 120.0  # seconds in which nobody is late after the server was away
BROKEN = "The rules of this game fail where somebody's time has run out. Its author has to mend them."


class Stretch(Struct, frozen=True):
    """A time in which the site was there, as its ticker has noted; between two of them it was away."""

    number: int
    began: float
    ended: float
    allowed: float  # seconds that may go by before it counts as away

    def asleep(self, at: float) -> bool:
        return at - self.ended > self.allowed


def ticks(table: Table) -> bool:
    """Whether anybody's time may run at a table."""
    return table.clock is not None and table.status in RUNNING - {Status.SUSPENDED}


def catch_up(
    clock: Clock, table: Table, at: float, stretches: list[Stretch], vacations: Collection[Vacation]
) -> None:
    """Leave out what has made time stand still at a table up to now.

    `stretches` begin with the last one that the clock knows of, if there is one.
    """
    away = [
        clock.absence(one.ended, other.began)
        for one, other in pairwise(stretches)
        if clock.stretch and other.number > clock.stretch
    ]
    clock.catch_up(at, away, _by_seat(table, vacations) if clock.pace.slow else {})
    if stretches:
        clock.stretch = stretches[-1].number


def _by_seat(table: Table, vacations: Collection[Vacation]) -> dict[int, list[Span]]:
    return {
        chair.seat: [each.span for each in vacations if each.player == chair.player] for chair in table.chairs
    }


def late(clock: Clock, at: float, stretches: list[Stretch], mine: int | None = None) -> list[int]:
    """The seats whose time has run out.

    Unless it is that of who asks (`mine`) others have a moment more: their form may be waiting for the table.
    """
    if stretches and stretches[-1].number > 1 and at < stretches[-1].began + SOON:
        return []
    found = clock.late(at)
    return found if mine in found else clock.late(at - A_MOMENT)


def would_be_out(clock: Clock, table: Table, seat: int, loses: bool) -> bool:
    """Whether a seat is out of the game if it lets its time run out now; `loses`: once is enough."""
    return loses or clock.hands[seat].missed + 1 >= allowed(clock.pace, len(table.in_play()))


def has_grace(clock: Clock, table: Table, seat: int, loses: bool) -> bool:
    """Whether a seat whose time has run out has a grace, in which the other decides: once, and of two."""
    if not clock.pace.slow or clock.hands[seat].grace or not would_be_out(clock, table, seat, loses):
        return False
    others = [chair.player for chair in table.in_play() if chair.seat != seat]
    return len(others) == 1 and others[0] is not None and not table.chairs[seat].has(others[0])


def has_not_come(clock: Clock, table: Table, seat: int, loses: bool) -> bool:
    """Whether a seat of two that would be out now has never played: then nobody has won or lost."""
    never = len(table.chairs) == 2 and not table.chairs[seat].moved
    return never and would_be_out(clock, table, seat, loses)


def lapse(clock: Clock, match: Match, seats: list[int], at: float) -> list[Move]:
    """What the game does for those who are late; and who is late too often, or once where that loses, is out.

    Raises whatever an author's rules may raise.
    """
    moves: list[Move] = []
    for seat in seats:
        playing = [each for each in match.game.still_in if each.number not in match.game.gone]
        out = clock.miss(seat, at, len(playing)) or match.rules.late == "loss"
        if not match.result and seat in match.waiting_for():
            moves += match.miss(seat, out)
    return moves
