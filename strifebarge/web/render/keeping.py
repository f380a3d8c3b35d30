"""Keep what a worker has rendered, bounded in bytes."""

from collections.abc import Callable, Hashable
from sys import getsizeof
from threading import Lock
from types import NoneType
from typing import Any, Generic, TypeVar

from markupsafe import Markup

T = TypeVar("T")
ENTRY = 100  # bytes that an entry of a dictionary takes, roughly
SINGLE = frozenset({str, Markup, bytes, int, float, bool, NoneType})  # most of what is weighed
OVERHEAD = 400  # bytes that an entry takes beside its content, roughly


def weight(value: Any) -> int:
    """Return the bytes that plain values take, with all that lies in tuples and lists of them."""
    size, pending = 0, [value]
    for each in pending:  # and what is added to them
        kind = type(each)
        if kind is type:  # types are there anyway
            continue
        if kind is tuple or kind is list:
            pending += each
        elif kind not in SINGLE:
            if issubclass(kind, type):
                continue
            if issubclass(kind, (tuple, list)):
                pending += each
        size += getsizeof(each)
    return size


class Generation(Generic[T]):
    """Things by their keys, and how many bytes they take together."""

    def __init__(self) -> None:
        self.things: dict[Hashable, tuple[T, float, int]] = {}
        self.bytes = 0

    def put(self, key: Hashable, entry: tuple[T, float, int]) -> None:
        """Add an entry: a thing, until when it is true, and its bytes."""
        self.drop(key)
        self.things[key] = entry
        self.bytes += entry[2]

    def drop(self, key: Hashable) -> None:
        """Remove what is kept by a key, if there is anything."""
        if (entry := self.things.pop(key, None)) is not None:
            self.bytes -= entry[2]


class BoundedCache(Generic[T]):
    """Things by their keys, each until a moment; those not used for long make room.

    Safe for threads.  `most` is the number of bytes of all of them together.  They are of two generations:
    what is put, or used again, is of the younger one.  When that has grown to half of `most` it becomes the
    older one, and what was left of that goes.  So to get a thing, which a page does dozens of times, mostly
    takes no lock and moves nothing.
    """

    def __init__(self, most: int, weigh: Callable[[T], int]):
        self.most = most
        self.weigh = weigh
        self._younger, self._older = Generation[T](), Generation[T]()
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """The number of bytes of all that is kept."""
        return self._younger.bytes + self._older.bytes

    def get(self, key: Hashable, now: float) -> tuple[T, float] | None:
        """Return what is kept for a key, and until when it is true; None where there is nothing now."""
        entry = self._younger.things.get(key) or self._again(key)
        if entry is None:
            return None
        if entry[1] <= now:
            with self._lock:
                self._drop(key)
            return None
        return entry[0], entry[1]

    def put(self, key: Hashable, value: T, until: float) -> None:
        """Keep a thing until a moment, in seconds since 1970; too large a one is not kept."""
        weight = self.weigh(value) + OVERHEAD
        if weight > self.most // 4:
            return
        with self._lock:
            self._drop(key)
            self._add(key, (value, until, weight))

    def _again(self, key: Hashable) -> tuple[T, float, int] | None:
        """Return what of the older generation is kept for a key, which is of the younger one from now on."""
        if key not in self._older.things:
            return None
        with self._lock:
            entry = self._older.things.get(key)
            if entry is not None:
                self._older.drop(key)
                self._add(key, entry)
            return entry

    def _add(self, key: Hashable, entry: tuple[T, float, int]) -> None:
        if self._younger.bytes + entry[2] > self.most // 2:
            self._older, self._younger = self._younger, Generation[T]()
        self._younger.put(key, entry)

    def _drop(self, key: Hashable) -> None:
        self._younger.drop(key)
        self._older.drop(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._younger, self._older = Generation[T](), Generation[T]()

    def __len__(self) -> int:
        return len(self._younger.things) + len(self._older.things)


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
        entry = self._pieces.get(key)
        return entry and entry[0]

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
