"""Stop the clocks of a table by agreement; have its deadlines looked at."""

from strifebarge.rules import Refused
from strifebarge.tables.acts.forms import form_name
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.events import PauseChanged
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.turn import Turn


def pause(turn: Turn, agrees: bool) -> None:
    """Note that a player agrees to stop all clocks, or no longer; they stop when all who play agree.

    Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, UNTIMED, PAUSED, IN_TOURNAMENT.
    """
    turn.table.must_be_no_tournament()
    seats, clock = _playing_on_the_clock(turn)
    if clock.stands(turn.now):
        raise Refused(TableRefusal.PAUSED)
    clock.agreed = sorted({*clock.agreed} - {*seats} | {*seats * agrees})
    seated = [chair.seat for chair in turn.table.in_play() if chair.player and not chair.bot]
    if agrees and all(seat in clock.agreed for seat in seated):
        clock.stop_for_all(turn.now)
        turn.emit(PauseChanged(at=turn.now, by=turn.by))


@form_name("go_on")
def end_pause(turn: Turn) -> None:
    """End a pause: at once at a live table, else a day later.

    Raises Refused: NOT_SEATED, NOT_BEGUN, OVER, SUSPENDED, UNTIMED, NOT_PAUSED.
    """
    _, clock = _playing_on_the_clock(turn)
    if clock.pause is None or clock.pause.ended:
        raise Refused(TableRefusal.NOT_PAUSED)
    clock.go_on(turn.now)
    turn.emit(PauseChanged(at=turn.now, by=turn.by))


def call_time(turn: Turn) -> None:
    """Do what is due, without waiting for the ticker: any form at the table does it.

    Raises Refused: NOT_SEATED, UNTIMED.
    """
    turn.table.must_sit(turn.player)
    if turn.table.clock is None:
        raise Refused(TableRefusal.UNTIMED)
    turn.quiet = True


def _playing_on_the_clock(turn: Turn) -> tuple[list[int], Clock]:
    """Return the seats for which a player agrees, all of those at their device, and the clock."""
    table = turn.table
    own_chairs = table.must_sit(turn.player)
    if table.clock is None:
        raise Refused(TableRefusal.UNTIMED)
    table.must_be_running()
    if table.status is Status.SUSPENDED:
        raise Refused(TableRefusal.SUSPENDED)
    seats = [chair.seat for chair in table.in_play() if chair in own_chairs]
    if not seats:
        raise Refused(TableRefusal.NOT_SEATED)
    return seats, table.clock
