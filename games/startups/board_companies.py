"""Companies as one viewer sees them: what they make, sell and have built, and their points."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Literal, NamedTuple

from .board_cards import Gain, View, gains
from .cards import Card, Color, Cost, Side, kind
from .founders import Deed, Founder
from .production import Slot, Slots
from .rules import Startups

Beside = Literal["", "left", "right"]  # the viewer


class Sale(NamedTuple):
    """The sales of a neighbour to the viewer, and the price of one."""

    slot: Slot
    price: int


class Done(NamedTuple):
    """Something done in the last turn, and with which card, as far as everybody knows it."""

    deed: Deed
    card: Card | None


class Level(NamedTuple):
    """A stage of a company."""

    number: int
    built: bool
    cost: Cost
    gains: tuple[Gain, ...]
    under: Card | None  # the card under it, as far as the viewer may see it


class Built(NamedTuple):
    """A built card."""

    card: Card
    gains: tuple[Gain, ...]


class Firm(NamedTuple):
    """A company as the viewer sees it."""

    founder: Founder
    beside: Beside
    mine: bool
    small: bool  # drawn so, for the viewer does not deal with it
    tokens: list[str]  # of poaching: `+3`, `−1`
    total: int | None  # of points, where it is shown
    cards: int  # in hand
    production: Slots
    sales: list[Sale]  # to the viewer
    last: list[Done]
    copied: Card | None
    copies: list[str]  # the built cards, by colour and name

    @property
    def under(self) -> tuple[str, ...]:
        """The kind of the card under each built stage; "" where it may not be seen."""
        under: list[str | None] = [*self.founder.under]
        return tuple(kind(copy).id if copy else "" for copy in under)

    @property
    def deeds(self) -> list[tuple[Any, ...]]:
        """The deeds of the last turn in plain values, as `done` in `cells.html` is given them."""
        return [_as_drawn(each) for each in self.last]

    @property
    def stages(self) -> list[Level]:
        """The stages, built or not."""
        return [*_levels(self.founder)]

    @property
    def built(self) -> list[Built]:
        """The built cards, by colour and name."""
        return [_built(kind(copy)) for copy in self.copies]

    @property
    def colors(self) -> list[list[Built]]:
        """The built cards, a list for each colour, in the order they were built."""
        return _by_color(self.founder)


def totals_shown(view: View) -> dict[int, int]:
    """Return the points of each seat; nothing while they are not shown."""
    if view.result is None and not view.game.options.running:
        return {}
    return {seat: sum(sheet.values()) for seat, sheet in view.game.sheets.items()}


def firm_of(
    view: View, totals: Mapping[int, int], founder: Founder, beside: Beside = "", small: bool = False
) -> Firm:
    game = view.game
    return Firm(
        founder=founder,
        beside=beside,
        mine=founder is view.you,
        small=small,
        tokens=[*map(signed, founder.tokens)],
        total=totals.get(founder.number),
        cards=len(founder.hand),
        production=game.production(founder),
        sales=_sales(game, view.you, beside) if view.you and beside else [],
        last=[Done(each, kind(each.card) if each.card else None) for each in founder.last],
        copied=kind(founder.copied) if founder.copied else None,
        copies=game.shown(founder.built),
    )


def _sales(game: Startups, you: Founder, side: Side) -> list[Sale]:
    market = game.market(you, side)
    return [Sale(slot, market.price_of(slot)) for slot in market.slots]


def _as_drawn(done: Done) -> tuple[Any, ...]:
    deed = done.deed
    return deed.act, done.card.id if done.card else "", deed.stage, deed.free, deed.paid, deed.gained


def _levels(founder: Founder) -> Iterator[Level]:
    under: list[str | None] = [*founder.under]  # None: it may not be seen
    for nth, stage in enumerate(founder.all_stages):
        built = nth < founder.stages
        card = under[nth] if built and nth < len(under) else None
        yield Level(nth + 1, built, stage.cost, gains(stage.effects), kind(card) if card else None)


def _built(card: Card) -> Built:
    return Built(card, gains(card.effects))


def _by_color(founder: Founder) -> list[list[Built]]:
    order = [*Color]
    cards = sorted(founder.cards, key=lambda card: order.index(card.color))
    return [[*map(_built, alike)] for _, alike in groupby(cards, key=lambda card: card.color)]


def signed(n: int) -> str:
    """Return a number of points with its sign: `+3`, `−1`."""
    return f"{n:+}".replace("-", "−") if n else "0"
