"""The picture of the pile."""

from typing import NamedTuple

from .rules import CrazyEights

SHOWN = 4  # cards
TURNS = -24, -8, 8, 24  # degrees by which they are fanned out


class Fanned(NamedTuple):
    """A card, and by how many degrees it is turned."""

    rank: str
    suit: str
    turn: int


def picture(game: CrazyEights) -> list[Fanned]:
    """Return the last cards that were played, fanned out."""
    cards = game.pile[-SHOWN:]
    return [
        Fanned(card.rank, card.suit.value.lower(), turn) for card, turn in zip(cards, TURNS, strict=False)
    ]
