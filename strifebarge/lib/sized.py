"""A dictionary whose values take a bounded number of bytes together."""

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class SizedDict(Generic[K, V]):
    """Values by their keys; those that were put first make room.  Not safe for threads."""

    def __init__(self, most: int):
        self.most = most  # bytes
        self.bytes = 0
        self.entries: OrderedDict[K, tuple[V, int]] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return the value of a key, if there is one."""
        entry = self.entries.get(key)
        return entry[0] if entry else None

    def pop(self, key: K) -> V | None:
        """Remove a key, and return its value, if there is one."""
        entry = self.entries.pop(key, None)
        if entry is None:
            return None
        self.bytes -= entry[1]
        return entry[0]

    def put(self, key: K, value: V, size: int) -> None:
        """Add a value that takes this number of bytes, unless it alone takes more than half of all."""
        self.pop(key)
        if size > self.most // 2:
            return
        self.entries[key] = value, size
        self.bytes += size
        while self.bytes > self.most:
            self.pop(next(iter(self.entries)))

    def clear(self) -> None:
        """Remove all keys."""
        self.entries.clear()
        self.bytes = 0
