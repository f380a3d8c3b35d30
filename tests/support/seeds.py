"""The chance of tests: the same in each run, unless the environment names another seed.

Every test draws from its own, which follows from the seed and its name, and so does every fixture that
several tests share: what is dealt does not depend on which tests are run, in which order, or by how many
processes.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from random import Random
from typing import Any

from strifebarge.tables.play.referee import Referee

VARIABLE = "STRIFEBARGE_TEST_SEED"
FIXED = "2012"

_chance = Random(FIXED)


def seed() -> str:
    """Return the seed of this run."""
    return os.environ.get(VARIABLE, FIXED)


def shuffle(names: Iterable[str]) -> dict[str, int]:
    """Return a place for each of these tests: folders, files and tests in another order with each seed.

    Without a seed in the environment the order is that of `names`.  Tests of one file stay together, and
    files of one folder, since they share what is made for them.
    """
    names = list(names)
    if VARIABLE not in os.environ:
        return {name: place for place, name in enumerate(names)}

    def lot(part: str) -> tuple[float, str]:
        return Random(f"{seed()} {part}").random(), part

    def lots(name: str) -> list[tuple[float, str]]:
        file = name.partition("::")[0]
        return [lot(file.rpartition("/")[0]), lot(file), lot(name)]

    return {name: place for place, name in enumerate(sorted(names, key=lots))}


def begin(name: str) -> None:
    """Begin the chance of a test."""
    _chance.seed(f"{seed()} {name}")


@contextmanager
def apart(name: str) -> Iterator[None]:
    """Let what is done in here, the making of a fixture, have its own chance."""
    before = _chance.getstate()
    begin(name)
    yield
    _chance.setstate(before)


def entropy(size: int) -> bytes:
    """Return bytes of the chance of the test that runs: a referee makes deals and codes of them."""
    return _chance.randbytes(size)


def seed_referees() -> None:
    """Have every referee that this process makes draw from the chance of the test that runs."""
    plain = Referee.__init__

    @wraps(plain)
    def seeded(self: Referee, *given: Any, **named: Any) -> None:
        plain(self, *given, **{"entropy": entropy, **named})

    Referee.__init__ = seeded  # type: ignore[method-assign]
