"""Where Flask-Session keeps sessions: a table of the database.

Never pickle: who can write there could have any code run here.  And never the session's id itself: a
stolen copy opens nobody's session.
"""

import math
import time
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from itertools import count
from typing import Any

import msgspec
from cachelib.base import BaseCache
from sqlalchemy import Engine, bindparam, delete, select

from .engine import reading, writing
from .prepared import Prepared
from .schema import web_sessions
from .statements import keep

PURGE_EVERY = 100  # sessions written

SESSION = select(web_sessions.c.data).where(
    web_sessions.c.sid_hash == bindparam("known_by"), web_sessions.c.expires > bindparam("now")
)
READ_SESSION = Prepared(SESSION)
KEEP_SESSION = keep(web_sessions)
END_SESSION = delete(web_sessions).where(web_sessions.c.sid_hash == bindparam("known_by"))
PURGE_SESSIONS = delete(web_sessions).where(web_sessions.c.expires <= bindparam("now"))


class SqlSessions(BaseCache):
    """Sessions in the database, each in a transaction of its own."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time):
        super().__init__()
        self.engine = engine
        self.now = now
        self.written = count()

    def get(self, key: str) -> Any:
        with reading(self.engine, visitor=True) as connection:
            found = READ_SESSION.execute(connection, {"known_by": hashed(key), "now": self.now()}).fetchone()
        return None if found is None else decoded(found[0])

    def set(self, key: str, value: Any, timeout: int | timedelta | None = None) -> bool:
        seconds = self._normalize_timeout(timeout) or math.inf  # cachelib's 0 is for ever
        row = {
            "sid_hash": hashed(key),
            "data": msgspec.msgpack.encode(value),
            "expires": self.now() + seconds,
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
        """Delete the sessions that have expired."""
        with writing(self.engine) as connection:
            connection.execute(PURGE_SESSIONS, {"now": self.now()})


def hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def decoded(data: Any) -> Any:
    """Decode what was kept; None, as for an unknown session, if it cannot be read."""
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError:
        return None
