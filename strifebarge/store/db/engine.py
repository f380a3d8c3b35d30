"""The database: SQLite or PostgreSQL, how it is opened, and the two ways to use it, reading and writing.

Both are set up so that what was committed stays committed, and so that two who write at once are one after
the other.  Readers have connections of their own, which cannot write: they never wait for a writer.
"""

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from tempfile import TemporaryFile
from time import monotonic, sleep
from types import TracebackType
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event, exc, make_url, text

from strifebarge.lib.busy import Busy, DiskFull, FairSemaphore, Interrupted
from strifebarge.ops.health import Health
from strifebarge.ops.metrics import count
from strifebarge.settings.database import as_sqlalchemy_takes_it
from strifebarge.store.db.address import without_pooler
from strifebarge.store.db.file_watch import FilePlace
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.tables.library.budget import OutsideBudget

KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}  # by the names that SQLAlchemy has for them
PATIENCE = 5.0  # seconds to wait for a lock, or for a free connection
# Seconds for which a client may say nothing in a transaction on PostgreSQL: a machine that is cut off in one
# gives its locks back before others stop waiting for them.  A statement or a commit may take longer.
MOST_SILENT = 4.0
AGAIN = 0.0005  # seconds until a process looks again whether another one still writes
AGAIN_LATER = 0.01  # seconds between two looks at a database that has been locked for longer than LONG
LONG = 0.1  # seconds: the site's own transactions take a few milliseconds
READER_PATIENCE = 1.0  # seconds that a reader waits for a lock, as changes of the schema take them
# Connections of one process to PostgreSQL, which has 100 in all: to write, to read, and to ask who a visitor
# is.  A lock on games holds up none of the last kind, so that a page that is about no game is shown.
WRITERS, READERS, VISITORS = 6, 7, 3
ROOM = 256 * 1024  # bytes that a disk must take to count as not full

# A network that swallows everything must not hold a thread for minutes: seconds to connect, milliseconds
# until what was sent must have arrived.  A database's own address may say otherwise.
GIVE_UP = {"connect_timeout": "5", "tcp_user_timeout": "10000"}

# PostgreSQL's errors, or classes of them, that pass by themselves, or once somebody has seen to the server:
# connection lost, silent for too long in a transaction, lost out to another one, too many connections, lock
# not to be had, told to stop.
TEMPORARY = ("08", "25P03", "40", "53300", "55P03", "57")
ENDED = ("40001", "40P01")  # another transaction came first, or each of two waited for the other
DISK_FULL = "53100"  # PostgreSQL's code for no space left, in any of its folders

BEGIN = PreparedStatement(text("BEGIN IMMEDIATE"))

# What the request of this thread has read at once (`strifebarge/store/prefetch.py`), until it writes.
PREFETCHED: ContextVar[Any] = ContextVar("PREFETCHED", default=None)


class Access(NamedTuple):
    """Tell how an engine is used: who waits for its connections, and where readers have theirs."""

    writers: FairSemaphore
    readers: FairSemaphore | None  # None where a connection costs next to nothing
    visitors: FairSemaphore | None  # for the two questions of every page: whose session, and who that is
    reading: Engine  # with connections of its own
    health: Health
    # None where a connection is given back after each question, or each transaction.
    reader_at_hand: "ReusedConnections | None" = None
    writer_at_hand: "ReusedConnections | None" = None
    file: FilePlace | None = None  # of SQLite's

    def finds_file(self) -> bool:
        """Return whether the file of the database is where it was opened, and note it."""
        if self.file is None:
            return True
        gone = self.file.is_gone()
        self.health.found_file(self.file.path, gone)
        return not gone


