"""Dice and shuffles that can be played again, and checked by anyone afterwards.

Draw number `c` of stream `s` is HMAC-SHA256(seed, "s:c"), read as a number of
256 bits, big end first.  A number below n is that block modulo n; a block at or
above the largest multiple of n is passed over.  Nothing here depends on the
random module, whose methods change between versions of Python.
"""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, TypeVar

T = TypeVar("T")
BLOCK = 1 << 256


class Draw(NamedTuple):
    """One number drawn: from which stream, by its block number what, below how many, and which it was."""

    stream: str
    number: int
    below: int
    value: int


_witness: ContextVar[list[Draw] | None] = ContextVar("witness", default=None)


@contextmanager
def witnessed() -> Iterator[list[Draw]]:
    """Record every draw that is made in here, in order.  What is played again is drawn, and recorded,
    again.
    """
    draws: list[Draw] = []
    before = _witness.set(draws)
    try:
        yield draws
    finally:
        _witness.reset(before)


class Chance:
    """Chance from a secret seed; what is drawn so far is counted, per stream.

    Streams are independent of each other: use one per seat where it must not
    matter who draws first (`self.chance.stream("deploy 0")`).
    """

    def __init__(self, seed: str = "", drawn: dict[str, int] | None = None, name: str = ""):
        self.seed = seed
        self.drawn = {} if drawn is None else drawn
        self.name = name

    def stream(self, name: str) -> "Chance":
        """Return a stream of its own, from the same seed."""
        return Chance(self.seed, self.drawn, name)

    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1, all equally likely.  Raises ValueError for n below 1."""
        if not 1 <= n <= BLOCK:
            raise ValueError("there must be something to choose from, and no more than 2 to the 256")
        while True:
            self.drawn[self.name] = drawn = self.drawn.get(self.name, 0) + 1
            digest = hmac.digest(self.seed.encode(), f"{self.name}:{drawn}".encode(), "sha256")
            block = int.from_bytes(digest, "big")
            if block < BLOCK - BLOCK % n:
                if (witness := _witness.get()) is not None:
                    witness.append(Draw(self.name, drawn, n, block % n))
                return block % n

    def die(self, sides: int = 6) -> int:
        """Roll a die whose sides are numbered from 1."""
        return self.below(sides) + 1

    def choice(self, things: Sequence[T]) -> T:
        """Draw one of the things, all equally likely."""
        return things[self.below(len(things))]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """Return the things in a new order (Fisher and Yates, from the end)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            pick = self.below(last + 1)
            order[last], order[pick] = order[pick], order[last]
        return order

    def sample(self, things: Iterable[T], count: int) -> list[T]:
        """Draw `count` of the things, or all if there are fewer, one by one; the last fills each gap."""
        left = list(things)
        drawn: list[T] = []
        while left and len(drawn) < count:
            pick = self.below(len(left))
            left[pick], left[-1] = left[-1], left[pick]
            drawn.append(left.pop())
        return drawn


@lru_cache(1024)  # every page of a table has it
def commitment(seed: str) -> str:
    """Return what is shown of a seed from the start: SHA-256 of its text, in hexadecimal."""
    return sha256(seed.encode()).hexdigest()
