"""Keep what a worker has rendered, bounded in bytes."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from sys import getsizeof
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")
ENTRY = 100  # bytes that an entry of a dictionary takes, roughly
OVERHEAD = 400  # bytes that an entry takes beside its content, roughly


def weight(thing: Any) -> int:
    """Return the bytes that plain values take, with all that lies in tuples and lists of them."""
    if isinstance(thing, (tuple, list)):
        return getsizeof(thing) + sum(map(weight, thing))
    return 0 if isinstance(thing, type) else getsizeof(thing)  # a type is there anyway


class BoundedCache(Generic[T]):
    """Things by their keys, each until a moment; the ones not used for longest make room.

    Safe for threads.  `most` is the number of bytes of all of them together.
    """

    def __init__(self, most: int, weigh: Callable[[T], int]):
        self.most = most
        self.weigh = weigh
        self.bytes = 0
        self._kept: OrderedDict[Hashable, tuple[T, float, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, now: float) -> tuple[T, float] | None:
        """Return what is kept for a key, and until when it is true; None where there is nothing now."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            if found[1] <= now:
                self._drop(key)
                return None
            self._kept.move_to_end(key)
            return found[0], found[1]

    def put(self, key: Hashable, thing: T, until: float) -> None:
        """Keep a thing until a moment, in seconds since 1970; too large a one is not kept."""
        weight = self.weigh(thing) + OVERHEAD
        if weight > self.most // 4:
            return
        with self._lock:
            self._drop(key)
            self._kept[key] = (thing, until, weight)
            self.bytes += weight
            while self.bytes > self.most:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Hashable) -> None:
        if (found := self._kept.pop(key, None)) is not None:
            self.bytes -= found[2]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self.bytes = 0

    def __len__(self) -> int:
        return len(self._kept)


class PieceCache(Generic[T]):
    """Many small pieces by what they show, true for ever; the oldest half goes where there is no more room.

    A board asks for hundreds of them, so asking takes no lock and moves nothing.
    """

    def __init__(self, most: int):
        self.most = most  # bytes of all of them together, with their keys
        self.size = 0
        self._pieces: dict[Hashable, tuple[T, int]] = {}
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        """Return the piece that is kept under a key, or None."""
        found = self._pieces.get(key)
        return found and found[0]

    def put(self, key: Hashable, piece: T) -> None:
        """Keep a piece, unless it is very large."""
        size = weight(key) + weight(piece) + ENTRY
        if size > self.most // 4:
            return
        with self._lock:
            before = self._pieces.get(key)
            self._pieces[key] = piece, size
            self.size += size - (before[1] if before else 0)
            if self.size > self.most:
                self._drop_oldest_half()

    def _drop_oldest_half(self) -> None:
        for old in [*self._pieces][: len(self._pieces) // 2 + 1]:
            self.size -= self._pieces.pop(old)[1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._pieces.clear()
            self.size = 0

    def __len__(self) -> int:
        return len(self._pieces)
