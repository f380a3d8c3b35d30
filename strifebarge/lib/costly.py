"""The queue of costly work: what anybody can ask for, and takes a processor for long, is done one by one.

Each process has one queue, so its threads stay free for pages and moves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from strifebarge.lib.busy import Busy, FairSemaphore

MOST = 3  # requests in the queue: one is worked on, the others wait
PATIENCE = 1.0  # seconds that a request waits


class CostlyQueue:
    """Lets one thread at a time do costly work; each network address has one place in the queue."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE):
        self.most = most
        self.addresses: set[str] = set()  # that have a place
        self.mutex = Lock()
        self.semaphore = FairSemaphore(1, patience, "costly requests")

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Wait until it is this address's turn.  Raises Busy: at once where it has no place, or later."""
        with self.mutex:
            if address in self.addresses or len(self.addresses) == self.most:
                raise Busy("too many costly requests at once")
            self.addresses.add(address)
        try:
            with self.semaphore:
                yield
        finally:
            with self.mutex:
                self.addresses.discard(address)


COSTLY = CostlyQueue()
