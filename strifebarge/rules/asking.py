"""Questions: what a game's procedures ask, and how a stage or the game ends."""

from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping
from types import coroutine
from typing import Any, Literal, NamedTuple, TypeVar

from strifebarge.rules.action import Action
from strifebarge.rules.ranking import Ranking
from strifebarge.rules.text import Text

T = TypeVar("T")
Stage = Callable[[], Coroutine[Any, Any, Any]]
Next = Ranking | Stage  # what a stage ends with: the result, or the stage that comes next


class Prompt(NamedTuple):
    """A question to one seat, and the answers that may be given.

    An option that is a class of actions stands for any well-formed one.
    """

    text: Text
    options: Iterable[Action | type[Action]]


class Question(NamedTuple):
    """A question that the game waits with: for an answer of all these seats, or of any one."""

    prompts: dict[int, Prompt]
    settled_by: Literal["all", "any"] = "all"
    final: bool = False  # an answer once given may not be changed while others think
    composed: object = None  # what it is a step of; the steps of others are not seen until that is ended


class EndGame(BaseException):
    """Ends a game from however deep inside; not an Exception, so that no rule swallows it."""

    def __init__(self, ranking: Ranking):
        self.ranking = ranking


class NextStage(BaseException):
    """Ends a stage from however deep inside, as Over ends a game."""

    def __init__(self, stage: Stage):
        self.stage = stage


class BrokenRules(Exception):
    """The rules do what no rules may: words for their author."""


class NothingToDo(BrokenRules):
    """A seat is asked, and there is nothing that it may do."""


@coroutine
def waiting(question: Question) -> Generator[Question, dict[int, Action], dict[int, Action]]:
    return (yield question)


async def side_by_side(procedures: Mapping[int, Coroutine[Any, Any, T]]) -> dict[int, T]:
    """Run several procedures, each of which asks its own seat; a seat that has answered goes on."""
    results: dict[int, T] = {}
    pending: dict[int, Prompt] = {}
    composed = object()

    async def go_on(seat: int, answers: dict[int, Action] | None) -> object:
        """Go on to this seat's next step, or to the end of its procedure."""
        now = composed
        pending.pop(seat, None)
        while True:
            try:
                question = procedures[seat].send(answers)
            except StopIteration as end:
                results[seat] = end.value
                return now
            if question.prompts.keys() == {seat}:
                pending[seat] = question.prompts[seat]
                return now
            if not question.prompts and question.settled_by == "all":
                answers = {}  # no seat is asked
                continue
            if len(procedures) > 1:
                raise BrokenRules(f"while several compose, the procedure of seat {seat} asks another")
            answers = await waiting(question)
            now = object()  # what comes now is another composition: all has been seen so far

    try:
        for seat in procedures:
            composed = await go_on(seat, None)
        while pending:
            prompts = {seat: pending[seat] for seat in procedures if seat in pending}
            answers = await waiting(Question(prompts, "any", composed=composed))
            [seat] = answers
            composed = await go_on(seat, answers)
    finally:
        for procedure in procedures.values():
            procedure.close()
    return results
