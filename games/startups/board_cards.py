"""Cards as the board shows them: what they give, and which ones they make free later."""

from functools import lru_cache
from typing import Literal, NamedTuple

from strifebarge.rules.board import BoardView

from .cards import CARDS, Card, Cards, Color, Effect, Effects, Funds, Per, Points, Stages, TradePrice, kind
from .founders import Founder
from .rules import Startups

View = BoardView[Startups, Founder]


class Counted(NamedTuple):
    """The things that an effect counts, and at whose companies."""

    what: Literal["cards", "stages", "defeats"]
    colors: tuple[Color, ...]  # of cards
    whose: Literal["own", "neighbours", "all"]


class Gain(NamedTuple):
    """An effect of a card or a stage."""

    kind: str
    effect: Effect
    per: Counted | None = None  # what it counts
    side: Literal["", "left", "right", "both"] = ""  # where it makes buying cheaper


@lru_cache(1024)
def gains(effects: Effects) -> tuple[Gain, ...]:
    """Return what effects give, as it is told on a card."""
    return tuple(map(_gain, effects))


def _gain(effect: Effect) -> Gain:
    match effect:
        case Points(per=per) | Funds(per=per) if per:
            return Gain(effect.kind, effect, _counted(per))
        case TradePrice(sides=(side,)):
            return Gain(effect.kind, effect, side=side)
        case TradePrice():
            return Gain(effect.kind, effect, side="both")
    return Gain(effect.kind, effect)


def _counted(per: Per) -> Counted:
    whose: dict[int, Literal["own", "neighbours", "all"]] = {1: "own", 2: "neighbours", 3: "all"}
    of = whose[len(per.of)]
    match per:
        case Cards(colors):
            return Counted("cards", colors, of)
        case Stages():
            return Counted("stages", (), of)
    return Counted("defeats", (), of)


def piece(copy: str) -> str:
    """Return the name of a physical card on a page: `garage-1-3`."""
    return copy.replace("#", "-")


class CardFace(NamedTuple):
    """A card with all that is told on it."""

    copy: str
    card: Card
    gains: tuple[Gain, ...]
    frees: list[Card]  # the cards that it makes free later


def unlocked(card: str) -> list[str]:
    """Return the names of the cards that a kind of card makes free later."""
    return [CARDS[other].name for other in CARDS[card].unlocks]


def face(copy: str) -> CardFace:
    card = kind(copy)
    return CardFace(copy, card, gains(card.effects), [kind(other) for other in card.unlocks])
