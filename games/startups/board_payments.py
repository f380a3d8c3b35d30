"""Payments as the board shows them: what a card or a stage costs now, and every way to pay for it."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from strifebarge.rules import Refused

from .board_cards import View
from .cards import Card, Cost, Resource, Side, kind
from .choices import Choice, Position, Way, cost_of, to_build, to_stage
from .founders import Founder
from .production import Slots, amounts, missing, plus, units
from .reasons import Why
from .rules import Startups
from .trade import SIDES, Purchases

Do = Literal["build", "stage"]


class Bought(NamedTuple):
    """The purchases from a neighbour."""

    goods: dict[Resource, int]
    seller: Founder
    price: int


class Payment(NamedTuple):
    """A choice and what it costs, or why it may not be made."""

    choice: Choice
    price: int
    free_build: bool
    bought: list[Bought]
    refused: Refused | None


class Lack(NamedTuple):
    """The resources that a choice still needs, and how many of each."""

    resources: tuple[Resource, ...]
    numbers: tuple[int, ...]


class Price(NamedTuple):
    """The line on a compact card that tells what building it costs."""

    state: Literal["free", "pay", "lack", "poor", "built"]
    funds: int
    sides: tuple[Side, ...]  # where something is bought
    lack: Lack | None


class Task(NamedTuple):
    """Building a card or a stage with it, in the cheapest way."""

    do: Do
    card: Card
    payment: Payment
    chain: Card | None  # the built card that makes it free
    own: bool  # all that it costs is produced by the viewer's own company
    lack: Lack | None  # what nobody can deliver
    ways: int  # how many there are to pay for it
    more: bool  # its other ways, or what it lacks, are told on a page of their own
    pick: str  # what that page is called: `build garage-1#3`

    @property
    def price(self) -> Price:
        """The price in short, or why it cannot be paid."""
        refused, bought = self.payment.refused, self.payment.choice.buy
        state: Literal["free", "pay", "lack", "poor", "built"] = "pay" if self.payment.price else "free"
        if refused is not None:
            state = "lack" if self.lack else "poor" if refused.why is Why.NOT_ENOUGH_FUNDS else "built"
        sides = tuple(side for side in SIDES if bought.of(side))
        return Price(state, self.payment.price, sides, self.lack)


def payment_of(view: View, you: Founder, way: Way) -> Payment:
    offer, buy = view.offered(way.choice), way.choice.buy
    bought = [_bought(view.game, you, side, buy) for side in SIDES if buy.of(side)]
    refused = offer.refused if offer else None
    return Payment(way.choice, way.price, way.choice.free_build, bought, refused)


def _bought(game: Startups, you: Founder, side: Side, buy: Purchases) -> Bought:
    price = game.market(you, side).price(buy.units(side))
    return Bought(buy.of(side), game.beside(you, side), price)


def task_of(view: View, you: Founder, at: Position, do: Do, copy: str) -> Task:
    payable, card = payable_ways(at, do, copy), kind(copy)
    payment = payment_of(view, you, payable[0])
    short = payment.refused is not None and payment.refused.why is Why.NOT_ENOUGH_FUNDS
    chain = view.game.chain_to(you, card) if do == "build" else None
    nothing = do == "build" and not chain and not payment.price and not payment.free_build
    return Task(
        do=do,
        card=card,
        payment=payment,
        chain=chain,
        own=nothing and bool(card.cost.resources),
        lack=lack_of(at, payment),
        ways=len(payable),
        more=len(payable) > 1 or short,
        pick=f"{do} {copy}",
    )


def lack_of(at: Position, payment: Payment) -> Lack | None:
    """Return the resources that are missing for a payment; None where none is."""
    if payment.refused is None or payment.refused.why is not Why.CANNOT_AFFORD:
        return None
    bought = plus(payment.choice.buy.units("left"), payment.choice.buy.units("right"))
    lacking = amounts(missing(at.own, units(cost_of(at, payment.choice).resources), bought))
    return Lack(tuple(lacking), tuple(lacking.values()))


def payable_ways(at: Position, do: Do, copy: str) -> list[Way]:
    """Return every way to build this card or a stage with it, cheapest first; or what comes nearest."""
    return to_stage(at, copy) if do == "stage" else to_build(at, copy)


class Goods(NamedTuple):
    """A resource that a neighbour sells, and how much of it is of use."""

    resource: Resource
    price: int  # of one
    most: int


class Seller(NamedTuple):
    """A neighbour, and what may be bought there."""

    founder: Founder
    side: Side
    goods: list[Goods]


class Paying(NamedTuple):
    """One card, or the next stage with it, and every way to pay for it."""

    do: Do
    copy: str
    card: Card
    cost: Cost | None  # None where there is no next stage
    funds: int
    own: Slots  # what the viewer's company produces
    ways: list[Payment]
    sellers: list[Seller]  # none where nothing is to be bought


def paying_of(view: View, you: Founder, at: Position) -> Paying | None:
    """Return the card that was picked, or for which a payment was refused."""
    tried = " ".join("".join(view.filled.get(name, ())[:1]) for name in ("do", "card"))
    word, _, copy = (view.picked or tried).partition(" ")
    if copy not in at.hand or word not in ("build", "stage"):
        return None
    do: Do = "stage" if word == "stage" else "build"
    card = kind(copy)
    cost = at.stage if do == "stage" else card.cost
    free = do == "build" and view.game.chain_to(you, card)
    return Paying(
        do=do,
        copy=copy,
        card=card,
        cost=cost,
        funds=you.funds,
        own=at.own,
        ways=[payment_of(view, you, way) for way in payable_ways(at, do, copy)],
        sellers=[*_sellers(view.game, you, at, cost)] if cost and cost.resources and not free else [],
    )


def _sellers(game: Startups, you: Founder, at: Position, cost: Cost) -> Iterator[Seller]:
    for side in SIDES:
        market = at.markets.of(side)
        wanted = {each: n for each, n in market.supply.items() if each in cost.resources}
        goods = [
            Goods(each, market.price_of_one(each), min(n, cost.resources[each])) for each, n in wanted.items()
        ]
        yield Seller(game.beside(you, side), side, goods)
