"""Counting: income, and the score sheet with its seven lines."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, Protocol

from .cards import (
    RULES,
    Card,
    Cards,
    Category,
    Defeats,
    Effect,
    Funds,
    Per,
    Points,
    Research,
    ResearchWild,
    Stages,
    Symbol,
    Whose,
    kind,
)
from .founders import Founder, Works

Neighbourhood = Mapping[Whose, Founder]  # a player, and the two beside them

BESIDE: tuple[Whose, ...] = ("self", "left", "right")


class Counting(Protocol):
    """The things that effects count at a company."""

    @property
    def cards(self) -> Sequence[Card]: ...
    @property
    def stages(self) -> int: ...
    @property
    def tokens(self) -> Sequence[int]: ...


class Tally(NamedTuple):
    """All of a company that points depend on, its neighbours' too."""

    works: Works
    tokens: tuple[int, ...]

    @classmethod
    def of(cls, founder: Founder) -> "Tally":
        """Return it as it is now."""
        return cls(founder.works, tuple(founder.tokens))

    @property
    def stages(self) -> int:
        """The number of stages built."""
        return self.works.stages

    @property
    def cards(self) -> list[Card]:
        """The built cards."""
        return [kind(copy) for copy in self.works.built]


def counted(per: Per | None, near: Mapping[Whose, Counting]) -> int:
    """Return how often an effect counts; once, if it does not say."""
    match per:
        case None:
            return 1
        case Cards(colors, of):
            return sum(card.color in colors for each in of for card in near[each].cards)
        case Stages(of):
            return sum(near[each].stages for each in of)
        case Defeats(of):
            return sum(token < 0 for each in of for token in near[each].tokens)


def income(effects: Iterable[Effect], near: Neighbourhood) -> int:
    """Return the funds that effects pay out when they are built."""
    paid = (each for each in effects if isinstance(each, Funds))
    return sum(each.amount * counted(each.per, near) for each in paid)


def score_sheet(near: Neighbourhood) -> dict[Category, int]:
    """Return the points of each line; a running score leaves out only the copied community."""
    own, left, right = (Tally.of(near[each]) for each in BESIDE)
    return {**_score_sheet(own, left, right, near["self"].funds, near["self"].copied)}


def score_sheets(ring: Sequence[Founder]) -> list[dict[Category, int]]:
    """Return the points of each line for all, as they sit: the left neighbour of each is the next one."""
    tallies = [Tally.of(founder) for founder in ring]
    lefts, rights = [*tallies[1:], tallies[0]], [tallies[-1], *tallies[:-1]]
    return [
        {**_score_sheet(own, left, right, founder.funds, founder.copied)}
        for founder, own, left, right in zip(ring, tallies, lefts, rights, strict=True)
    ]


@lru_cache(4096)  # a page tells it at four places, and all seven pages of a turn do
def _score_sheet(own: Tally, left: Tally, right: Tally, funds: int, copied: str) -> dict[Category, int]:
    near: Mapping[Whose, Counting] = dict(zip(BESIDE, (own, left, right), strict=True))
    effects = [*own.works.effects, *(kind(copied).effects if copied else ())]
    sheet = dict.fromkeys(Category, 0)
    sheet[Category.POACHING] = sum(own.tokens)
    sheet[Category.FUNDING] = funds // RULES.funds_per_point
    sheet[Category.RESEARCH] = research(effects)
    for effect in effects:
        if isinstance(effect, Points):
            sheet[effect.category] += effect.amount * counted(effect.per, near)
    return sheet


def symbols(effects: Iterable[Effect]) -> dict[Symbol, int]:
    """Return how many there are of each symbol, without the wild ones."""
    counts = Counter(each.symbol for each in effects if isinstance(each, Research))
    return {symbol: counts[symbol] for symbol in Symbol}


def research(effects: Iterable[Effect]) -> int:
    """Return the points for symbols, each wild one as the kind that gives the most."""
    return _research(tuple(effects))


@lru_cache(4096)
def _research(effects: tuple[Effect, ...]) -> int:
    wild = sum(isinstance(each, ResearchWild) for each in effects)
    return best_research(tuple(symbols(effects).values()), wild)


@lru_cache(1024)
def best_research(numbers: tuple[int, ...], wild: int = 0) -> int:
    """Return the most points for these numbers of the three symbols and a number of wild ones."""
    return max(
        research_points([n + chosen.count(nth) for nth, n in enumerate(numbers)])
        for chosen in combinations_with_replacement(range(len(numbers)), wild)
    )


def research_points(numbers: Iterable[int]) -> int:
    """Return the sum of the squares of the three numbers, and a bonus for each set of three symbols."""
    numbers = list(numbers)
    return sum(n * n for n in numbers) + RULES.research_set_bonus * min(numbers)