class ReusedConnections:
    """Connections to a file that are not given back to SQLAlchemy's pool between two uses.

    To take one out of there, and to put it back, takes longer than most questions.  Safe for threads.
    """

    def __init__(self, engine: Engine):
        self.engine = engine
        self._free: list[Connection] = []

    @contextmanager
    def one(self) -> Iterator[Connection]:
        """Yield a connection; whatever fails with it, it is not used again."""
        free = self._free
        try:
            connection = free.pop()
        except IndexError:
            connection = self.engine.connect()
        try:
            yield connection
            if connection.in_transaction():
                connection.rollback()
        except BaseException:
            connection.close()
            raise
        free.append(connection)  # of a list that nobody has, where all were closed meanwhile

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Yield a connection in a transaction."""
        with self.one() as connection, connection.begin():
            yield connection

    def close(self) -> None:
        """Close all connections that are not in use."""
        free, self._free = self._free, []
        for connection in free:
            connection.detach()  # else it would be given back to a pool, which may be another one's by now
            connection.close()


def engine_for(url: str, threads: int, health: Health | None = None) -> Engine:
    """Make an engine for a process with this number of threads, none of which holds two connections.

    It is the engine of the writers, and ends the connections of the readers with its own.
    """
    url = as_sqlalchemy_takes_it(url)
    make = sqlite_engine if url.startswith("sqlite:") else postgres_engine
    return make(url, threads, health or Health())


def sqlite_engine(url: str, threads: int, health: Health) -> Engine:
    common: dict[str, Any] = {
        "max_overflow": -1,
        "pool_use_lifo": True,
        "hide_parameters": True,  # seeds, hands and keys are not for a log
    }
    readers = create_engine(url, pool_size=threads, **common)  # a connection to a file costs next to nothing
    event.listen(readers, "connect", prepare_sqlite)
    event.listen(readers, "connect", only_read_sqlite)
    writers = create_engine(url, pool_size=1, **common)
    event.listen(writers, "connect", prepare_sqlite)
    file = FilePlace(writers.url.database or "")
    event.listen(writers, "connect", lambda *_: file.note_opened())
    to_read, to_write = ReusedConnections(readers), ReusedConnections(writers)
    for each in to_read, to_write:
        event.listen(writers, "engine_disposed", lambda _, each=each: each.close())
    access = Access(database_semaphore(1), None, None, readers, health, to_read, to_write, file)
    return joined(writers, access)


def postgres_engine(url: str, threads: int, health: Health) -> Engine:
    # Each transaction takes a few milliseconds, so that threads may well take turns.
    to_write, to_read, to_know = (min(threads, most) for most in (WRITERS, READERS, VISITORS))
    address, pooled = without_pooler(make_url(url))
    common: dict[str, Any] = {
        "max_overflow": 0,
        "pool_timeout": PATIENCE,
        "pool_use_lifo": True,
        "hide_parameters": True,  # seeds, hands and keys are not for a log
        "pool_pre_ping": True,  # a server that was restarted is no reason for an error
    }
    address = address.update_query_dict({**GIVE_UP, **address.query})
    if pooled:
        readers, writers = pooled_engines(address, to_read + to_know, to_write, common)
    else:
        # Without transactions, which saves two of three round trips.
        readers = create_engine(address, isolation_level="AUTOCOMMIT", pool_size=to_read + to_know, **common)
        event.listen(readers, "connect", prepare_postgres)
        event.listen(readers, "connect", only_read_postgres)
        writers = create_engine(address, pool_size=to_write, **common)
        event.listen(writers, "connect", prepare_postgres)
    return joined(
        writers,
        Access(
            database_semaphore(to_write),
            database_semaphore(to_read),
            database_semaphore(to_know),
            readers,
            health,
        ),
    )


def pooled_engines(
    address: URL, to_read: int, to_write: int, common: dict[str, Any]
) -> tuple[Engine, Engine]:
    """Make the engines of readers and of writers on a pooler, which gives a connection for one transaction.

    Nothing may be set, or prepared, for longer than that: another program would have it next.
    """
    common = {**common, "connect_args": {"prepare_threshold": None}}
    readers = create_engine(address, pool_size=to_read, **common)
    event.listen(readers, "begin", begin_to_read_pooled)
    writers = create_engine(address, pool_size=to_write, **common)
    event.listen(writers, "begin", begin_to_write_pooled)
    for each in readers, writers:
        event.listen(each, "connect", leave_beginning)
    return readers, writers


def database_semaphore(places: int) -> FairSemaphore:
    """Make what threads wait at for a connection.

    Threads that wait for SQLite's lock look again now and then, and a pool of connections wakes any of them:
    of sixty threads that write, the unlucky one would wait for seconds.
    """
    return FairSemaphore(places, PATIENCE, "threads with a question to the database")


def joined(writers: Engine, access: Access) -> Engine:
    """Return the engine of the writers, by which the readers' is found and ended."""
    writers.update_execution_options(access=access)
    event.listen(writers, "engine_disposed", lambda _: access.reading.dispose())
    return writers


