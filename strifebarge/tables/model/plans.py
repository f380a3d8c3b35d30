"""Plans: what a seat would do, if it is still allowed when it is asked.  Pure."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from strifebarge.rules import Action, Refused
from strifebarge.rules.chance import witnessed
from strifebarge.rules.match import Match
from strifebarge.rules.notation import Kinds, meanings, read, write
from strifebarge.rules.schema import actions
from strifebarge.rules.text import pack
from strifebarge.rules.validity import plan_refusal
from strifebarge.tables.model.reasons import PlanRefusal

LINES = 10  # of a plan, at most
MOVES = 20  # of one's own in a line, at most
IN_ALL = 40  # of one's own in all lines together, at most
LONGEST = 1000  # characters of a plan that is typed


class PlanStep(Struct, frozen=True):
    """A move that a seat plans, and what it answers."""

    do: str  # the move in words
    typed: str  # the same as it was typed
    answers: str = ""  # the other seat's move before it, as it was typed; "": whatever the others do
    after: str = ""  # the fingerprint of the position after that move


PlanLine = list[PlanStep]


class DroppedMove(Struct, frozen=True):
    """A planned move that was not made, and why."""

    typed: str
    why: Any  # packed text


class Plan(Struct, kw_only=True):
    """A seat's plan: lines of steps of which the first that fits is played; or how a plan has ended."""

    by: str  # the player who made it
    holder: str  # what `Chair.holder` was then: others who have the seat have no plan
    lines: list[PlanLine] = []
    dropped: DroppedMove | None = None

    def next_step(self, fingerprint: str) -> PlanStep | None:
        """Return the step that fits a position, of the first line that has one; None if none does."""
        first = (line[0] for line in self.lines)
        return next((step for step in first if step.after in ("", fingerprint)), None)

    def go_on(self, step: PlanStep) -> None:
        """Leave what follows a step that was played."""
        self.lines = [line[1:] for line in self.lines if line[0] == step and line[1:]]

    def drop(self, why: Refused, typed: str = "") -> None:
        """End the plan: its next move, or the one that was `typed`, is not made."""
        first = self.lines[0][0].typed if self.lines else ""
        self.lines, self.dropped = [], DroppedMove(typed or first, pack(why.text))


def in_words(lines: list[PlanLine]) -> str:
    """Return lines as they may be typed."""
    return " | ".join("; ".join(f"{step.answers} {step.typed}".strip() for step in line) for line in lines)


# -- read ------------------------------------------------------------------------------------


class TypedStep(NamedTuple):
    """A step as it was typed."""

    text: str
    answers: str = ""


class PlanRequest(NamedTuple):
    """A plan that somebody wants: of one move in the game's notation, or as it was typed."""

    move: str = ""
    text: str = ""
    more: bool = False  # the move comes after those that are planned already
    without: str = ""  # a planned move that is taken back; the others stay


def read_plan(plan_request: PlanRequest, match: Match, seat: int, planned: list[PlanLine]) -> list[PlanLine]:
    """Return the plan that is wanted, where these lines are `planned` already; [] if no move is left.

    Raises Refused as `plan_typed`.
    """
    if plan_request.without:
        remaining = ([step for step in line if step.do != plan_request.without] for line in planned)
        return [line for line in remaining if line]
    if not plan_request.move:
        return plan_typed(plan_request.text, match, seat)
    lines = plan_of_move(plan_request.move, match)
    if not plan_request.more or any(step.answers for line in planned for step in line):
        return lines
    together = [step for line in [*planned, *lines] for step in line]
    if len(together) > MOVES:
        raise _too_long()
    return [together]


def plan_of_move(text: str, match: Match) -> list[PlanLine]:
    """Return the plan of one move in the game's notation, whatever the others do.  Raises Refused."""
    action = read(text, actions(match.rules))
    values = write(action).split(maxsplit=1)
    return [[PlanStep(write(action), typed=values[-1])]]


