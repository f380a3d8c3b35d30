"""Move, and undo a move."""

from collections.abc import Callable

from strifebarge.rules import Action, Refused, Standard
from strifebarge.rules.match import Match
from strifebarge.rules.notation import Kinds
from strifebarge.rules.schema import actions
from strifebarge.tables.acts.from_here import undo_anything
from strifebarge.tables.clock import vacation
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.play.game import play_on
from strifebarge.tables.play.planned import drop_after_undo, play_plans
from strifebarge.tables.play.turn import Turn
from strifebarge.tables.view.perspective import seat_that_can_undo


def move(turn: Turn, read: Callable[[Kinds], Action]) -> None:
    """Let a seat act; `read` makes the action of the form, given the game's kinds of action.

    Raises Refused: what the rules say; STALE, NOT_SEATED, WHICH_SEAT, SUSPENDED, NOT_BEGUN.
    """
    chair = turn.table.seated(turn.player, turn.seat)
    seat, match = chair.seat, turn.playing().match
    match.check_turn(seat)
    check_question(match, seat, turn)
    moves = match.move(seat, read(actions(match.rules)))
    turn.table.plans.pop(seat, None)
    if chair.coplayers:
        turn.table.position.chosen_by[seat] = chair.name_of(turn.player)
    play_on(turn, moves)
    if not turn.quiet:  # of a step that is composed nobody else may know
        chair.note_move()
        _come_back(turn)
        play_plans(turn)


def undo(turn: Turn) -> None:
    """Take back a seat's last move, where the framework allows it.

    At an analysis board every move can be, one after the other; at one device also when the next seat there
    is asked already, if nobody elsewhere is.  Raises Refused.
    """
    table = turn.table
    seat = table.seated(turn.player, turn.seat).seat
    if table.analysis:
        return undo_anything(turn)
    match = turn.playing().match
    across = not match.can_undo(seat) and seat_that_can_undo(table, turn.player, match) == seat
    question = turn.form.question if turn.form else None
    if across and question not in match.question_numbers.values():
        raise Refused(Standard.STALE)
    if match.can_undo(seat):
        check_question(match, seat, turn)
    play_on(turn, [match.undo_across_turns(seat) if across else match.undo(seat)])
    if not turn.quiet:  # else nobody else knows what was undone
        drop_after_undo(turn, seat)


def check_question(match: Match, seat: int, turn: Turn) -> None:
    """Raise Refused(STALE) if the form answers another question than the seat is asked now."""
    question = turn.form.question if turn.form else None
    if question is not None and question != match.question_numbers.get(seat):
        raise Refused(Standard.STALE)


def _come_back(turn: Turn) -> None:
    """End the vacation of a player who moves."""
    clock = turn.table.clock
    if (
        clock
        and clock.pace.slow
        and not is_bot(turn.player)
        and vacation.current(turn.vacations(turn.player), turn.now)
    ):
        turn.set_vacation(turn.player, lambda vacations: vacation.ended(vacations, turn.now))
