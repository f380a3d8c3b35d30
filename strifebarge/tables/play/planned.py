"""The playing of plans, in the turn in which their seats are asked."""

from strifebarge.rules import Refused
from strifebarge.rules.ledger import Move
from strifebarge.rules.notation import read
from strifebarge.rules.schema import actions
from strifebarge.tables.model.plans import Plan, PlanStep, can_come
from strifebarge.tables.model.reasons import PlanRefusal
from strifebarge.tables.play.game import go_on_if_ready, play_on
from strifebarge.tables.play.turn import Turn


def play_plans(turn: Turn) -> None:
    """Play for the seats that are asked now what they have planned, until one is asked that has no plan.

    A plan is dropped where the rules refuse its move, or none of its lines fits.
    """
    quiet = turn.quiet
    while (seat := _seat_with_plan(turn)) is not None:
        plan = turn.table.plans[seat]
        step = plan.next_step(turn.match().match.fingerprint())
        if step is None:
            plan.drop(Refused(PlanRefusal.OTHER_MOVE))
        elif (moves := _moves(turn, seat, plan, step)) is not None:
            _play(turn, seat, plan, step, moves)
            quiet = quiet and turn.quiet
    turn.quiet = quiet


def drop_after_undo(turn: Turn, seat: int) -> None:
    """Drop the plan of a seat that has undone its move, and lines of others that answer what is gone."""
    match = turn.match().match
    for planner in list(turn.table.plans):
        plan = turn.table.plan_of(planner)
        if plan is None or not plan.lines:
            continue
        left = [line for line in plan.lines if can_come(line[0], match, planner)]
        if planner == seat:
            plan.drop(Refused(PlanRefusal.UNDONE))
        elif left:
            plan.lines = left
        else:
            plan.drop(Refused(PlanRefusal.THEY_UNDID))


def go_on_with_plans(turn: Turn) -> None:
    """Begin a game, or go on with a suspended one, if all have agreed; then play what is planned.

    A seat may have been asked while the game was suspended.  Raises Refused, Diverged as `go_on_if_ready`.
    """
    go_on_if_ready(turn)
    play_plans(turn)


def _seat_with_plan(turn: Turn) -> int | None:
    """Return a seat that is asked now, and for which a plan stands; None if there is none."""
    table = turn.table
    if not table.plans or table.suspended:
        return None
    plans = {seat: table.plan_of(seat) for seat in table.position.waiting}
    return next((seat for seat, plan in plans.items() if plan and plan.lines), None)


def _moves(turn: Turn, seat: int, plan: Plan, step: PlanStep) -> list[Move] | None:
    """Return the moves that a planned step makes; None if the rules refuse it, which drops the plan."""
    match = turn.match().match
    try:
        match.check_turn(seat)
        return match.move(seat, read(step.do, actions(match.rules)))
    except Refused as no:
        plan.drop(no, step.typed)
        return None


def _play(turn: Turn, seat: int, plan: Plan, step: PlanStep, moves: list[Move]) -> None:
    """Keep the moves of a planned step as if its player had sent them now."""
    table, chair = turn.table, turn.table.chairs[seat]
    plan.go_on(step)
    if not plan.lines:
        del table.plans[seat]
    if chair.coplayers:
        table.position.chosen_by[seat] = chair.name_of(plan.by)
    play_on(turn, moves, plan.by)
    if not turn.quiet:  # of a step that is composed nobody else may know
        chair.note_move()
