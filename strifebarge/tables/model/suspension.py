"""A running game is suspended: by whom, who had which seat then, and what all who agree to go on agree to."""

from strifebarge.rules import Refused
from strifebarge.tables.model.parts import Suspension
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table


def propose(table: Table, player: str, agrees: bool, now: float) -> None:
    """Note that a player would have a game suspended, or no longer; it is when all who play agree.

    Where a clock runs there are pauses instead.  A player at a shared device answers for all their seats.
    Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, ON_THE_CLOCK.
    """
    own_chairs = table.must_sit(player)
    table.must_be_running()
    if table.status is Status.SUSPENDED:
        raise Refused(TableRefusal.SUSPENDED)
    own_chairs = [chair for chair in table.in_play() if chair in own_chairs]
    if not own_chairs:
        raise Refused(TableRefusal.NOT_SEATED)
    if table.clock:
        raise Refused(TableRefusal.ON_THE_CLOCK)
    for chair in own_chairs:
        chair.suspends = (chair.suspends or now) if agrees else None
    agreed = [chair for chair in table.in_play() if chair.suspends is not None]
    if agreed and all(chair in agreed for chair in table.in_play() if chair.player and not chair.bot):
        first = min(agreed, key=lambda chair: chair.suspends or now)
        suspend_now(table, now, first.name_of(player))


def suspend_now(table: Table, now: float, by: str = "", by_host: bool = False) -> None:
    """Suspend a game, in somebody's name, as a host of the site, or by itself; its clock stands."""
    if table.clock:
        table.clock.hold(now)
    table.status = Status.SUSPENDED
    table.suspension = Suspension(by, now, _held(table), by_host=by_host)
    table.unready()
    for chair in table.chairs:
        chair.since = chair.suspends = None


def propose_end(table: Table, player: str, end: bool, seat: int | None = None) -> None:
    """Offer to end a suspended game without a result, or no longer.  Others must agree anew."""
    chair = table.seated(player, seat)
    table.must_be_suspended()
    table.must_not_be_held()
    suspension = _suspension_of(table)
    if (suspension.end is not None) != end:
        suspension.end, suspension.back = (chair.name_of(player), None) if end else (None, suspension.back)
        table.unready()


def propose_back(
    table: Table, player: str, resume_point: tuple[int, bool] | None, seat: int | None = None
) -> None:
    """Offer to go on by other rules, or with None no longer.  Others must agree anew.

    `resume_point` is the move from which on, and whether that is where the game stands now.
    """
    chair = table.seated(player, seat)
    table.must_be_suspended()
    table.must_not_be_held()
    suspension = _suspension_of(table)
    if (suspension.back is not None) != (resume_point is not None):
        suspension.back, suspension.end = (
            (chair.name_of(player), None) if resume_point else (None, suspension.end)
        )
        suspension.resume_point = resume_point
        table.unready()


def drop_proposals(table: Table) -> None:
    """Drop proposals to end a suspended game or to go back; if there was one, all are asked anew."""
    suspension = table.suspension
    if suspension and (suspension.end is not None or suspension.back is not None):
        suspension.end = suspension.back = None
        table.unready()


def resume(table: Table, now: float) -> bool:
    """Let a game go on, or end without a result, when all are ready; return whether it goes on."""
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


def _held(table: Table) -> dict[int, list[str]]:
    return {chair.seat: chair.players for chair in table.chairs}


def _suspension_of(table: Table) -> Suspension:
    """Return how a game was suspended, if need be by the rules themselves."""
    if table.suspension is None:
        table.suspension = Suspension("", table.times.changed, _held(table))
    return table.suspension
