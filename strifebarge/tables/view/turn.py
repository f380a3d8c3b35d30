"""The question that the viewer is asked now, and the actions to choose from."""

from typing import Any, NamedTuple

from msgspec import Struct

from strifebarge.lib.cached import cached_property
from strifebarge.rules import Action, Game
from strifebarge.rules.action import Late
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json, tag, write
from strifebarge.rules.schema import Field, actions, form_fields
from strifebarge.rules.text import pack
from strifebarge.rules.validity import distinct
from strifebarge.tables.model.table import Table


class ActionForm(Struct, frozen=True):
    """A kind of action to be filled in: a form with these fields."""

    do: str
    kind: type[Action]
    label: str
    fields: tuple[Field, ...]

    @classmethod
    def of(cls, kind: type[Action]) -> "ActionForm":
        """Return the form of a kind of action."""
        return cls(tag(kind), kind, label_of(kind), form_fields(kind))


class AnsweredQuestion(NamedTuple):
    """Something that a viewer may ask of the game at any time, with the answer."""

    name: str
    text: str
    answer: list[Any]  # packed texts


class TurnView(Struct, kw_only=True, dict=True):
    """The question that the viewer is asked; `question_number` is None where nothing is asked of them."""

    question_number: int | None = None  # the number of the question
    prompt: Any = None  # packed text
    offered: list[Action | type[Action]] = []  # as the rules offer it: some perhaps twice
    anew: bool = False  # they are asked again, for other rules do not offer what they had chosen
    choice: str | None = None  # their own in words, while others still choose
    can_undo: bool = False  # they may take their last move back
    undo_any: bool = False  # at an analysis board: the last move may be taken back, by any seat
    undo_for: int | None = None  # the seat at the viewer's device whose finished turn may be taken back

    @cached_property
    def options(self) -> list[Action | type[Action]]:
        """Return all that is offered, each once; found when it is asked for, since a sea has thousands."""
        return distinct(self.offered)


def turn_of(table: Table, match: Match, seat: int, rules: type[Game[Any]]) -> TurnView | None:
    """Return what a seat is asked in a match; None where nothing is asked of it."""
    if seat in match.answers or seat not in match.prompts:
        return None
    if isinstance(match.pending.get(seat), Late):  # too late to choose, though others still may
        return None
    pending = table.position.pending.get(seat)
    return TurnView(
        question_number=match.question_numbers[seat],
        prompt=pack(match.prompts[seat].text),
        offered=match.offered(seat),
        anew=seat in table.position.anew,
        choice=write(from_json(pending, actions(rules))) if seat in table.position.pending else None,
        can_undo=match.can_undo(seat),
    )


def label_of(kind: type[Action]) -> str:
    """Return the name of a kind of action: the first line of its docstring."""
    return (kind.__doc__ or kind.__name__).strip().splitlines()[0]
