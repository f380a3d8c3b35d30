"""A player: a company with its stages, cards, funds and tokens."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Literal, TypeVar

from msgspec import Struct

from strifebarge.rules import Hidden, Seat, hidden

from .cards import COMPANIES, Card, Company, CompanyStage, Effect, FreeBuild, Poaching, kind
from .trade import Purchases

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
    def effects(self) -> tuple[Effect, ...]:
        """The effects of built cards and stages, without those of a copied community."""
        return effects_of(self.company, self.side, self.stages, tuple(self.built))

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


@lru_cache(4096)
def effects_of(company: str, side: str, stages: int, built: tuple[str, ...]) -> tuple[Effect, ...]:
    """Return the effects of a company's built cards and stages."""
    done = COMPANIES[company].stages(side)[:stages]
    of_cards, of_stages = (kind(copy).effects for copy in built), (stage.effects for stage in done)
    return tuple(chain.from_iterable(chain(of_cards, of_stages)))
