"""Do about a seat that keeps the others waiting what the table's policy allows."""

from strifebarge.rules import Refused, Standard
from strifebarge.tables.acts.bots import stand_in
from strifebarge.tables.acts.leaving import end_if_only_bots_stay
from strifebarge.tables.clock.absence import (
    NEVER_CAME,
    SOMEBODY_AWAY,
    AbsenceStep,
    enough_against,
    steps_about,
)
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.suspension import drop_proposals
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.game import play_on, stop
from strifebarge.tables.play.planned import go_on_with_plans, play_plans
from strifebarge.tables.play.turn import Turn


def miss(turn: Turn, seat: int, step: str) -> None:
    """Take the step that was offered about a seat that is late.

    Raises Refused: NOT_SEATED, NOT_LATE; STALE if by now it would be another step.
    """
    table, chair = turn.table, turn.table.chair(seat)
    if all(each.left for each in table.chairs_of(turn.player)):
        raise Refused(TableRefusal.NOT_SEATED)
    table.must_be_running()
    ways = steps_about(table, turn.player, chair, turn.present())
    if not ways:
        raise Refused(TableRefusal.NOT_LATE)
    if step not in ways:
        raise Refused(Standard.STALE)
    _take_step(turn, AbsenceStep(step), chair)


def _take_step(turn: Turn, step: AbsenceStep, chair: Chair) -> None:
    table = turn.table
    match step:
        case AbsenceStep.SKIP:
            moves = turn.playing().match.skip(chair.seat)
            chair.skipped += 1
            play_on(turn, moves)
            play_plans(turn)
        case AbsenceStep.GO_ON:
            _agree_for(turn, chair)
        case AbsenceStep.FREE:
            chair.let_bot_go(table.position.number)
            chair.empty()
            table.somebody_went()
            table.pass_host_on(chair.seat)
        case AbsenceStep.OUT:
            _take_out(turn, chair)
        case AbsenceStep.END:
            stop(turn, NEVER_CAME if table.ticking else SOMEBODY_AWAY)
        case AbsenceStep.WIN:
            _take_out(turn, chair, late=True)
        case AbsenceStep.DRAW:
            [caller] = [each for each in table.in_play() if each is not chair]
            play_on(turn, turn.playing().match.call_draw(caller.seat))
        case AbsenceStep.MORE:
            if table.clock:
                table.clock.give(chair.seat, turn.now)
        case AbsenceStep.VOTE:
            _vote(turn, chair)
        case AbsenceStep.BOT:
            drop_proposals(table)  # to none of which somebody who is away has agreed
            stand_in(turn, chair)
            go_on_with_plans(turn)


def _agree_for(turn: Turn, chair: Chair) -> None:
    """Go on with a suspended game without waiting for a seat's agreement."""
    drop_proposals(turn.table)  # to none of which somebody who is away has agreed
    for player in chair.players:
        chair.agree(player, True)
    chair.ready = True
    chair.skipped += 1
    go_on_with_plans(turn)


def _vote(turn: Turn, chair: Chair) -> None:
    """Note a vote to take a seat out of the game; the last vote that it needs does so."""
    own_seats = [each.seat for each in turn.table.in_play() if each.has(turn.player)]
    chair.against = sorted({*chair.against, *own_seats})
    votes, needed = enough_against(turn.table, chair)
    if votes >= needed:
        _take_out(turn, chair)


def _take_out(turn: Turn, chair: Chair, late: bool = False) -> None:
    """Count a seat as having left for good, or as `late`; also at a game that is suspended."""
    match = turn.match().match
    moves = match.miss(chair.seat, out=True) if late else match.leave(chair.seat)
    chair.left = True
    turn.table.pass_host_on(chair.seat)
    play_on(turn, moves)
    end_if_only_bots_stay(turn)
    go_on_with_plans(turn)
