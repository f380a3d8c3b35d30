"""Where sessions are kept: a table of the database.

Never pickle: who can write there could have any code run here.  And never the session's id itself: a
stolen copy opens nobody's session.
"""

import time
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Engine, and_, bindparam, delete, select

from strifebarge.people.models import Visit
from strifebarge.store.accounts import player_of
from strifebarge.store.accounts_statements import A_PLAYER, TURNS
from strifebarge.store.db.engine import reading, writing
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.statements import upsert
from strifebarge.store.schema import devices, players, web_sessions

PURGE_EVERY = 100  # sessions written

# A session, and whose it is: nobody's where its device was signed out, or its person is gone.
OPEN_SESSION = PreparedStatement(
    select(web_sessions.c.data, *A_PLAYER, TURNS, devices.c.last_seen)
    .select_from(
        web_sessions.outerjoin(devices, devices.c.id == web_sessions.c.device).outerjoin(
            players, and_(players.c.id == devices.c.player, players.c.gone == "")
        )
    )
    .where(web_sessions.c.sid_hash == bindparam("known_by"), web_sessions.c.expires > bindparam("now"))
)
KEEP_SESSION = upsert(web_sessions)
END_SESSION = delete(web_sessions).where(web_sessions.c.sid_hash == bindparam("known_by"))
PURGE_SESSIONS = delete(web_sessions).where(web_sessions.c.expires <= bindparam("now"))


class OpenedSession(NamedTuple):
    """What a session holds, and whose it is."""

    data: Any
    visit: Visit | None


class SqlSessions:
    """Sessions in the database, each in a transaction of its own."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time):
        self.engine = engine
        self.now = now
        self.written = count()

    def open(self, key: str) -> OpenedSession | None:
        """Return a session; None where it is not known, has expired, or cannot be read.  Raises Busy."""
        values = {"known_by": hashed(key), "now": self.now()}
        with reading(self.engine, visitor=True) as connection:
            row = OPEN_SESSION.execute(connection, values).fetchone()
        data = None if row is None else decoded(row[0])
        if not isinstance(data, dict):
            return None
        is_theirs = row[1] is not None and row[1] == data.get("p")
        return OpenedSession(data, Visit(player_of(row[1:7]), *row[7:]) if is_theirs else None)

    def set(self, key: str, value: dict[str, Any], seconds: float) -> None:
        row = {
            "sid_hash": hashed(key),
            "device": value.get("d"),
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


def hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def decoded(data: Any) -> Any:
    """Decode what was kept; None, as for an unknown session, if it cannot be read."""
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError:
        return None
