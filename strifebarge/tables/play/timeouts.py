"""The consequences of time alone: deadlines that have passed, live games that everybody has left."""

from copy import deepcopy

from strifebarge.lib.waited import longest_wait, may_send_again
from strifebarge.rules import Refused
from strifebarge.tables.clock import timekeeper, vacation
from strifebarge.tables.clock.absence import CLOSED_AFTER, EVERYBODY_LEFT, NEVER_CAME, NOTHING_HAPPENED
from strifebarge.tables.clock.judging import AT_MOST
from strifebarge.tables.clock.presence import ends, game_ends_by_absence
from strifebarge.tables.library.budget import fault_of
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.events import DecisionAsked
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.status import RUNNING
from strifebarge.tables.play.faults import keep_fault
from strifebarge.tables.play.game import close, play_on, stop
from strifebarge.tables.play.planned import play_plans
from strifebarge.tables.play.turn import Turn


def is_on_time(turn: Turn) -> bool:
    """Return whether no deadline has passed.  If one has, the turn does now what happens at it.

    Raises Diverged; Busy.
    """
    table, clock = turn.table, turn.table.clock
    if table.live:
        game_ends_by_absence(table, turn.present())
    if clock is None or not table.ticking:
        return True
    turn.wake()
    uptime_periods = turn.referee.views.catch_up(table, clock, turn.now)
    chair = table.chair_of(turn.by)
    own_seat, waiting = chair.seat if chair else None, longest_wait()
    if may_send_again(table.id):  # what the site was too busy for may be the form in hand
        own_seat, waiting = None, AT_MOST
    late = timekeeper.late_seats(clock, turn.now, uptime_periods, own_seat, waiting)
    late = [seat for seat in late if not _is_judged(turn, clock, seat)]
    late = [seat for seat in late if not (clock.pace.slow and _goes_on_vacation(turn, clock, seat))]
    late = [seat for seat in late if not _has_grace(turn, clock, seat)]
    if not late:
        return True
    _lapse(turn, clock, late)
    return False


def apply_deadline(turn: Turn) -> None:
    """Do what is due at a table, if anything is.  Raises Refused, Diverged."""
    table, before = turn.table, turn.table.status
    _pass_time(turn)
    if is_on_time(turn) and table.status is not before:
        table.version += 1
        table.times.changed = turn.now


def apply_timeouts(turn: Turn) -> bool:
    """Do what time alone decides where no clock runs; return whether anything was done.

    A live game that everybody has left is suspended, and later ends; any game ends at which nothing has
    happened for half a year.
    """
    table, before = turn.table, turn.table.status
    if table.status not in RUNNING and not table.live:
        return False
    everybody_left = game_ends_by_absence(table, turn.present())
    silent = table.status in RUNNING and turn.now - table.times.changed >= CLOSED_AFTER
    if everybody_left or silent:
        table.stop(turn.now, EVERYBODY_LEFT if everybody_left else NOTHING_HAPPENED)
        close(turn)
    if table.status is before:
        return False
    table.version += 1
    table.times.changed = turn.now
    return True


def _pass_time(turn: Turn) -> None:
    """Let time do to a live table what it does; where it does nothing yet, note when to look again."""
    table = turn.table
    if not table.live:
        return
    presence = turn.present()
    if game_ends_by_absence(table, presence):
        table.stop(turn.now, EVERYBODY_LEFT)
        close(turn)
    elif table.suspension:
        table.suspension.ends = ends(table, presence)


def _is_judged(turn: Turn, clock: Clock, seat: int) -> bool:
    """Return whether somebody's form that came before their deadline is still being judged.

    Raises Busy for another form of the same person: what becomes of the first one comes first.
    """
    chair, due = turn.table.chair(seat), clock.seat_clocks[seat].due
    forms = turn.referee.judging.others(turn.table.id, turn.judged)
    if due is None or not any(form.arrived < due and chair.has(form.player) for form in forms):
        return False
    if chair.has(turn.by):
        raise Busy(f"another form for seat {seat} of table {turn.table.id} is being judged")
    return True


def _goes_on_vacation(turn: Turn, clock: Clock, seat: int) -> bool:
    """Send a player on vacation who would miss a deadline, from then on, while they have days left."""
    chair, due = turn.table.chair(seat), clock.seat_clocks[seat].due
    player = chair.player
    if player is None or chair.bot or due is None:
        return False
    planned = turn.planned.get(player)
    try:
        if planned and vacation.current([planned], due):  # by another seat of theirs at a shared device
            gone = planned
        else:
            gone = turn.set_vacation(player, lambda vacations: vacation.begun(player, vacations, due))
    except Refused:
        return False
    clock.seat_clocks[seat].leave_out(gone.span, turn.now)
    return not clock.seat_clocks[seat].is_late(turn.now)


def _has_grace(turn: Turn, clock: Clock, seat: int) -> bool:
    """Give a seat of two that would be out at a slow pace its grace, from its deadline on."""
    loses = turn.title.rules.late == "loss"
    if not timekeeper.has_grace(clock, turn.table, seat, loses):
        return False
    clock.grant_grace(seat, turn.now)
    turn.emit(DecisionAsked(at=turn.now, by=turn.by, late=seat))
    turn.table.version += 1
    return not clock.seat_clocks[seat].is_late(turn.now)


def _lapse(turn: Turn, clock: Clock, late: list[int]) -> None:
    """Do what happens at the deadline of these seats.  Raises Diverged."""
    table, loses = turn.table, turn.title.rules.late == "loss"
    if any(timekeeper.has_not_come(clock, table, seat, loses) for seat in late):
        stop(turn, NEVER_CAME)
        table.version += 1
        table.times.changed = turn.now
        return
    match, before = turn.playing().match, deepcopy(clock)
    try:
        moves = timekeeper.moves_for_late_seats(clock, match, late, turn.now)
    except Exception as broken:  # whatever an author's rules may raise
        turn.cached, table.clock = None, before
        table.suspend_for_rules(turn.now, timekeeper.BROKEN)
        keep_fault(table, fault_of(broken, "letting a seat's time run out"), turn.now)
    else:
        table.chairs = [_out(chair, match.game.gone) for chair in table.chairs]
        table.pass_host_on(late[0])
        play_on(turn, moves)
        play_plans(turn)
    table.version += 1
    table.times.changed = turn.now


def _out(chair: Chair, gone: list[int]) -> Chair:
    chair.left = chair.left or chair.seat in gone
    return chair
