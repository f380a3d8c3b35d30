"""Putting a match away and taking it up again, and looking whether it is the same."""

from collections.abc import Callable
from typing import Any

import pytest

from strifebarge.fuzz.acts import taken_up
from strifebarge.fuzz.laws import standing_of
from strifebarge.rules import Action, Refusal, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell

__all__ = ["Watched", "assert_the_same_when_taken_up", "refusal_of", "standing_of", "taken_up"]


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
