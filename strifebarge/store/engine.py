"""The database: SQLite or PostgreSQL, how it is opened, and the two ways to use it, reading and writing.

Both are set up so that what was committed stays committed, and so that two who write at once are one after
the other.
"""

import re
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock
from time import monotonic, sleep
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, exc, make_url

from strifebarge.table.ports import Busy

PATIENCE = 5.0  # seconds to wait for a lock, or for a free connection
AGAIN = 0.0005  # seconds until a process looks again whether another one still writes
BACKENDS = 16  # connections of one process to PostgreSQL, which has 100 for everybody by default

# A network that swallows everything must not hold a thread for minutes: seconds to connect, milliseconds
# until what was sent must have arrived.  A database's own address may say otherwise.
GIVE_UP = {"connect_timeout": "5", "tcp_user_timeout": "10000"}

# PostgreSQL's classes of errors that pass by themselves, or once somebody has seen to the server: connection
# lost, lost out to another transaction, too many connections, lock not to be had, told to stop.
PASSING = ("08", "40", "53300", "55P03", "57")


class Turnstile:
    """Lets so many in at once, and whoever came first first.

    SQLite has those who wait for its lock look again now and then, and a pool of connections wakes anyone: of
    sixty threads that write, the unlucky one would wait for seconds.
    """

    def __init__(self, places: int):
        self.free = places
        self.queue: deque[Lock] = deque()
        self.mutex = Lock()

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Inside.  Raises Busy."""
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        with self.mutex:
            if self.free:
                self.free -= 1
                return
            mine = Lock()
            mine.acquire()
            self.queue.append(mine)
        if not mine.acquire(timeout=PATIENCE):
            self._give_up(mine)

    def _give_up(self, mine: Lock) -> None:
        with self.mutex:
            if mine in self.queue:  # or our turn has come this very moment
                self.queue.remove(mine)
                raise Busy("too many wait for the database")

    def _leave(self) -> None:
        with self.mutex:
            if self.queue:
                self.queue.popleft().release()
            else:
                self.free += 1


def engine_for(url: str, threads: int) -> Engine:
    """An engine for a process of so many threads, none of which ever holds two connections."""
    url = re.sub(r"^postgres(ql)?(\+psycopg)?:", "postgresql+psycopg:", url)
    return (sqlite_engine if url.startswith("sqlite:") else postgres_engine)(url, threads)


def sqlite_engine(url: str, threads: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=threads,  # a connection to a file costs next to nothing
        max_overflow=-1,
        pool_use_lifo=True,
        hide_parameters=True,  # seeds, hands and keys are not for a log
        execution_options={"writers": Turnstile(1), "readers": None},
    )
    event.listen(engine, "connect", prepare_sqlite)
    return engine


def postgres_engine(url: str, threads: int) -> Engine:
    # Each transaction takes a few milliseconds, so that threads may well take turns.
    places = min(threads, BACKENDS)
    turnstile = Turnstile(places)
    address = make_url(url)
    engine = create_engine(
        address.update_query_dict({**GIVE_UP, **address.query}),
        pool_size=places,
        max_overflow=0,
        pool_timeout=PATIENCE,
        pool_use_lifo=True,
        hide_parameters=True,  # seeds, hands and keys are not for a log
        pool_pre_ping=True,  # a server that was restarted is no reason for an error
        execution_options={"writers": turnstile, "readers": turnstile},
    )
    event.listen(engine, "connect", prepare_postgres)
    return engine


def prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver would begin a transaction only at the first write, when what was read may be out of date.
    connection.isolation_level = None  # so `writing` begins them
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
    write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")  # with less, a power cut may undo what was committed
    connection.execute("PRAGMA foreign_keys = ON")
    # Whoever is erased must be gone from the file, too: else their words stay in pages that are merely free.
    # Only what is deleted costs a write more, and that is little here: rows are mostly added or renewed.
    connection.execute("PRAGMA secure_delete = ON")


def write_ahead(connection: sqlite3.Connection) -> None:
    """Let those who read and the one who writes not wait for each other."""
    given_up = monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # Where several open a new file at once, some are told at once that it is locked.
            if not passes(error) or monotonic() > given_up:
                raise
            sleep(0.01)


def begin_to_write(connection: Connection) -> None:
    """Begin a transaction once no other process is in one.

    A transaction that reads first and writes later fails at once, whatever the timeout, when another has
    written in between: so this says at its beginning that it is going to write.  And SQLite itself would look
    again after longer and longer, and mostly find the lock taken by whoever has just had it.
    """
    driver: Any = connection.connection.driver_connection
    [patience] = driver.execute("PRAGMA busy_timeout").fetchone()
    driver.execute("PRAGMA busy_timeout = 0")
    given_up = monotonic() + patience / 1000
    try:
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                return
            except exc.OperationalError as error:
                if not passes(error.orig) or monotonic() > given_up:
                    raise
                sleep(AGAIN)
    finally:
        driver.execute(f"PRAGMA busy_timeout = {patience}")


def prepare_postgres(connection: Any, _record: object) -> None:
    connection.autocommit = True
    connection.execute(f"SET statement_timeout = '{PATIENCE}s'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{2 * PATIENCE}s'")
    connection.autocommit = False


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection for one question, on either database without a transaction round it.  Raises Busy."""
    with passing(), turn(engine, "readers"), engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.execution_options(isolation_level="AUTOCOMMIT")  # saves two of three round trips
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """One transaction: kept if the block comes to its end, else undone.  Raises Busy."""
    with passing(), turn(engine, "writers"), engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            begin_to_write(connection)
        yield connection


def turn(engine: Engine, whose: str) -> AbstractContextManager[None]:
    turnstile: Turnstile | None = engine.get_execution_options()[whose]
    return turnstile.passed() if turnstile else nullcontext()


@contextmanager
def passing() -> Iterator[None]:
    """What the database says when it cannot now is said as Busy."""
    try:
        yield
    except exc.TimeoutError as error:  # no connection was free
        raise Busy(str(error)) from error
    except exc.DBAPIError as error:
        if error.connection_invalidated or passes(error.orig):
            raise Busy(str(error.orig)) from error
        raise


def passes(error: BaseException | None) -> bool:
    """Whether the same may well succeed in a while."""
    if isinstance(error, sqlite3.OperationalError):
        # The lower byte tells the kind: database or table locked; the rest, in which of many ways.
        return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    state = getattr(error, "sqlstate", "")
    return state.startswith(PASSING) if state else type(error).__name__ == "OperationalError"
