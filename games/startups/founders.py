"""A player: a company with its stages, cards, funds and tokens."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct

from strifebarge.rules import Hidden, Seat, hidden

from .cards import COMPANIES, Card, Company, CompanyStage, Effect, FreeBuild, Poaching, Side, kind
from .production import Slots, slots_of
from .trade import Market, Purchases, prices

E = TypeVar("E", bound=Effect)


class Deed(Struct, frozen=True):
    """A player's act in the last turn, as everybody may know it."""

    act: Literal["build", "stage", "discard", "take"]
    card: str = ""  # the built one; never what was discarded, or put under a stage
    stage: int = 0
    free: Literal["", "chain", "free_build"] = ""
    buy: Purchases = Purchases()
    paid: int = 0
    gained: int = 0


class Founder(Seat):
    company: str = ""
    side: Literal["A", "B"] = "A"
    stages: int = 0
    built: list[str] = []
    funds: int = 0
    tokens: list[int] = []
    hand: Hidden[str] = hidden()
    under: Hidden[str] = hidden()  # the cards under the stages, which have left the game
    freed: int = 0  # the age in which a card was last built by the free build
    copied: str = ""  # the neighbour's community whose effects count at the end
    last: list[Deed] = []  # since the turn began

    @property
    def profile(self) -> Company:
        return COMPANIES[self.company]

    @property
    def all_stages(self) -> tuple[CompanyStage, ...]:
        return self.profile.stages(self.side)

    @property
    def next_stage(self) -> CompanyStage | None:
        stages = self.all_stages
        return stages[self.stages] if self.stages < len(stages) else None

    @property
    def cards(self) -> list[Card]:
        """The built cards, in the order they were built."""
        return [kind(copy) for copy in self.built]

    @property
    def names(self) -> frozenset[str]:
        """The names of the built cards."""
        return _names(tuple(self.built))

    @property
    def unlocked(self) -> frozenset[str]:
        """The kinds of cards that the built ones make free."""
        return _unlocked(tuple(self.built))

    @property
    def works(self) -> "Works":
        """All that has been built."""
        return Works(self.company, self.side, self.stages, tuple(self.built))

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of built cards and stages, without those of a copied community."""
        return self.works.effects

    def owns(self, effect: type[E]) -> Iterator[E]:
        """Yield this player's effects of one kind."""
        return (each for each in self.effects if isinstance(each, effect))

    @property
    def strength(self) -> int:
        return sum(each.strength for each in self.owns(Poaching))

    def may_build_free(self, age: int) -> bool:
        """Tell whether a free build is left in this age."""
        return self.freed != age and any(age in each.ages for each in self.owns(FreeBuild))


@lru_cache(4096)
def _names(built: tuple[str, ...]) -> frozenset[str]:
    return frozenset(kind(copy).name for copy in built)


@lru_cache(4096)
def _unlocked(built: tuple[str, ...]) -> frozenset[str]:
    return frozenset(other for copy in built for other in kind(copy).unlocks)


class Works(NamedTuple):
    """The stages and cards that a company has built: what it makes and sells follows from them."""

    company: str
    side: Literal["A", "B"]
    stages: int
    built: tuple[str, ...]

    @property
    def effects(self) -> tuple[Effect, ...]:
        """The effects of all cards and stages."""
        return _effects(self)

    @property
    def slots(self) -> Slots:
        """The slots of what it makes."""
        return _slots(self, False)


@lru_cache(4096)
def _effects(works: Works) -> tuple[Effect, ...]:
    done = COMPANIES[works.company].stages(works.side)[: works.stages]
    of_cards, of_stages = (kind(copy).effects for copy in works.built), (stage.effects for stage in done)
    return tuple(chain.from_iterable(chain(of_cards, of_stages)))


@lru_cache(4096)
def _slots(works: Works, sold: bool) -> Slots:
    return slots_of(COMPANIES[works.company].resource, works.effects, sold)


@lru_cache(4096)
def market_between(seller: Works, buyer: Works, side: Side) -> Market:
    """Return what the neighbour on one side of a buyer sells, and at which prices."""
    return Market(_slots(seller, True), prices(side, buyer.effects))
