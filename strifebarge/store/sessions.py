"""Where Flask-Session keeps sessions: a table of the database, or Redis.

Never pickle: whoever could write there could have us run anything.  And never the session's id itself: a
stolen copy opens nobody's session.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec
from cachelib.base import BaseCache
from sqlalchemy import Engine, bindparam, delete, select

from strifebarge.table.ports import Busy

from .engine import reading, writing
from .schema import web_sessions
from .statements import keep

PURGE_EVERY = 100  # sessions written

SESSION = select(web_sessions.c.data).where(
    web_sessions.c.sid_hash == bindparam("known_by"), web_sessions.c.expires > bindparam("now")
)
KEEP_SESSION = keep(web_sessions)
END_SESSION = delete(web_sessions).where(web_sessions.c.sid_hash == bindparam("known_by"))
PURGE_SESSIONS = delete(web_sessions).where(web_sessions.c.expires <= bindparam("now"))


class SqlSessions(BaseCache):
    """Sessions in the database, each in a transaction of its own."""

    def __init__(self, engine: Engine):
        super().__init__()
        self.engine = engine
        self.written = count()

    def get(self, key: str) -> Any:
        with reading(self.engine) as connection:
            found = connection.scalar(SESSION, {"known_by": hashed(key), "now": time.time()})
        return None if found is None else decoded(found)

    def set(self, key: str, value: Any, timeout: int | timedelta | None = None) -> bool:
        seconds = self._normalize_timeout(timeout) or math.inf  # cachelib's 0 is for ever
        row = {
            "sid_hash": hashed(key),
            "data": msgspec.msgpack.encode(value),
            "expires": time.time() + seconds,
        }
        with writing(self.engine) as connection:
            connection.execute(KEEP_SESSION(connection), row)
        if next(self.written) % PURGE_EVERY == 0:
            self.purge()
        return True

    def delete(self, key: str) -> bool:
        with writing(self.engine) as connection:
            return connection.execute(END_SESSION, {"known_by": hashed(key)}).rowcount > 0

    def purge(self) -> None:
        """Away with the sessions that have expired."""
        with writing(self.engine) as connection:
            connection.execute(PURGE_SESSIONS, {"now": time.time()})


class RedisSessions(BaseCache):
    """Sessions in Redis, which forgets those that expire by itself."""

    def __init__(self, url: str):
        # Here and not above: a site without Redis does without its library.
        import redis

        super().__init__()
        self.redis = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5)

    def get(self, key: str) -> Any:
        with answering():
            found = self.redis.get(place(key))
        return None if found is None else decoded(found)

    def set(self, key: str, value: Any, timeout: int | timedelta | None = None) -> bool:
        seconds = self._normalize_timeout(timeout) or None
        with answering():
            return bool(self.redis.set(place(key), msgspec.msgpack.encode(value), ex=seconds))

    def delete(self, key: str) -> bool:
        with answering():
            return bool(self.redis.delete(place(key)))


@contextmanager
def answering() -> Iterator[None]:
    """A Redis that does not answer is said as Busy."""
    from redis.exceptions import ConnectionError, TimeoutError

    try:
        yield
    except (ConnectionError, TimeoutError) as error:
        raise Busy(str(error)) from error


def hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def place(key: str) -> str:
    return f"strifebarge:session:{hashed(key)}"


def decoded(data: Any) -> Any:
    """What was kept; None, as for an unknown session, if it cannot be read."""
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError:
        return None
