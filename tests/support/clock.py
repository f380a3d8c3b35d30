"""Clocks that tests set."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import time
from typing import Any
from unittest import mock

import time_machine

from strifebarge.tables.clock.site_time import Machine, StoredTime

Clock = time_machine.Traveller


class ByTheWall(Machine):
    """A machine that was booted in 1970: both its clocks say what `wall` says."""

    id = "by the wall"

    def __init__(self, wall: Callable[[], float] = time):
        self._wall = wall

    def wall(self) -> float:
        return self._wall()

    def uptime(self) -> float:
        return self._wall()


class WithoutClock:
    """A database whose own clock is not asked, so that a test's wall is all there is."""

    def __init__(self, store: Any):
        self.store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def known_time(self, machine: str) -> StoredTime:
        stored: StoredTime = self.store.known_time(machine)
        return stored._replace(reference=None)


@contextmanager
def standing_at(moment: float) -> Iterator[Clock]:
    """Stop the time at a moment, in seconds since 1970; `shift` of what this gives moves it on.

    It is the time of all that runs in this process, which a machine has been up for so long at.
    """
    with (
        time_machine.travel(moment, tick=False) as clock,
        mock.patch.object(Machine, "uptime", Machine.wall),
    ):
        yield clock
