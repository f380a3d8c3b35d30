"""Where sessions are kept: a table of the database.

Never pickle: who can write there could have any code run here.  And never the session's id itself: a
stolen copy opens nobody's session.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Engine, bindparam, delete, select

from strifebarge.store.db.engine import reading, writing
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.statements import upsert
from strifebarge.store.schema import web_sessions

PURGE_EVERY = 100  # sessions written
MOST_REMEMBERED = 5000  # sessions; each takes some 300 bytes

SESSION = select(web_sessions.c.data).where(
    web_sessions.c.sid_hash == bindparam("known_by"), web_sessions.c.expires > bindparam("now")
)
READ_SESSION = PreparedStatement(SESSION)
KEEP_SESSION = upsert(web_sessions)
END_SESSION = delete(web_sessions).where(web_sessions.c.sid_hash == bindparam("known_by"))
PURGE_SESSIONS = delete(web_sessions).where(web_sessions.c.expires <= bindparam("now"))


class CachedSession(NamedTuple):
    """A session as this process remembers it."""

    known_by: str
    data: bytes


# The session with which the request of this thread was opened, until the database has confirmed it.
UNCONFIRMED: ContextVar[CachedSession | None] = ContextVar("UNCONFIRMED", default=None)


class SqlSessions:
    """Sessions in the database, each in a transaction of its own."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time):
        self.engine = engine
        self.now = now
        self.written = count()

    def get(self, key: str) -> Any:
        data = self.stored(hashed(key))
        return None if data is None else decoded(data)

    def set(self, key: str, value: Any, seconds: float) -> None:
        row = {
            "sid_hash": hashed(key),
            "data": msgspec.msgpack.encode(value),
            "expires": self.now() + seconds,
        }
        with writing(self.engine) as connection:
            connection.execute(KEEP_SESSION(connection), row)
        if next(self.written) % PURGE_EVERY == 0:
            self.purge()

    def delete(self, key: str) -> bool:
        with writing(self.engine) as connection:
            return connection.execute(END_SESSION, {"known_by": hashed(key)}).rowcount > 0

    def purge(self) -> None:
        """Delete the sessions that have expired."""
        with writing(self.engine) as connection:
            connection.execute(PURGE_SESSIONS, {"now": self.now()})

    def stored(self, known_by: str) -> bytes | None:
        """Return what is stored of a session; None where it is not known, or has expired."""
        with reading(self.engine, visitor=True) as connection:
            row = READ_SESSION.execute(connection, {"known_by": known_by, "now": self.now()}).fetchone()
        return None if row is None else bytes(row[0])


class CachedSessions(SqlSessions):
    """Sessions in the database, for a site that has each confirmed before it asks whose it is.

    A session that was read before is opened as it was then.  It holds only once the database has confirmed
    it: the statement does by which a request asks about its table, or else `confirm`.
    """

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time):
        super().__init__(engine, now)
        self.remembered: dict[str, bytes] = {}  # by what they are known by

    def get(self, key: str) -> Any:
        known_by = hashed(key)
        data = self.remembered.get(known_by)
        if data is not None:
            UNCONFIRMED.set(CachedSession(known_by, data))
            return decoded(data)
        self.forget_opened()
        data = self.stored(known_by)
        if data is None:
            return None
        if len(self.remembered) >= MOST_REMEMBERED:
            self.remembered = {}
        self.remembered[known_by] = data
        return decoded(data)

    def forget_opened(self) -> None:
        """Forget with which session the request of this thread was opened."""
        UNCONFIRMED.set(None)

    @property
    def is_confirmed(self) -> bool:
        """True if nothing that this thread's request was opened with is to be confirmed."""
        return UNCONFIRMED.get() is None

    def confirm(self) -> dict[str, Any] | None:
        """Return what the session of this thread's request holds; None where it is as it was remembered.

        Raises Busy.
        """
        opened, now = UNCONFIRMED.get(), None
        if opened is not None and (data := self.stored(opened.known_by)) != opened.data:
            self.remembered.pop(opened.known_by, None)
            now = decoded(data) if data is not None else None
            now = now if isinstance(now, dict) else {}
        self.forget_opened()
        return now


def hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def decoded(data: Any) -> Any:
    """Decode what was kept; None, as for an unknown session, if it cannot be read."""
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError:
        return None
