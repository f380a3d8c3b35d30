"""Copy a whole database into an empty one, which may be of the other kind."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table, func, insert, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, DataError

from strifebarge.backup.databases import A_DATABASE, found_at
from strifebarge.store.copies import NoDatabase, scratch_copy
from strifebarge.store.db.engine import RaiseBusy, engine_for
from strifebarge.store.db.private import keep_private
from strifebarge.store.migrations import alone, upgrade_within
from strifebarge.store.schema import metadata

BATCH = 500  # rows that are in memory at once
WHOLE = 2**256


class WrongCopy(Exception):
    """A database cannot be copied; its text is one sentence for the host."""


class Content(NamedTuple):
    """How many rows a table has, and a sum of their hashes, which does not depend on their order."""

    rows: int = 0
    digest: int = 0

    def plus(self, rows: Sequence[Sequence[Any]]) -> "Content":
        """Return the content with more rows."""
        digest = sum(int.from_bytes(sha256(repr(tuple(row)).encode()).digest(), "big") for row in rows)
        return Content(self.rows + len(rows), (self.digest + digest) % WHOLE)


def copy_database(source: str, target: str) -> dict[str, int]:
    """Copy all tables into an empty database, and return how many rows each has.

    All of it is one transaction, kept only if each row has come out the same.  The source is not changed; it
    is copied as it is at one moment.  Raises WrongCopy, UnfitDatabase, NewerDatabase, Busy.
    """
    must_be_addresses(source, target)
    _must_be_empty(target)
    with _reading(source) as old:
        keep_private(target)
        with alone(target) as new:
            if inspect(new).get_table_names():  # made since
                raise WrongCopy(NOT_EMPTY.format(A_DATABASE))
            upgrade_within(new)
            copied = {table.name: _copy_table(old, new, table) for table in metadata.sorted_tables}
            _number_on(new)
            return copied


def count_rows(source: str, target: str) -> Mapping[str, int]:
    """Return how many rows of each table would be copied.  Raises what `copy_database` raises."""
    must_be_addresses(source, target)
    _must_be_empty(target)
    with _reading(source) as old:
        return {table.name: sum(map(len, _rows(old, table))) for table in metadata.sorted_tables}


NOT_EMPTY = "{}: a copy goes into an empty database only."


def _must_be_empty(target: str) -> None:
    """Require a place without a database.  Raises WrongCopy."""
    if there := found_at(target):
        raise WrongCopy(NOT_EMPTY.format(there))


def must_be_addresses(*urls: str) -> None:
    """Require addresses of databases that a site can use.  Raises WrongCopy."""
    for url in urls:
        try:
            address = make_url(url)
        except (ArgumentError, ValueError):  # such as a port that is no number
            raise WrongCopy(
                f"{_short(url)} is no address of a database, as sqlite:////path/to/it.db is."
            ) from None
        if (
            address.drivername.partition("+")[0] not in ("sqlite", "postgres", "postgresql")
            or not address.database
        ):
            raise WrongCopy(
                f"{address} is neither the address of a file of SQLite nor of a PostgreSQL database."
            )


def _short(url: str) -> str:
    """Return an address that could not be read, without what may be a password."""
    return repr(url.rpartition("@")[2])


@contextmanager
def _reading(source: str) -> Iterator[Connection]:
    """Yield a connection to a database of this version, which stays as it is at this moment."""
    try:
        with scratch_copy(source) as url, _one_moment(url) as connection:
            yield connection
    except NoDatabase as missing:
        raise WrongCopy(f"There is no database to copy: {missing.location}") from None


@contextmanager
def _one_moment(url: str) -> Iterator[Connection]:
    """Yield a connection whose questions are all answered as of the first one."""
    engine = engine_for(url, 1)
    try:
        with RaiseBusy(engine), engine.connect() as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            yield connection
    finally:
        engine.dispose()


def _copy_table(old: Connection, new: Connection, table: Table) -> int:
    """Copy the rows of a table, and return how many they are.  Raises WrongCopy."""
    there = Content()
    for rows in _rows(old, table):
        there = there.plus(rows)
        try:
            # `_asdict` is public: SQLAlchemy names it as a namedtuple does.
            new.execute(insert(table), [row._asdict() for row in rows])
        except DataError as error:
            raise WrongCopy(
                f"The other database does not take a row of {table.name}: {error.orig}"
            ) from error
    copied = Content()
    for rows in _rows(new, table):
        copied = copied.plus(rows)
    if copied != there:
        raise WrongCopy(f"The rows of {table.name} did not come out the same, and nothing was kept.")
    return copied.rows


def _number_on(new: Connection) -> None:
    """Let PostgreSQL number new rows after those that were copied; SQLite does so by itself."""
    if new.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        if (column := table.autoincrement_column) is not None:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            new.execute(select(func.setval(sequence, func.max(column))))


def _rows(connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
    """Yield all rows of a table, some at a time."""
    rows = connection.execute(select(table), execution_options={"yield_per": BATCH})
    yield from rows.partitions()
