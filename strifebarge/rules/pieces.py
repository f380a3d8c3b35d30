"""Pieces out of the box: playing cards."""

from enum import StrEnum
from typing import Self

from strifebarge.rules.text import Text


class Suit(StrEnum):
    """A suit; also read from its name, in any letter case."""

    CLUBS, DIAMONDS, HEARTS, SPADES = "C", "D", "H", "S"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        word = str(value).upper()
        return next((suit for suit in cls if word in (suit.value, suit.name)), None)

    @property
    def text(self) -> Text:
        return Text(self.name.lower())


RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]
COURT = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def rank_name(rank: str) -> Text:
    """Return a rank in words: `queen`, `7`."""
    return Text(COURT.get(rank, rank))


class Card(StrEnum):
    """A playing card, spelt rank then suit, `8S` or `10D`; read in any letter case."""

    vars().update({f"{suit}{rank}": f"{rank}{suit}" for suit in "CDHS" for rank in RANKS})

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        word = str(value).upper()
        return next((card for card in cls if card.value == word), None)

    @property
    def rank(self) -> str:
        return RANK_OF[self]

    @property
    def suit(self) -> Suit:
        return SUIT_OF[self]

    @property
    def text(self) -> Text:
        """`8 of spades`, `queen of hearts`."""
        return Text("{rank} of {suit}", {"rank": rank_name(self.rank), "suit": self.suit})

    @property
    def order(self) -> tuple[int, int]:
        """Where it lies in a sorted hand: suit, then rank.  Never by arrival, which tells too much."""
        return "SHDC".index(self.value[-1]), RANKS.index(self.rank)


# Looked up, since games ask for them at every card of every hand.
RANK_OF = {card: card.value[:-1] for card in Card}
SUIT_OF = {card: Suit(card.value[-1]) for card in Card}
