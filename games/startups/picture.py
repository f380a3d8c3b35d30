"""The picture of some companies: the cards that they have built."""

from typing import NamedTuple

from .cards import Card, Color, Effect, Poaching, Points, Produce, ProduceOneOf, Research, Symbol
from .rules import Startups

ROWS = 4  # cards of a company that there is room for
BANDS = {
    Color.BASE: "#8A6237",
    Color.ADVANCED: "#76838C",
    Color.INFRASTRUCTURE: "#2F6FA3",
    Color.RESEARCH: "#2F7D4F",
    Color.COMMERCIAL: "#B58A1B",
    Color.HEADHUNTING: "#B3261E",
    Color.COMMUNITY: "#7B4A9B",
}
SYMBOLS = {Symbol.SCALING: "r-sci1", Symbol.PROGRAMMING: "r-sci2", Symbol.CUSTOM_SOLUTION: "r-sci3"}


class Laid(NamedTuple):
    """A card: its colour, what is drawn on it, and where it lies."""

    band: str
    drawing: str
    x: int
    y: int


def picture(game: Startups) -> list[Laid]:
    """Return the last cards of each company, a column for each."""
    width = 100 // len(game.seats)
    return [
        Laid(BANDS[card.color], _drawn_on(card), column * width, row * 24)
        for column, founder in enumerate(game.around)
        for row, card in enumerate(founder.cards[-ROWS:])
    ]


def _drawn_on(card: Card) -> str:
    return next(filter(None, map(_drawing, card.effects)), "r-fund")


def _drawing(effect: Effect) -> str:
    match effect:
        case Produce(resource):
            return f"r-{resource[0].upper()}"
        case ProduceOneOf(resources):
            return f"r-{resources[0][0].upper()}"
        case Research(symbol):
            return SYMBOLS[symbol]
        case Poaching():
            return "r-poach"
        case Points():
            return "r-vp"
    return ""
