"""How a game ended."""

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