def access_of(engine: Engine) -> Access:
    access: Access = engine.get_execution_options()["access"]
    return access


def prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # The driver would begin a transaction only at the first write, when what was read may be out of date.
    connection.isolation_level = None  # so `writing` begins them
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
    write_ahead(connection)
    connection.execute("PRAGMA synchronous = FULL")  # with less, a power cut may undo what was committed
    connection.execute("PRAGMA foreign_keys = ON")
    # Erased people must be gone from the file, too: else their words stay in pages that are merely free.
    # Only what is deleted costs a write more, and that is little here: rows are mostly added or renewed.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA temp_store = MEMORY")  # a long list is sorted although the disk is full


def only_read_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")
    # Each thread has such a connection, and forgets its pages as soon as anything is written: the system's
    # own memory of the file serves all of them.
    connection.execute("PRAGMA cache_size = -256")  # KiB; else 2,000


def write_ahead(connection: sqlite3.Connection) -> None:
    """Let readers and the writer not wait for each other."""
    given_up = monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # Where several open a new file at once, some are told at once that it is locked.
            if not is_temporary(error) or monotonic() > given_up:
                raise
            sleep(0.01)


def begin_to_write(connection: Connection, waited: float = 0) -> None:
    """Begin a transaction once no other process is in one, after `waited` seconds for those of this process.

    A transaction that reads first and writes later fails at once, whatever the timeout, when another has
    written in between: so this says at its beginning that it is going to write.  And SQLite itself would look
    again after longer and longer, and mostly find the lock taken by the thread that has just had it.
    """
    driver: Any = connection.connection.driver_connection
    [patience] = driver.execute("PRAGMA busy_timeout").fetchone()
    driver.execute("PRAGMA busy_timeout = 0")
    begun = monotonic() - waited
    try:
        while True:
            try:
                BEGIN.execute(connection, {})
                return
            except exc.OperationalError as error:
                waited = monotonic() - begun
                if not is_temporary(error.orig) or waited > patience / 1000:
                    raise
                sleep(AGAIN if waited < LONG else AGAIN_LATER)
    finally:
        driver.execute(f"PRAGMA busy_timeout = {patience}")


def prepare_postgres(connection: Any, _record: object) -> None:
    connection.autocommit = True
    connection.execute(f"SET statement_timeout = '{PATIENCE}s'")
    connection.execute(f"SET idle_in_transaction_session_timeout = '{MOST_SILENT}s'")
    connection.autocommit = False


def only_read_postgres(connection: Any, _record: object) -> None:
    connection.autocommit = True
    connection.execute("SET default_transaction_read_only = on")
    connection.execute(f"SET lock_timeout = '{READER_PATIENCE}s'")
    connection.autocommit = False


def leave_beginning(connection: Any, _record: object) -> None:
    connection.autocommit = True  # else the driver would begin transactions, in a message of its own


def begin_to_read_pooled(connection: Connection) -> None:
    """Begin a transaction that cannot write.

    It is begun and limited by one message: a machine that is cut off at any moment of it would else keep a
    connection of the pooler, and some machine all of them, for as long as the network is silent.
    """
    connection.exec_driver_sql(f"BEGIN READ ONLY; {idle_timeout()}")


def begin_to_write_pooled(connection: Connection) -> None:
    """Begin a transaction, and set for it what `prepare_postgres` sets for a connection."""
    connection.exec_driver_sql(f"BEGIN; SET LOCAL statement_timeout = '{PATIENCE}s'; {idle_timeout()}")


