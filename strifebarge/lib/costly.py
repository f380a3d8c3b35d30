"""The queue of costly work: what anybody can ask for, and takes a processor for long, is done one by one.

Each process has one queue, so its threads stay free for pages and moves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, get_ident
from time import monotonic, sleep

from strifebarge.lib.busy import Busy, FairSemaphore

MOST = 3  # requests in the queue: one is worked on, the others wait
PATIENCE = 1.0  # seconds that a request waits
SLICE = 0.001  # seconds that it works before it pauses as long


class CostlyQueue:
    """Lets one thread at a time do costly work; each network address has one place in the queue."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE):
        self.most = most
        self.addresses: set[str] = set()  # that have a place
        self.mutex = Lock()
        self.semaphore = FairSemaphore(1, patience, "costly requests")
        self.worker = 0  # the thread that has its turn
        self.since = 0.0  # when it began, or paused last

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Wait until it is this address's turn.  Raises Busy: at once where it has no place, or later."""
        with self.mutex:
            if address in self.addresses or len(self.addresses) == self.most:
                raise Busy("too many costly requests at once")
            self.addresses.add(address)
        try:
            with self.semaphore:
                self.worker, self.since = get_ident(), monotonic()
                try:
                    yield
                finally:
                    self.worker = 0
        finally:
            with self.mutex:
                self.addresses.discard(address)

    def pause(self) -> None:
        """Let the other threads of the process go first; to be called between steps of costly work.

        A thread that computes on end delays every page of its process, as Python runs one thread at a time.
        """
        worked = monotonic() - self.since
        if self.worker == get_ident() and worked > SLICE:
            sleep(worked)
            self.since = monotonic()


COSTLY = CostlyQueue()
