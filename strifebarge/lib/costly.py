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
AGAIN = 2.0  # seconds in which an address that was turned away may ask again
HOLD = "strifebarge.hold"  # in the environment of a request: for how many seconds its answer is held back
SLICE = 0.001  # seconds that it works before it pauses as long


class TurnedAway(Busy):
    """There is no place in the queue.  The answer is to be held back for some seconds, the first for none."""

    def __init__(self, seconds: float):
        super().__init__("too many costly requests at once")
        self.seconds = seconds


class CostlyQueue:
    """Lets one thread at a time do costly work; each network address has one place in the queue.

    Those who ask again at once are answered later: refusals for many of them would cost more than the work.
    """

    def __init__(self, most: int = MOST, patience: float = PATIENCE):
        self.most = most
        self.addresses: set[str] = set()  # that have a place
        self.turned_away: dict[str, float] = {}  # addresses, and when they were answered last
        self.mutex = Lock()
        self.semaphore = FairSemaphore(1, patience, "costly requests")
        self.worker = 0  # the thread that has its turn
        self.since = 0.0  # when it began, or paused last

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Wait until it is this address's turn.  Raises TurnedAway where it has no place, Busy later."""
        with self.mutex:
            if address in self.addresses or len(self.addresses) == self.most:
                raise self._turn_away(address, monotonic())
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

    def _turn_away(self, address: str, now: float) -> TurnedAway:
        soon = {who: at for who, at in self.turned_away.items() if now - at < AGAIN}
        seconds = AGAIN if address in soon else 0.0
        self.turned_away = {**soon, address: now + seconds}
        return TurnedAway(seconds)

    def pause(self) -> None:
        """Let the other threads of the process go first; to be called between steps of costly work.

        A thread that computes on end delays every page of its process, as Python runs one thread at a time.
        """
        worked = monotonic() - self.since
        if self.worker == get_ident() and worked > SLICE:
            sleep(worked)
            self.since = monotonic()


COSTLY = CostlyQueue()