def idle_timeout() -> str:
    """Return what lets PostgreSQL end a transaction in which its client says nothing."""
    return f"SET LOCAL idle_in_transaction_session_timeout = '{MOST_SILENT}s'"


@contextmanager
def reading(engine: Engine, visitor: bool = False) -> Iterator[Connection]:
    """Yield a connection for questions, without a transaction.  It cannot write.  Raises Busy.

    `visitor`: for who is asking, which never waits behind questions about tables.
    """
    access = access_of(engine)
    at_hand = access.reader_at_hand
    connected = at_hand.one() if at_hand else connected_to_read(access, visitor)
    with OutsideBudget(), RaiseBusy(engine), connected as connection:
        yield connection


@contextmanager
def connected_to_read(access: Access, visitor: bool) -> Iterator[Connection]:
    """Yield a connection that cannot write, once it is this thread's turn to have one."""
    with turn(access.visitors if visitor else access.readers), access.reading.connect() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Yield a connection in a transaction, which is kept if the block comes to its end.

    Raises Busy; DiskFull, and nothing was kept.
    """
    access, begun = access_of(engine), monotonic()
    PREFETCHED.set(None)
    at_hand = access.writer_at_hand
    transaction = at_hand.transaction() if at_hand else engine.begin()
    with OutsideBudget(), RaiseBusy(engine), turn(access.writers), transaction as connection:
        if not access.finds_file():
            raise Busy("the file of the database was moved, deleted or replaced")
        if engine.dialect.name == "sqlite":
            begin_to_write(connection, monotonic() - begun)
        yield connection
    access.health.wrote()
    count.writes.observe(monotonic() - begun)


def turn(semaphore: FairSemaphore | None) -> AbstractContextManager[None]:
    return semaphore or nullcontext()


class RaiseBusy:
    """A block that raises Busy or DiskFull instead of the errors of a database that cannot answer now."""

    __slots__ = ("engine",)

    def __init__(self, engine: Engine):
        self.engine = engine

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, exc.TimeoutError):  # no connection was free
            count.busy.inc()
            raise Busy(str(error)) from error
        # SQLite's own come where a connection is prepared.
        if isinstance(error, (exc.DBAPIError, sqlite3.Error)):
            self._raise_instead(error)

    def _raise_instead(self, error: exc.DBAPIError | sqlite3.Error) -> None:
        """Raise what stands for an error of the driver, if anything does: DiskFull, Interrupted, Busy."""
        cause = error.orig if isinstance(error, exc.DBAPIError) else error
        if is_disk_full(cause, self.engine):
            access_of(self.engine).health.found_disk_full()
            raise DiskFull(str(cause)) from error
        lost = isinstance(error, exc.DBAPIError) and error.connection_invalidated
        if lost or is_temporary(cause):
            count.busy.inc()
            ended = lost or getattr(cause, "sqlstate", None) in ENDED
            raise (Interrupted if ended else Busy)(str(cause)) from error


def is_disk_full(error: BaseException | None, engine: Engine) -> bool:
    """Return whether the database could not do something because there is no space left for it."""
    if not isinstance(error, sqlite3.Error):
        return getattr(error, "sqlstate", None) == DISK_FULL
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the lower byte; the rest tells where it happened
    if kind == sqlite3.SQLITE_FULL:
        return True
    # For its -shm file, and where somebody's quota is used up, SQLite says no more than that it failed.
    in_doubt = kind in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
    return in_doubt and takes_no_more(os.path.dirname(os.path.abspath(engine.url.database or "")))


def takes_no_more(folder: str) -> bool:
    """Return whether the disk of a folder, or a quota on it, leaves no room."""
    try:
        with TemporaryFile(dir=folder, buffering=0) as probe:
            probe.write(bytes(ROOM))
            os.fsync(probe.fileno())
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return False


def is_temporary(error: BaseException | None) -> bool:
    """Return whether trying again may succeed."""
    if isinstance(error, sqlite3.OperationalError):
        # The lower byte tells the kind: database or table locked; the rest, in which of many ways.
        return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    state = getattr(error, "sqlstate", "")
    return state.startswith(TEMPORARY) if state else type(error).__name__ == "OperationalError"
