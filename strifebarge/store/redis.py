"""Redis: what all workers count together.  It may be away, hang or come back empty at any time."""

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from sqlalchemy import Engine

from .engine import writing
from .schema import web_sessions
from .statements import Both

if TYPE_CHECKING:
    from limits.storage import Storage

# A Redis that is there answers within a millisecond; one that hangs may hold a page only so long.
WAIT = 0.5  # seconds, to connect and for each answer
MOVING_WAIT = 2.0  # seconds, for each answer to what is done once at the start
AT_ONCE = 500  # sessions moved in one transaction
SESSIONS = "strifebarge:session:"  # and the SHA-256 of the session's id, as in the database

ADD_SESSION = Both(web_sessions, lambda insert: insert.on_conflict_do_nothing())


def counters(url: str, now: Callable[[], float]) -> "Storage":
    """Return where the limits of all workers are counted, by `now`; it raises whatever Redis raises."""
    # Here and not above: a site without Redis does without its library.
    from limits.storage import RedisStorage

    class Counters(RedisStorage):
        """The library's storage, which would ask the wall clock of each machine."""

        def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
            asked = [now(), limit, expiry, amount]
            return bool(self.lua_acquire_moving_window([self.prefixed_key(key)], asked))

        def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:
            at = now()
            found: Any = self.lua_moving_window([self.prefixed_key(key)], [at - expiry, limit])
            return (float(found[0]), found[1]) if found else (at, 0)

    return Counters(url, **options(WAIT))


def options(wait: float) -> dict[str, Any]:
    """Return how to connect: no answer takes longer than `wait` seconds, and nothing is tried twice."""
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return {"socket_connect_timeout": wait, "socket_timeout": wait, "retry": Retry(NoBackoff(), 0)}


def move_sessions(url: str, engine: Engine, now: float) -> int:
    """Move the sessions that an earlier version kept in Redis to the database; return how many there were.

    `now` is the site's time, from which on each lasts as long as it had left.

    Each is deleted from Redis once the database has it, so that none can come back after it was ended.
    Raises RedisError if Redis does not answer, and Busy; what was moved by then stays moved.
    """
    import redis

    moved = 0
    with closing(redis.Redis.from_url(url, **options(MOVING_WAIT))) as old:
        batch: list[bytes] = []
        for key in old.scan_iter(f"{SESSIONS}*", count=AT_ONCE):
            batch.append(key)
            if len(batch) == AT_ONCE:
                moved += _move(old, engine, batch, now)
                batch = []
        return moved + (_move(old, engine, batch, now) if batch else 0)


def _move(old: Any, engine: Engine, keys: list[bytes], now: float) -> int:
    with old.pipeline(transaction=False) as asked:
        for key in keys:
            asked.get(key).pttl(key)
        answers = asked.execute()
    rows = [
        {
            "sid_hash": key.decode().removeprefix(SESSIONS),
            "data": data,
            "expires": now + left / 1000 if left >= 0 else float("inf"),  # -1: it never expires
        }
        for key, data, left in zip(keys, answers[::2], answers[1::2], strict=True)
        if data is not None
    ]
    if rows:
        with writing(engine) as connection:
            connection.execute(ADD_SESSION(connection), rows)
    old.delete(*keys)
    return len(rows)


class Mover:
    """A job of the ticker: moves the sessions of an earlier version once Redis answers."""

    def __init__(self, url: str, engine: Engine):
        self.url = url
        self.engine = engine
        self.done = False

    def __call__(self, now: float) -> None:
        """Try it, unless it was done."""
        from redis.exceptions import RedisError

        if self.done:
            return
        try:
            move_sessions(self.url, self.engine, now)
        except RedisError:
            return  # Redis is away, which the log has said already
        self.done = True
