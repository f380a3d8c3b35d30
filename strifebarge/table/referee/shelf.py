"""Matches kept laid out between requests."""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from strifebarge.rules.match import Match

from ..ports import Row

KEPT = 500  # in each process


class Laid(NamedTuple):
    """A match laid out, and the newest rows of its ledger."""

    match: Match
    rows: list[Row]


class Shelf:
    """Matches kept laid out between requests.  Whoever takes one has it alone.

    Correctness never depends on it: what is not there is taken up from the store.
    """

    def __init__(self, size: int = KEPT):
        self.size = size
        self.laid: OrderedDict[tuple[str, int], Laid] = OrderedDict()
        self.lock = Lock()

    def take(self, id: str, revision: int) -> Laid | None:
        with self.lock:
            return self.laid.pop((id, revision), None)

    def put(self, id: str, revision: int, laid: Laid) -> None:
        with self.lock:
            self.laid[id, revision] = laid
            while len(self.laid) > self.size:
                self.laid.popitem(last=False)
