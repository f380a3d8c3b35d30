"""The choices for a card of the hand, and the one judgement of them.

The refusal of a form, the reasons on greyed buttons, the menu of what may be chosen
and the empty chairs all go by `against`, which sees nothing but a Position: how things
stood for one player when the turn began.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

from msgspec import Struct, structs

from strifebarge.rules import Action, Refused, Seat, Text

from .cards import CARDS, Card, Cost, Resource, Side, kind
from .production import Slots, Units, amounts, enough, missing, plus, units
from .reasons import Why
from .trade import SIDES, Markets, Purchases, nearest, ways


def goods(amounts: dict[Resource, int]) -> list[Text]:
    """Return amounts in words, `2 finance, operations`: 1 is left out, for a name may be a plural."""
    return [
        Text("{n} {resource}", {"n": n, "resource": resource}) if n > 1 else Text(resource)
        for resource, n in amounts.items()
    ]


class Choice(Action):
    """A choice: what to do with a card of the hand, and what to buy for it."""

    card: str
    free_build: bool = False
    buy: Purchases = Purchases()

    @property
    def words(self) -> Text:
        what = Text(self.label, {"card": named(self.card)})
        match [*goods(self.buy.left)], [*goods(self.buy.right)]:
            case [], []:
                return Text("{what} (free build)", {"what": what}) if self.free_build else what
            case left, []:
                return Text("{what}, buying {left} from the left", {"what": what, "left": left})
            case [], right:
                return Text("{what}, buying {right} from the right", {"what": what, "right": right})
            case left, right:
                bought = {"what": what, "left": left, "right": right}
                return Text("{what}, buying {left} from the left and {right} from the right", bought)


class Build(Choice):
    """Build a card of your hand."""

    label = "Build {card}"


class Stage(Choice):
    """Build the next stage of your company, with a card of your hand under it."""

    label = "Build the next stage with {card}"


class Discard(Choice):
    """Discard a card of your hand for funds."""

    label = "Discard {card}"


class Take(Action):
    "Take a card from the discard pile and build it for free."

    card: str

    label = "Take {card}"

    @property
    def words(self) -> Text:
        return Text(self.label, {"card": named(self.card)})


class Copy(Action):
    """Copy a community of a neighbour’s."""

    card: str

    label = "Copy {card}"

    @property
    def words(self) -> Text:
        return Text(self.label, {"card": named(self.card)})


def named(copy: str) -> Any:
    """Return the name of a card; what is no card, as it was written."""
    card = CARDS.get(copy.partition("#")[0])
    return card or copy[:40]


# -- how things stand for one player -----------------------------------------------


class Position(NamedTuple):
    """The facts a choice is judged by, as they were when the turn began."""

    hand: list[str]
    funds: int
    own: Slots
    markets: Markets
    neighbours: dict[Side, Seat]
    names: frozenset[str]  # of the built cards
    unlocked: frozenset[str]  # the kinds of cards that a chain makes free
    stage: Cost | None  # of the next one
    may_build_free: bool

    def unlocks(self, card: Card) -> bool:
        return card.id in self.unlocked

    def pays_alone(self, cost: Cost) -> bool:
        """Tell whether the player's own production pays the whole cost."""
        return not cost.funds and enough(self.own, units(cost.resources))


class Way(Struct, frozen=True):
    """One way to pay for a choice: its price in funds, the part for purchases, and the choice itself."""

    price: int
    trade: int
    choice: Choice


class Bill(NamedTuple):
    """The cost of a choice: all funds, the funds for each neighbour, and why it is free if it is."""

    choice: Choice
    price: int
    trade: dict[Side, int]
    free: Literal["", "chain", "free_build"]


# -- the judgement -----------------------------------------------------------------


def against(at: Position, choice: Choice) -> Refused | None:
    """Return why a choice is refused, the first reason in the order of the rules; or None."""
    if choice.card not in at.hand:
        return Why.CARD_NOT_IN_HAND(card=named(choice.card))
    card = kind(choice.card)
    match choice:
        case Build() if card.name in at.names:
            return Why.ALREADY_BUILT(card=card)
        case Stage() if at.stage is None:
            return Why.NO_STAGE_LEFT()
    if choice.free_build and (why := _against_free_build(at, choice, card)):
        return why
    if isinstance(choice, Discard) or choice.free_build or (isinstance(choice, Build) and at.unlocks(card)):
        return Why.PURCHASE_NOT_NEEDED() if choice.buy else None
    return _against_paying(at, cost_of(at, choice), choice.buy)


