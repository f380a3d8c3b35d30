"""Production: the resources a company gives, and whether they are enough.

Whether some setting of the choice slots gives all that is needed is a question of
Hall's: it does if for every set of resources the slots that can give any of them
give together no less than is needed of them together.  There are seven resources,
so 128 such sets, each a number whose bits are the resources in it.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from operator import add, le, sub
from typing import NamedTuple

from .cards import Effect, Produce, ProduceOneOf, Resource

RESOURCES = tuple(Resource)
SETS = range(1 << len(RESOURCES))

Units = tuple[int, ...]  # how many units of each resource, in their order
Reach = tuple[int, ...]  # for each set of resources, how many units there are of them together

NOTHING: Units = (0,) * len(RESOURCES)


class Slot(NamedTuple):
    """A source of some units of one resource, or of one unit of one of several."""

    amount: int
    resources: tuple[Resource, ...]

    @property
    def bits(self) -> int:
        return sum(1 << RESOURCES.index(resource) for resource in self.resources)


Slots = tuple[Slot, ...]


def slots_of(resource: Resource, effects: Iterable[Effect], sold: bool = False) -> Slots:
    """Return the starting resource's slot and one for each effect that produces; or only those for sale."""
    return _slots(resource, tuple(effects), sold)


@lru_cache(4096)
def _slots(resource: Resource, effects: tuple[Effect, ...], sold: bool) -> Slots:
    return tuple(_each_slot(resource, effects, sold))


def _each_slot(resource: Resource, effects: Iterable[Effect], sold: bool) -> Iterator[Slot]:
    yield Slot(1, (resource,))
    for effect in effects:
        match effect:
            case Produce() if effect.sold or not sold:
                yield Slot(effect.amount, (effect.resource,))
            case ProduceOneOf() if effect.sold or not sold:
                yield Slot(1, effect.resources)


def units(amounts: Mapping[Resource, int]) -> Units:
    return tuple([amounts.get(resource, 0) for resource in RESOURCES]) if amounts else NOTHING


def amounts(units: Units) -> dict[Resource, int]:
    """Return units by the names of their resources, without those of which there is none."""
    return {resource: n for resource, n in zip(RESOURCES, units, strict=True) if n}


def plus(one: Units, other: Units) -> Units:
    return tuple(map(add, one, other))


def minus(one: Units, other: Units) -> Units:
    return tuple(map(sub, one, other))


@lru_cache(4096)
def reach(slots: Slots) -> Reach:
    """Return what slots can give of each set of resources."""
    return tuple(map(sum, zip(*map(_reach, slots), strict=True))) if slots else (0,) * len(SETS)


@lru_cache(4096)
def _reach(slot: Slot) -> Reach:
    return tuple([slot.amount if slot.bits & each else 0 for each in SETS])


@lru_cache(4096)
def together(units: Units) -> Reach:
    """Return how many units there are of each set of resources."""
    sums = [0]
    for n in units:
        sums += [n + each for each in sums]
    return tuple(sums)


def _reach_with(slots: Slots, bought: Units) -> Iterable[int]:
    """Return what slots and what is bought can give together of each set of resources."""
    return map(add, reach(slots), together(bought)) if any(bought) else reach(slots)


@lru_cache(4096)
def enough(slots: Slots, need: Units, bought: Units = NOTHING) -> bool:
    """Tell whether the slots and what is bought meet the need, the choice slots set to fit."""
    return all(map(le, together(need), _reach_with(slots, bought)))


@lru_cache(4096)
def short(slots: Slots, need: Units, bought: Units = NOTHING) -> int:
    """Return the smallest number of units that is missing."""
    missing: Iterable[int] = map(sub, together(need), _reach_with(slots, bought))
    return max(missing)


@lru_cache(4096)
def shortfalls(slots: Slots, need: Units) -> tuple[Units, ...]:
    """Return the purchases that meet a need with nothing superfluous.

    All such purchases are of the same size: what the slots can give of a need is a
    matroid, and what is left of it when they give as much as they can has one size.
    """
    size = short(slots, need)
    ways = product(*(range(min(n, size) + 1) for n in need))
    return tuple(way for way in ways if sum(way) == size and enough(slots, need, way))


@lru_cache(4096)
def missing(slots: Slots, need: Units, bought: Units = NOTHING) -> Units:
    """Return the part of a need that is not met, the later resources rather than the earlier."""
    met = list(NOTHING)
    for nth, n in enumerate(need):
        while met[nth] < n and enough(slots, (*met[:nth], met[nth] + 1, *met[nth + 1 :]), bought):
            met[nth] += 1
    return minus(need, tuple(met))
