"""Plan what a seat would do when it is asked, and drop the plan."""

from collections.abc import Callable

from strifebarge.rules import Refused, Standard
from strifebarge.rules.match import Match
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.plans import Line, Plan, must_be_plannable
from strifebarge.tables.model.reasons import NotPlanned
from strifebarge.tables.model.table import No
from strifebarge.tables.play.ledger import RECENT
from strifebarge.tables.play.planned import play_plans
from strifebarge.tables.play.turn import Turn

# The lines that a form wants, for a match and a seat, and those that are planned already.
Read = Callable[[Match, int, list[Line]], list[Line]]


def plan(turn: Turn, read: Read, seen: int | None = None) -> None:
    """Note what a seat will do when it is asked; nobody else learns of it before it is played.

    `seen` is the number of the position that the form was made for.  Where the seat has been asked since, the
    plan is played at once.  Raises Refused: what `read` raises; NO_PLANS, NO_PLANS_HERE, YOUR_TURN,
    OUT_OF_GAME, NOT_SEATED, WHICH_SEAT, SUSPENDED, NOT_BEGUN, OVER; STALE if the seat has moved since.
    """
    table, chair = turn.table, _planner(turn)
    match, seat = turn.playing().match, chair.seat
    if seat in table.position.out:
        raise Refused(NotPlanned.OUT_OF_GAME)
    asked = seat in match.prompts
    if asked and seen in (None, match.number):
        raise Refused(NotPlanned.YOUR_TURN)
    if seen is not None:
        _must_not_have_moved(turn, seat, seen)
        match = turn.referee.views.replayed(table, seen).match if asked else match
    before = table.plan_of(seat)
    lines = read(match, seat, before.lines if before else [])
    must_be_plannable(lines, match, seat)
    turn.quiet = True
    if not lines:
        table.plans.pop(seat, None)
        return
    table.plans[seat] = Plan(by=turn.player, held=chair.held, lines=lines)
    if asked:
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
        raise Refused(No.NOT_SEATED)
    if not turn.title.rules.plans:
        raise Refused(NotPlanned.NO_PLANS)
    if len(turn.table.chairs_of(turn.player)) > 1:
        raise Refused(NotPlanned.NO_PLANS_HERE)
    return chair


def _must_not_have_moved(turn: Turn, seat: int, seen: int) -> None:
    """Raise Refused(STALE) if a seat has moved since a position, or that is too long ago to tell."""
    newest = turn.table.position.number
    mine = any(row.number > seen and row.seat == seat for row in turn.playing().rows)
    if mine or not newest - RECENT <= seen <= newest:
        raise Refused(Standard.STALE)
