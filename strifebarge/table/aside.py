"""A running game is put aside: by whom, who had which seat then, and what all who agree to go on agree to."""

from typing import TYPE_CHECKING

from msgspec import Struct

from strifebarge.rules import Refused

from .reasons import No
from .status import Status

if TYPE_CHECKING:
    from .table import Table


class Suspension(Struct):
    """That people have put a running game aside, until all of them are ready again."""

    by: str  # who did, by the name they had; "" for nobody
    at: float
    # Who had each seat then: others see nothing of it until it goes on.
    held: dict[int, list[str] | str | None]
    end: str | None = None  # who proposes to end the game without a result, by name
    back: str | None = None  # who proposes to go back to where the rules still agree, by name


def suspend(table: "Table", player: str, now: float, seat: int | None = None) -> None:
    """Put a game aside: anybody who plays may, where no clock runs.

    Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, ON_THE_CLOCK.
    """
    chair = table.seated(player, seat)
    table.must_be_running()
    if table.status is Status.SUSPENDED:
        raise Refused(No.SUSPENDED)
    if chair.left:
        raise Refused(No.NOT_SEATED)
    if table.clock:
        raise Refused(No.ON_THE_CLOCK)
    put_away(table, now, chair.name_of(player))


def put_away(table: "Table", now: float, by: str = "") -> None:
    """Put a game aside, in somebody's name or by itself; its clock stands."""
    if table.clock:
        table.clock.hold(now)
    table.status = Status.SUSPENDED
    table.suspension = Suspension(by, now, _held(table))
    table.unready()
    for chair in table.chairs:
        chair.since = now


def propose_end(table: "Table", player: str, end: bool, seat: int | None = None) -> None:
    """Propose to end a suspended game without a result, or no longer.  Others must agree anew."""
    chair = table.seated(player, seat)
    table.must_be_suspended()
    aside = _aside(table)
    if (aside.end is not None) != end:
        aside.end, aside.back = (chair.name_of(player), None) if end else (None, aside.back)
        table.unready()


def propose_back(table: "Table", player: str, back: bool, seat: int | None = None) -> None:
    """Propose to go back to where the rules still agree, or no longer.  Others must agree anew."""
    chair = table.seated(player, seat)
    table.must_be_suspended()
    aside = _aside(table)
    if (aside.back is not None) != back:
        aside.back, aside.end = (chair.name_of(player), None) if back else (None, aside.end)
        table.unready()


def resume(table: "Table", now: float) -> bool:
    """All are ready: the game goes on, or ends without a result.  Whether it goes on."""
    if table.suspension is not None and table.suspension.end is not None:
        table.stop(now)
        return False
    table.suspension, table.status = None, Status.PLAYING
    table.unready()
    if table.clock:
        table.clock.release(now)
    for chair in table.chairs:
        chair.note()
        chair.since = None
    return True


def _held(table: "Table") -> dict[int, list[str] | str | None]:
    return {chair.seat: [player for player, _ in chair.people] for chair in table.chairs}


def _aside(table: "Table") -> Suspension:
    """How it was put aside, if need be by the rules themselves."""
    if table.suspension is None:
        table.suspension = Suspension("", table.changed, _held(table))
    return table.suspension
