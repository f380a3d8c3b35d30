"""Putting a match away and taking it up again, and looking whether it is the same."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from strifebarge.rules import Action, Refusal, Refused
from strifebarge.rules.action import Leave, Undo
from strifebarge.rules.match import Match, Move
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import pack, tell


def taken_up(match: Match) -> Match:
    """The match as it comes back from a store: by way of JSON, and of nothing else."""
    kinds = (*actions(match.rules), Leave, Undo)

    def stored(action: Any) -> Any:
        return from_json(msgspec.json.decode(msgspec.json.encode(action)), kinds)

    moves = [Move(move.number, move.seat, stored(move.action), move.final) for move in match.ledger]
    pending = {seat: stored(action) for seat, action in match.pending.items()}
    return Match(match.rules, match.snapshot, moves, pending)


def standing_of(match: Match) -> dict[str, Any]:
    """All there is to know of a match between two moves."""
    seats = range(len(match.game.seats))
    return {
        "fingerprint": match.fingerprint(),
        "number": match.number,
        "result": match.result,
        "moves": [*match.moves],
        "ledger": [*match.ledger],
        "composing": match.question.composed is not None and match.since,
        "asked": {**match.asked},
        "given": {**match.given},
        "pending": {**match.pending},
        "waiting": match.waiting_for(),
        "prompts": {seat: pack(prompt.text) for seat, prompt in match.prompts.items()},
        "options": {seat: [*match.options(seat)] for seat in match.prompts},
        "undoable": [seat for seat in seats if match.undoable(seat)],
        "settled by": match.question.settled_by,
        "final": match.question.final,
    }


def assert_the_same_when_taken_up(match: Match) -> None:
    assert standing_of(taken_up(match)) == standing_of(match)


class Watched(Tabletop):
    """A tabletop at which the match is put away and taken up after every step."""

    def plays(self, seat: int, *actions: Action) -> None:
        for action in actions:
            super().plays(seat, action)
            assert_the_same_when_taken_up(self.match)

    def leaves(self, seat: int) -> None:
        super().leaves(seat)
        assert_the_same_when_taken_up(self.match)

    def undoes(self, seat: int) -> None:
        self.match.undo(seat)
        self.packed += self.match.told()
        assert_the_same_when_taken_up(self.match)

    def places(self) -> list[list[int]]:
        """How it ended."""
        assert self.match.result
        return self.match.result.places

    def asks(self) -> dict[int, str]:
        """Who is asked what, and has not answered."""
        return {seat: tell(self.match.prompts[seat].text, seat) for seat in self.match.waiting_for()}


def refusal_of(match: Match, doing: Callable[..., Any], *args: Any) -> Refusal:
    """Why this is refused; it must be, and nothing must have changed."""
    before = standing_of(match)
    with pytest.raises(Refused) as refused:
        doing(*args)
    assert standing_of(match) == before
    assert match.told() == []
    return refused.value.why
