"""Faults planted in games on purpose, each as an author might make it."""

from typing import Any, NamedTuple

from strifebarge.fuzz.law import Law
from strifebarge.rules import Game


class Fault(NamedTuple):
    """A game with one fault, and the laws by which it may be found."""

    rules: type[Game[Any]]
    laws: tuple[Law, ...]
    quick: bool = False  # found within a few games
    beyond: str = ""  # why nothing can find it that does not know the rules

    @property
    def name(self) -> str:
        return f"{self.rules.__module__.rpartition('.')[2]}: {self.rules.__name__}"

    @property
    def what(self) -> str:
        return (self.rules.__doc__ or "").splitlines()[0]


FAULTS: list[Fault] = []


def fault(*laws: Law, quick: bool = False, beyond: str = "") -> Any:
    """Plant this game among the faults; without laws it is said why nothing finds it."""

    def plant(rules: type[Game[Any]]) -> type[Game[Any]]:
        FAULTS.append(Fault(rules, laws, quick, beyond))
        return rules

    return plant


def all_faults() -> list[Fault]:
    """Those of all modules."""
    from . import cards, hands, market, passing, sea, workshop  # noqa: F401 - each plants its own

    return FAULTS


def sound() -> list[type[Game[Any]]]:
    """Games with nothing planted, in which nothing is to be found."""
    from games.eights.rules import CrazyEights
    from games.rps.rules import RockPaperScissors

    from .market import Market
    from .passing import Passing
    from .workshop import Workshop

    return [CrazyEights, RockPaperScissors, Market, Passing, Workshop]
