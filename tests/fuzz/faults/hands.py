"""Faults in Rock-Paper-Scissors."""

from games.rps.rules import RockPaperScissors, Throw, Thrower
from strifebarge.fuzz.law import Law

from . import fault

__all__ = ["Throw"]


@fault(Law.ENDLESS)
class DrawsForEver(RockPaperScissors):
    """Where ties count, a throw that is drawn counts for nobody, and the match has no end."""

    @property
    def decided(self) -> bool:
        return self.options.ties == "again" and super().decided


@fault(Law.CRASH)
class ThirdDrawBreaks(RockPaperScissors, kw_only=True):
    """The third drawn throw in a row was never thought of."""

    drawn: int = 0

    def draw(self, white: Thrower, black: Thrower) -> None:
        super().draw(white, black)
        self.drawn += 1
        if self.drawn == 3:
            raise ValueError("three")
