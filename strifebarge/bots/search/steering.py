"""Steering: chance that comes out as it did, as far as what a seat saw tells.

What was drawn is not told, only what came of it.  The numbers drawn are changed one by one, and a change is
kept where the game then looks more like what was seen.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from strifebarge.rules import Chance
from strifebarge.rules.playout import Playout

VALUES = 8  # of one draw that are tried at most
SIGN, SIGNS = 2.0, 4  # what a letter or digit of a word weighs that differs, and how many count

Settled = Mapping[tuple[str, int], int]  # by stream and number of the draw: what comes out


class Roll(NamedTuple):
    """The part of chance at one question: numbers that are settled, and a seed for all others."""

    seed: str
    settled: Settled = {}


class DrawnNumber(NamedTuple):
    """One number that was drawn: from which stream, as its how manieth, below how many, and which."""

    stream: str
    number: int
    below: int
    value: int


class SteeredChance(Chance):
    """Chance of which some numbers are settled beforehand; it notes all that is drawn."""

    def __init__(
        self, roll: Roll, drawn: dict[str, int], name: str = "", noted: list[DrawnNumber] | None = None
    ):
        super().__init__(roll.seed, drawn, name)
        self.settled = roll.settled
        self.noted: list[DrawnNumber] = [] if noted is None else noted

    def stream(self, name: str) -> "SteeredChance":
        """Return a stream of its own, from the same seed and settled numbers."""
        return SteeredChance(Roll(self.seed, self.settled), self.drawn, name, self.noted)

    def roll(self, roll: Roll) -> None:
        """Go on by this roll, and forget what was noted."""
        self.seed, self.settled = roll.seed, roll.settled
        self.noted.clear()

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1: the settled one, if there is one that fits."""
        number = self.drawn.get(self.name, 0) + 1
        value = self.settled.get((self.name, number), n)
        if value < n:
            self.drawn[self.name] = number
        else:
            value = super().below(n)
        self.noted.append(DrawnNumber(self.name, number, n, value))
        return value


class Trial(NamedTuple):
    """The outcome of a roll: the game as it stands then, how it looks, and what was drawn."""

    roll: Roll
    playout: Playout
    view: bytes
    drawn: list[DrawnNumber]


def steer(first: Trial, target: bytes, attempt: Callable[[Roll], Trial | None]) -> Trial:
    """Return the trial that looks most like what is wanted, beginning with one and changing its draws.

    `attempt` carries out a roll; it returns None where no more may be tried.
    """
    best, distance = first, difference(first.view, target)
    index = 0
    while distance and index < len(best.drawn):
        for roll in _changed(best, index):
            if (trial := attempt(roll)) is None:
                return best
            if (other := difference(trial.view, target)) < distance:
                best, distance = trial, other
        index += 1
    return best


def _changed(trial: Trial, index: int) -> Iterator[Roll]:
    """Yield rolls in which one draw comes out otherwise, and all others as they did where they still can."""
    settled = {(draw.stream, draw.number): draw.value for draw in trial.drawn}
    draw = trial.drawn[index]
    for more in range(1, min(draw.below, VALUES)):
        other = (draw.value + more) % draw.below
        yield Roll(trial.roll.seed, {**settled, (draw.stream, draw.number): other})


def difference(one: bytes, other: bytes) -> float:
    """Return in how much two views differ: in how many words and numbers, and a little by how far."""
    return 0.0 if one == other else _apart(msgspec.json.decode(one), msgspec.json.decode(other))


def _apart(one: Any, other: Any) -> float:
    if one == other:
        return 0.0
    match one, other:
        case dict(), dict():
            return sum(_apart(one.get(name), other.get(name)) for name in {**one, **other})
        case list(), list():
            same = sum(map(_apart, one, other))
            return same + abs(len(one) - len(other))
        case str(), str():
            # Dice that are shown say more of what was drawn than what comes of them.
            signs = sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
            return SIGN * min(signs, SIGNS)
        case int() | float(), int() | float():
            return 1 - 1 / (2 + abs(one - other))
        case (dict() | list(), _) | (_, dict() | list()):
            return 2.0
    return 1.0
