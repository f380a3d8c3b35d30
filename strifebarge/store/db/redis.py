"""Redis: what all workers count together.  It may be away, hang or come back empty at any time."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limits.storage import Storage

# A Redis that is there answers within a millisecond; one that hangs may hold a page only so long.
WAIT = 0.5  # seconds, to connect and for each answer


def counters(url: str, now: Callable[[], float]) -> "Storage":
    """Return where the limits of all workers are counted, by `now`; it raises whatever Redis raises."""
    # Here and not above: a site without Redis does without its library.
    from limits.storage import RedisStorage
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    class Counters(RedisStorage):
        """The library's storage, which would ask the wall clock of each machine."""

        def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
            arguments = [now(), limit, expiry, amount]
            return bool(self.lua_acquire_moving_window([self.prefixed_key(key)], arguments))

        def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
            at = now()
            window: Any = self.lua_moving_window([self.prefixed_key(key)], [at - expiry, limit])
            return (float(window[0]), window[1]) if window else (at, 0)

    # Nothing is tried twice.
    retry: Any = Retry(NoBackoff(), 0)
    return Counters(url, socket_connect_timeout=WAIT, socket_timeout=WAIT, retry=retry)
