"""Verbs of play: move, undo, leave, suspend and go on, stop the clocks, play again."""

from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from strifebarge.api import faults
from strifebarge.api.arguments import FromSeat, Number, SeatNumber, WriteAtTable
from strifebarge.api.caller import ActResult, Caller
from strifebarge.api.verbs.verb import verb
from strifebarge.people.models import Scope
from strifebarge.rules import Action
from strifebarge.rules.notation import Kinds, from_json, read
from strifebarge.tables.acts import absence, handing_over, moves, nudging, pausing, planning, suspending
from strifebarge.tables.acts import leaving as ways_out
from strifebarge.tables.acts.rematch import rematch as play_again
from strifebarge.tables.clock.absence import AbsenceStep
from strifebarge.tables.model.plans import LONGEST, PlanRequest, read_plan


class MoveArguments(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """A move: in words, as `move` of an offer has them, or as JSON."""

    question_number: Annotated[
        Number, Meta(description="The number of the question, as `table.state` has it.")
    ]
    move: Annotated[str, Meta(max_length=10_000, description='As "fire K9".')] | None = None
    action: Annotated[dict[str, Any], Meta(description='As {"do": "fire", "square": "K9"}.')] | None = None


class UndoArguments(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """A move to undo."""

    question_number: Number | None = None


class PlanArguments(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """A plan: several moves as they are typed, or one in words."""

    plan: Annotated[str, Meta(max_length=LONGEST, description='As "e4 e5; Nf3 Nc6" or "A1; B2".')] = ""
    move: Annotated[str, Meta(max_length=LONGEST, description='As "fire K9".')] = ""
    state_number: (
        Annotated[Number, Meta(description="The `number` of the state that it was made for.")] | None
    ) = None


class LeaveArguments(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """How to leave: `resign` the game by its rules, or leave the seat `free` for somebody else."""

    how: Literal["resign", "free"] = "resign"


class AgreeArguments(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """A proposal, or its end."""

    agree: bool = True


class OtherSeat(FromSeat, kw_only=True, forbid_unknown_fields=True):
    """Another seat."""

    about: SeatNumber


class AbsenceArguments(OtherSeat, kw_only=True, forbid_unknown_fields=True):
    """A step about an absent player, as `allowed` of `table.get_info` lists it."""

    step: AbsenceStep


class OpenedTable(Struct):
    """The code of a table."""

    table: str


@verb("table.move", Scope.PLAY, "POST", "/tables/{table}/moves")
def move(caller: Caller, call: MoveArguments) -> ActResult:
    """Make one move, to answer the question with the number `question_number`."""
    if call.move is None and call.action is None:
        raise faults.missing("Either `move` or `action` is needed.")
    if call.move is not None and call.action is not None:
        raise faults.missing("Give either `move` or `action`, not both.")
    reader = partial(_read, call)
    return caller.answer(call, call.table, call.question_number, moves.move, reader)


def _read(call: MoveArguments, kinds: Kinds) -> Action:
    return read(call.move, kinds) if call.move is not None else from_json(call.action, kinds)


@verb("table.undo", Scope.PLAY, "POST", "/tables/{table}/undo")
def undo(caller: Caller, call: UndoArguments) -> ActResult:
    """Undo one's last move, if the game allows it."""
    return caller.answer(call, call.table, call.question_number, moves.undo)


@verb("table.plan", Scope.PLAY, "POST", "/tables/{table}/plan")
def plan(caller: Caller, call: PlanArguments) -> ActResult:
    """Keep a plan: what to do when it is the caller's turn, if it is still allowed then."""
    reader = partial(read_plan, PlanRequest(call.move, call.plan))
    return caller.carry_out(call, call.table, planning.plan, reader, call.state_number)


@verb("table.drop_plan", Scope.PLAY, "POST", "/tables/{table}/drop-plan")
def drop_plan(caller: Caller, call: FromSeat) -> ActResult:
    """Drop the caller's plan, or the note that one was dropped."""
    return caller.carry_out(call, call.table, planning.drop_plan)


@verb("table.leave", Scope.PLAY, "POST", "/tables/{table}/leave")
def leave(caller: Caller, call: LeaveArguments) -> ActResult:
    """Leave a running game, or a table before its game."""
    return caller.carry_out(call, call.table, ways_out.leave, call.how)


@verb("table.suspend", Scope.PLAY, "POST", "/tables/{table}/suspend")
def suspend(caller: Caller, call: AgreeArguments) -> ActResult:
    """Propose to suspend the game, or agree to that; `agree: false` withdraws it."""
    return caller.carry_out(call, call.table, suspending.suspend, call.agree)


@verb("table.kill", Scope.PLAY, "POST", "/tables/{table}/kill")
def kill(caller: Caller, call: AgreeArguments) -> ActResult:
    """Propose to end a suspended game without a result. It ends when all players agree."""
    return caller.carry_out(call, call.table, suspending.propose_end, call.agree)


@verb("table.go_back", Scope.PLAY, "POST", "/tables/{table}/go-back")
def go_back(caller: Caller, call: AgreeArguments) -> ActResult:
    """Propose to resume from the last good position, after the rules have changed or failed."""
    return caller.carry_out(call, call.table, suspending.propose_back, call.agree)


@verb("table.pause", Scope.PLAY, "POST", "/tables/{table}/pause")
def pause(caller: Caller, call: AgreeArguments) -> ActResult:
    """Agree to stop the clocks. They stop when all players agree."""
    return caller.carry_out(call, call.table, pausing.pause, call.agree)


@verb("table.end_pause", Scope.PLAY, "POST", "/tables/{table}/end-pause")
def end_pause(caller: Caller, call: FromSeat) -> ActResult:
    """Restart the clocks."""
    return caller.carry_out(call, call.table, pausing.end_pause)


@verb("table.call_time", Scope.PLAY, "POST", "/tables/{table}/call-time")
def call_time(caller: Caller, call: FromSeat) -> ActResult:
    """Check the deadlines now, so that the game goes on if a player's time has run out."""
    return caller.carry_out(call, call.table, pausing.call_time)


@verb("table.nudge", Scope.PLAY, "POST", "/tables/{table}/nudge")
def nudge(caller: Caller, call: OtherSeat) -> ActResult:
    """Remind the players of a seat that it is their turn."""
    return caller.carry_out(call, call.table, nudging.nudge, call.about)


@verb("table.miss", Scope.PLAY, "POST", "/tables/{table}/miss")
def miss(caller: Caller, call: AbsenceArguments) -> ActResult:
    """Take a step about an absent player, if the table's settings offer it."""
    return caller.carry_out(call, call.table, absence.miss, call.about, call.step)


@verb("table.take_over", Scope.PLAY, "POST", "/tables/{table}/take-over")
def take_over(caller: Caller, call: OtherSeat) -> ActResult:
    """Take a seat as its player's substitute."""
    return caller.carry_out(call, call.table, handing_over.take_over, call.about)


@verb("table.rematch", Scope.PLAY, "POST", "/tables/{table}/rematch")
def rematch(caller: Caller, call: WriteAtTable) -> OpenedTable:
    """Agree to a rematch, and open its table if there is none yet."""
    id = caller.table(call.table)
    caller.must_not_hurry(call, "join")
    return OpenedTable(play_again(caller.referee, caller.player.id, id, caller.form(call)))