def cost_of(at: Position, choice: Choice) -> Cost:
    """Return the cost of the card or the stage that is built."""
    return at.stage if isinstance(choice, Stage) and at.stage else kind(choice.card).cost


def _against_free_build(at: Position, choice: Choice, card: Card) -> Refused | None:
    if not isinstance(choice, Build):
        return Why.FREE_BUILD_NOT_ALLOWED()
    if not at.may_build_free:
        return Why.FREE_BUILD_UNAVAILABLE()
    if at.unlocks(card) or at.pays_alone(card.cost):
        return Why.FREE_BUILD_NOT_NEEDED()
    return None


def _against_paying(at: Position, cost: Cost, buy: Purchases) -> Refused | None:
    for side in SIDES:
        if not enough(at.markets.of(side).slots, buy.units(side)):
            lacking = missing(at.markets.of(side).slots, buy.units(side))
            return Why.NEIGHBOR_CANNOT_SELL(seat=at.neighbours[side], goods=goods(amounts(lacking)))
    need, bought = units(cost.resources), plus(buy.units("left"), buy.units("right"))
    if not enough(at.own, need, bought):
        return Why.CANNOT_AFFORD(missing=goods(amounts(missing(at.own, need, bought))))
    if any(enough(at.own, need, less) for less in _one_less(bought)):
        return Why.PURCHASE_NOT_NEEDED()
    price = cost.funds + at.markets.price(buy)
    if price > at.funds:
        return Why.NOT_ENOUGH_FUNDS(price=price, funds=at.funds)
    return None


def _one_less(bought: Units) -> Iterator[Units]:
    """Yield the purchases that have one unit less."""
    for nth, n in enumerate(bought):
        if n:
            yield (*bought[:nth], n - 1, *bought[nth + 1 :])


def bill(at: Position, choice: Choice) -> Bill:
    """Return what an allowed choice costs."""
    chain = isinstance(choice, Build) and at.unlocks(kind(choice.card))
    nothing = chain or choice.free_build or isinstance(choice, Discard)
    trade = {side: at.markets.of(side).price(choice.buy.units(side)) for side in SIDES}
    price = sum(trade.values()) + (0 if nothing else cost_of(at, choice).funds)
    return Bill(choice, price, trade, "chain" if chain else "free_build" if choice.free_build else "")


# -- what there is to choose -------------------------------------------------------


def to_build(at: Position, copy: str) -> list[Way]:
    """Return every way to build a card, cheapest first; if there is none, the nearest to one."""
    card = kind(copy)
    if at.unlocks(card) or card.name in at.names:
        return [Way(0, 0, Build(copy))]
    payments = _paying(at, card.cost, Build(copy))
    free = Build(copy, free_build=True)
    return [*([] if against(at, free) else [Way(0, 0, free)]), *payments]


def to_stage(at: Position, copy: str) -> list[Way]:
    """Return every way to build the next stage with a card, cheapest first; or the nearest to one."""
    return _paying(at, at.stage, Stage(copy)) if at.stage else [Way(0, 0, Stage(copy))]


def _paying(at: Position, cost: Cost, choice: Choice) -> list[Way]:
    need = units(cost.resources)
    payments = ways(at.own, need, at.markets)
    if not payments:
        buy = nearest(at.own, need, at.markets)
        payments = ((at.markets.price(buy), buy),)
    priced = [Way(cost.funds + trade, trade, structs.replace(choice, buy=buy)) for trade, buy in payments]
    return [way for way in priced if way.price <= at.funds] or priced[:1]


def menu(at: Position) -> Iterator[Choice]:
    """Yield every choice; for a card or a stage that cannot be built, the one that shows why not."""
    for copy in at.hand:
        yield from (way.choice for way in to_build(at, copy))
        yield from (way.choice for way in to_stage(at, copy))
        yield Discard(copy)