def plan_typed(text: str, match: Match, seat: int) -> list[PlanLine]:
    """Return the plan that was typed: moves with `;` between them, lines on lines of their own or with `|`.

    Where a game allows lines, a step of two words is the other seat's move and the answer to it; such lines
    are played through from where the match stands.  Raises Refused: what the rules say of a move;
    EMPTY_PLAN, LONG_PLAN, ONE_LINE, NOT_A_LINE, MIXED_LINES, WRONG_LINE.
    """
    lines = _parts(text, match.rules.plans == "lines")
    if any(step.answers for line in lines for step in line):
        if not all(step.answers for line in lines for step in line):
            raise Refused(PlanRefusal.MIXED_LINES)
        return [[*_played_through(line, match, seat)] for line in lines]
    if len(lines) > 1:
        raise Refused(PlanRefusal.ONE_LINE)
    kinds = actions(match.rules)
    return [[PlanStep(write(_meant(step.text, kinds)), step.text) for step in lines[0]]]


def must_be_plannable(lines: list[PlanLine], match: Match, seat: int) -> None:
    """Raise Refused for a move of a plan that the game refuses at once, whatever the others do."""
    for step in (step for line in lines for step in line if not step.answers):
        must_not_be_refused(read(step.do, actions(match.rules)), match, seat)


def must_not_be_refused(action: Action, match: Match, seat: int) -> None:
    """Raise Refused for an action that a seat may not even plan."""
    if why := plan_refusal(match.game, match.game.seats[seat], action):
        raise why


def can_come(step: PlanStep, match: Match, seat: int) -> bool:
    """Return whether the move that a step answers still leads to the position for which it is planned."""
    if not step.answers:
        return True
    twin = Match(match.rules, match.snapshot, match.ledger)
    others = [each for each in twin.waiting_for() if each != seat]
    try:
        twin.move(others[0] if others else seat, _meant(step.answers, actions(match.rules)))
    except Refused:
        return False
    return twin.fingerprint() == step.after


def _parts(text: str, answering: bool) -> list[list[TypedStep]]:
    """Return the lines of a plan as they were typed.  Raises Refused."""
    if len(text) > LONGEST:
        raise _too_long()
    split = ([" ".join(step.split()) for step in line.split(";")] for line in re.split(r"[\n|]", text))
    lines = [[_typed(step, answering) for step in line if step] for line in split if any(line)]
    if not lines:
        raise Refused(PlanRefusal.EMPTY_PLAN)
    if len(lines) > LINES or max(map(len, lines)) > MOVES or sum(map(len, lines)) > IN_ALL:
        raise _too_long()
    return lines


def _too_long() -> Refused:
    return Refused(PlanRefusal.LONG_PLAN, lines=LINES, moves=MOVES)


def _typed(step: str, answering: bool) -> TypedStep:
    """Return a step of one word, a move of one's own; or of two, their move and the answer."""
    if not answering:
        return TypedStep(step)
    *theirs, own_move = step.split(" ")
    if len(theirs) > 1:
        raise Refused(PlanRefusal.NOT_A_LINE, step=step)
    return TypedStep(own_move, *theirs)


def _meant(text: str, kinds: Kinds) -> Action:
    """Return the action that typed words mean.  Raises Refused."""
    meant = meanings(text, kinds)
    for each in meant:
        if isinstance(each, Action):
            return each
    for each in meant:
        if isinstance(each, Refused):
            raise each
    return read(text, kinds)  # which says what is wrong


def _played_through(line: list[TypedStep], match: Match, seat: int) -> Iterator[PlanStep]:
    """Yield the steps of a line, each played after the one before from where the match stands.

    Raises Refused(WRONG_LINE) where a move is not possible there, or something is drawn by chance.
    """
    twin = Match(match.rules, match.snapshot, match.ledger)
    kinds = actions(match.rules)
    with witnessed() as draws:
        for step in line:
            [other, *_] = [each for each in twin.waiting_for() if each != seat] or [seat]
            _try(twin, other, _meant(step.answers, kinds), step.answers)
            after, action = twin.fingerprint(), _meant(step.text, kinds)
            _try(twin, seat, action, step.text)
            if draws:
                raise Refused(PlanRefusal.BY_CHANCE)
            yield PlanStep(write(action), step.text, step.answers, after)


def _try(match: Match, seat: int, action: Action, typed: str) -> None:
    try:
        match.move(seat, action)
    except Refused as no:
        raise Refused(PlanRefusal.WRONG_LINE, move=typed, reason=no.text) from no
