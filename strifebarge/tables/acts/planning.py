"""Plan what a seat would do when it is asked, and drop the plan."""

from collections.abc import Callable

from strifebarge.rules import Refused, Standard
from strifebarge.rules.match import Match
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.plans import Plan, PlanLine, must_be_plannable
from strifebarge.tables.model.reasons import PlanRefusal
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.ledger import RECENT
from strifebarge.tables.play.planned import play_plans
from strifebarge.tables.play.turn import Turn

# The lines that a form wants, for a match and a seat, and those that are planned already.
Read = Callable[[Match, int, list[PlanLine]], list[PlanLine]]


def plan(turn: Turn, read: Read, position_number: int | None = None) -> None:
    """Note what a seat will do when it is asked; nobody else learns of it before it is played.

    `position_number` is the number of the position that the form was made for.  If the seat has been asked
    since, the plan is played at once.  Raises Refused: what `read` raises; NO_PLANS, NO_PLANS_HERE,
    YOUR_TURN, OUT_OF_GAME, NOT_SEATED, WHICH_SEAT, SUSPENDED, NOT_BEGUN, OVER; STALE if the seat has moved
    since.
    """
    table, chair = turn.table, _planner(turn)
    match, seat = turn.playing().match, chair.seat
    if seat in table.position.out:
        raise Refused(PlanRefusal.OUT_OF_GAME)
    is_prompted = seat in match.prompts
    if is_prompted and position_number in (None, match.number):
        raise Refused(PlanRefusal.YOUR_TURN)
    if position_number is not None:
        _must_not_have_moved(turn, seat, position_number)
        match = turn.referee.views.replayed(table, position_number).match if is_prompted else match
    before = table.plan_of(seat)
    lines = read(match, seat, before.lines if before else [])
    must_be_plannable(lines, match, seat)
    turn.quiet = True
    if not lines:
        table.plans.pop(seat, None)
        return
    table.plans[seat] = Plan(by=turn.player, holder=chair.holder, lines=lines)
    if is_prompted:
        play_plans(turn)


def drop_plan(turn: Turn) -> None:
    """Drop a seat's plan, or the note that one was dropped.  Raises Refused: NOT_SEATED, WHICH_SEAT, OVER."""
    chair = turn.table.seated(turn.player, turn.seat)
    turn.table.must_be_running()
    turn.table.plans.pop(chair.seat, None)
    turn.quiet = True


def _planner(turn: Turn) -> Chair:
    """Return the chair of a player who may plan here.  Raises Refused."""
    chair = turn.table.seated(turn.player, turn.seat)
    if chair.left:
        raise Refused(TableRefusal.NOT_SEATED)
    if not turn.title.rules.plans:
        raise Refused(PlanRefusal.NO_PLANS)
    if len(turn.table.chairs_of(turn.player)) > 1:
        raise Refused(PlanRefusal.NO_PLANS_HERE)
    return chair


def _must_not_have_moved(turn: Turn, seat: int, position_number: int) -> None:
    """Raise Refused(STALE) if a seat has moved since a position, or that is too long ago to tell."""
    newest = turn.table.position.number
    has_moved = any(row.number > position_number and row.seat == seat for row in turn.playing().rows)
    if has_moved or not newest - RECENT <= position_number <= newest:
        raise Refused(Standard.STALE)
