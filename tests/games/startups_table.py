"""Positions of 7 Startups laid out in the rules' own shorthand: `Ogle A, 6 funds, [brogrammer-1]`."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from games.startups.cards import kind
from games.startups.rules import Build, Copy, Discard, Stage, Startups, Take
from strifebarge.rules import Action, Hidden
from strifebarge.rules.notation import from_json
from strifebarge.rules.testing import Tabletop

KINDS = (Build, Stage, Discard, Take, Copy)
P, L, R = 0, 1, 2  # the player looked at, and with three players the neighbours
SPARE = "private-cloud-1#3"  # a card in everybody's hand, to be discarded when nothing else is to happen


class Has(Struct):
    """What one player has; the rest of a company is as at the beginning."""

    company: str
    funds: int = 3
    cards: Iterable[str] = ()
    stages: int = 0
    hand: Iterable[str] = ()
    tokens: Iterable[int] = ()


def copy_of(card: str) -> str:
    """A physical copy of a kind of card, unless one is named already."""
    return card if "#" in card else f"{card}#{(kind(card).copies or (0,))[0]}"


def copies_of(cards: Iterable[str]) -> list[str]:
    return [copy_of(card) for card in cards]


def laid(*players: Has, age: int = 1, turn: int = 1, pile: Iterable[str] = (), **more: Any) -> Tabletop:
    """A position, seat by seat round the ring."""

    def arrange(game: Startups) -> None:
        game.ring = list(range(len(players)))
        game.age, game.turn = age, turn
        game.decks = game.decks[age - 1 :]
        game.pile = Hidden(sorted(copies_of(pile)))
        for founder, has in zip(game.seats, players, strict=True):
            founder.company, founder.side = has.company.lower().split()[0], has.company[-1]
            founder.funds, founder.stages = has.funds, has.stages
            founder.built, founder.tokens = copies_of(has.cards), list(has.tokens)
            founder.hand = Hidden(copies_of(has.hand) or [SPARE] * (8 - turn))
        for name, value in more.items():
            setattr(game, name, value)

    return Tabletop(Startups, len(players), arrange=arrange)


def bought(left: dict[str, int] | None = None, right: dict[str, int] | None = None) -> dict[str, Any]:
    return {side: amounts for side, amounts in (("left", left), ("right", right)) if amounts}


def choice(do: str, card: str, free_build: bool = False, **buy: dict[str, int]) -> Action:
    """A choice in the rules' neutral form, read as a program would send it."""
    raw: dict[str, Any] = {"do": do, "card": copy_of(card)}
    if free_build:
        raw["free_build"] = True
    if buy:
        raw["buy"] = buy
    return from_json(raw, KINDS)


def build(card: str, free_build: bool = False, **buy: dict[str, int]) -> Action:
    return choice("build", card, free_build, **buy)


def stage(card: str = SPARE, free_build: bool = False, **buy: dict[str, int]) -> Action:
    return choice("stage", card, free_build, **buy)


def discard(card: str = SPARE, free_build: bool = False, **buy: dict[str, int]) -> Action:
    return choice("discard", card, free_build, **buy)


def all_choose(at: Tabletop, **chosen: Action) -> Tabletop:
    """A turn: P, L and R as named, everybody else discards the first card of their hand."""
    named = {"PLR".index(name): action for name, action in chosen.items()}
    for seat in at.match.waiting_for():
        at.plays(seat, named.get(seat) or Discard(at.game.seats[seat].hand[0]))
    return at


def why(at: Tabletop, seat: int, action: Action) -> str:
    """The code with which it is refused; "" if it is accepted."""
    refusal = at.refused(seat, action)
    return refusal.name.lower() if refusal else ""


def menu(at: Tabletop, seat: int, do: type = Build, card: str = "") -> list[Any]:
    """What may be chosen of one kind, for one card: the purchases, in the order they are offered."""
    offers = [each for each in at.match.offers(seat) if isinstance(each, do)]
    return [each.buy for each in offers if not card or each.card == copy_of(card)]
