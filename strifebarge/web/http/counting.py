"""Where limits are counted in a worker: by a time that no wall clock moves.

The library's own storage asks the wall clock.  Set forward it would forget what was counted, and set back it
would keep everybody out until it has caught up.
"""

from collections.abc import Callable
from threading import Lock

from limits.storage import MemoryStorage

TIDIED_EVERY = 1000  # entries


class MemoryCounters(MemoryStorage):
    """The library's storage in memory, its moving windows by `now`, in seconds."""

    def __init__(self, now: Callable[[], float]):
        super().__init__()
        self.now = now
        self._windows: dict[str, tuple[float, list[float]]] = {}  # by key: its length, its entries
        self._lock = Lock()
        self._entries = 0

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Note `amount` entries unless there would be more than `limit` within `expiry` seconds."""
        now = self.now()
        with self._lock:
            entries = self._within(key, now - expiry)
            if len(entries) + amount > limit:
                return False
            self._windows[key] = expiry, entries + [now] * amount
            self._tidy(now)
            return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
        """Return when the oldest entry of the last `expiry` seconds was noted (else now), and how many."""
        now = self.now()
        with self._lock:
            entries = self._within(key, now - expiry)
        return (entries[0] if entries else now), len(entries)

    def clear(self, key: str) -> None:
        """Forget what was noted for one key."""
        with self._lock:
            self._windows.pop(key, None)

    def reset(self) -> int | None:
        """Forget all; return how many windows that were."""
        with self._lock:
            forgotten, self._windows = len(self._windows), {}
        return forgotten

    def _within(self, key: str, since: float) -> list[float]:
        _, entries = self._windows.get(key, (0, []))
        return [entry for entry in entries if entry >= since]

    def _tidy(self, now: float) -> None:
        """Forget the windows that have passed, every now and then."""
        self._entries += 1
        if self._entries % TIDIED_EVERY == 0:
            recent = {key: each for key, each in self._windows.items() if each[1][-1] >= now - each[0]}
            self._windows = recent
