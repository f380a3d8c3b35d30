"""Putting a match away and taking it up again, and looking whether it is the same."""

from collections.abc import Callable
from typing import Any

import pytest

from strifebarge.fuzz.acts import round_trip
from strifebarge.fuzz.laws import public_state
from strifebarge.rules import Action, Refusal, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell

__all__ = ["Watched", "assert_the_same_when_taken_up", "public_state", "refusal_of", "round_trip"]


def assert_the_same_when_taken_up(match: Match) -> None:
    assert public_state(round_trip(match)) == public_state(match)


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
        self.packed += self.match.take_log()
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
    before = public_state(match)
    with pytest.raises(Refused) as refused:
        doing(*args)
    assert public_state(match) == before
    assert match.take_log() == []
    return refused.value.why
