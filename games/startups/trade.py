"""Purchases from the two neighbours: what they cost, and every way to pay that is allowed."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from operator import mul
from typing import NamedTuple, get_args

from msgspec import Struct

from .cards import RULES, Count, Effect, Resource, Side, TradePrice
from .production import (
    NOTHING,
    RESOURCES,
    Slot,
    Slots,
    Units,
    amounts,
    enough,
    minus,
    reach,
    short,
    shortfalls,
    units,
)

SIDES: tuple[Side, ...] = get_args(Side)

Prices = tuple[int, ...]  # of a unit of each resource, in their order


class Purchases(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The units of each resource bought of the left neighbour, and of the right one."""

    left: dict[Resource, Count] = {}
    right: dict[Resource, Count] = {}

    def of(self, side: Side) -> dict[Resource, int]:
        return self.left if side == "left" else self.right

    def units(self, side: Side) -> Units:
        return units(self.of(side))

    def __bool__(self) -> bool:
        return bool(self.left or self.right)


class Market(NamedTuple):
    """A neighbour's goods for sale, with the prices for one buyer."""

    slots: Slots
    prices: Prices

    def price(self, bought: Units) -> int:
        return sum(map(mul, bought, self.prices))

    def price_of(self, slot: Slot) -> int:
        """Return the price of a unit out of a slot; all its resources have one price."""
        return self.price_of_one(slot.resources[0])

    def price_of_one(self, resource: Resource) -> int:
        return self.prices[RESOURCES.index(resource)]

    @property
    def supply(self) -> dict[Resource, int]:
        """The most units there are of each resource, taken by itself."""
        return amounts(tuple(reach(self.slots)[1 << nth] for nth in range(len(RESOURCES))))


class Markets(NamedTuple):
    """The markets of both neighbours."""

    left: Market
    right: Market

    def of(self, side: Side) -> Market:
        return self.left if side == "left" else self.right

    def price(self, buy: Purchases) -> int:
        """Return the price of all units on both sides, in funds."""
        return sum(self.of(side).price(buy.units(side)) for side in SIDES)


@lru_cache(4096)
def prices(side: Side, effects: tuple[Effect, ...]) -> Prices:
    """Return the price of each resource from one side; of several effects the best price counts."""
    deals = [deal for deal in effects if isinstance(deal, TradePrice) and side in deal.sides]
    return tuple(
        min([RULES.trade_price, *(deal.price for deal in deals if resource in deal.resources)])
        for resource in RESOURCES
    )


@lru_cache(4096)
def ways(own: Slots, need: Units, markets: Markets) -> tuple[tuple[int, Purchases], ...]:
    """Return the sets of purchases that just meet a need, each with its price, cheapest first."""
    deals = [
        (markets.left.price(left) + markets.right.price(right), -sum(left), left, right)
        for bought in shortfalls(own, need)
        for left, right in _shared_out(bought, markets)
    ]
    return tuple((price, Purchases(amounts(left), amounts(right))) for price, _, left, right in sorted(deals))


def _shared_out(bought: Units, markets: Markets) -> Iterator[tuple[Units, Units]]:
    """Yield every way to buy this much of the two neighbours together."""
    for left in product(*(range(n + 1) for n in bought)):
        right = minus(bought, left)
        if enough(markets.left.slots, left) and enough(markets.right.slots, right):
            yield left, right


@lru_cache(4096)
def nearest(own: Slots, need: Units, markets: Markets) -> Purchases:
    """Return what can be bought of a need that cannot be met, to show what nobody has."""
    bought = {side: list(NOTHING) for side in SIDES}
    for nth in range(len(RESOURCES)):
        for side in SIDES:
            while _helps(own, need, markets, bought, side, nth):
                bought[side][nth] += 1
    left, right = (amounts(tuple(bought[side])) for side in SIDES)
    return Purchases(left, right)


def _helps(
    own: Slots, need: Units, markets: Markets, bought: dict[Side, list[int]], side: Side, nth: int
) -> bool:
    """Tell whether one more unit can be bought there, and leaves less of the need unmet."""
    more = [*bought[side]]
    more[nth] += 1
    before = tuple(map(sum, zip(*bought.values(), strict=True)))
    after = (*before[:nth], before[nth] + 1, *before[nth + 1 :])
    sells = enough(markets.of(side).slots, tuple(more))
    return sells and short(own, need, after) < short(own, need, before)
