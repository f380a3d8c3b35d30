"""The exceptions for everything that passes by itself, and the semaphore for what few threads do at once."""

from collections import deque
from threading import Lock
from types import TracebackType


class Busy(Exception):
    """Something the site needs does not answer in time, or not at all.  The same may be tried again."""


class Interrupted(Busy):
    """The database has ended a transaction, or its connection was lost: perhaps it was kept, perhaps not."""


class DiskFull(Busy):
    """There is no space left for the database, and nothing was written.  Reading goes on."""


class FairSemaphore:
    """A semaphore of a process, used as a context, that lets threads in in the order in which they came.

    The standard library's lets in any thread that asks at the right moment: of many that come again and
    again, the unlucky one would wait for as long as they come.  Busy is raised after `patience` seconds.
    """

    def __init__(self, places: int, patience: float, what: str):
        self.places = self.free = places
        self.patience = patience
        self.what = what
        self.queue: deque[Lock] = deque()
        self.mutex = Lock()

    def __enter__(self) -> None:
        with self.mutex:
            if self.free:
                self.free -= 1
                return
            lock = Lock()
            lock.acquire()
            self.queue.append(lock)
        if not lock.acquire(timeout=self.patience):
            self._give_up(lock)

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        with self.mutex:
            if self.queue:
                self.queue.popleft().release()
            else:
                self.free += 1

    def _give_up(self, lock: Lock) -> None:
        with self.mutex:
            if lock in self.queue:  # or its turn has come this very moment
                self.queue.remove(lock)
                raise Busy(f"too many {self.what} at once")
