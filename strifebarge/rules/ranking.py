"""How a game ended."""

from itertools import chain
from math import isfinite
from typing import Any

from msgspec import Struct


class Ranking(Struct, frozen=True):
    """How a game ended: the places from first to last, those in a tie together."""

    places: list[list[int]]
    scores: dict[int, float] = {}
    why: Any = None  # a packed Text
    teams: list[list[int]] = []  # seats that played as one; all others played for themselves

    @property
    def winners(self) -> list[int]:
        return self.places[0] if self.places else []

    def place(self, seat: int) -> int:
        """Return a seat's place, 1 for the first; ties share the better one, and leave a gap after them."""
        better = 0
        for place in self.places:
            if seat in place:
                return better + 1
            better += len(place)
        raise LookupError(seat)


def ranking_fault(ranking: Any, seats: int) -> str:
    """Return why a ranking does not fit a game with `seats` seats, in words; "" if it fits."""
    if not isinstance(ranking, Ranking):
        return "it is no Ranking"
    places, everybody = ranking.places, range(seats)
    try:
        partners = sorted(chain.from_iterable(ranking.teams))
        if places and sorted(chain.from_iterable(places)) != [*everybody]:
            return "each seat needs one place"
        if not all(places):
            return "a place is empty"
        if not {*ranking.scores} <= {*everybody} or not all(map(isfinite, ranking.scores.values())):
            return "a score is a number, and a seat has it"
        if len({*partners}) < len(partners) or not {*partners} <= {*everybody}:
            return "a seat has one team at most"
        if places and not all(any({*team} <= {*place} for place in places) for team in ranking.teams):
            return "partners share a place"
    except (AttributeError, TypeError, OverflowError):
        return "places and teams are lists of seats' numbers, and scores are numbers"
    return ""
