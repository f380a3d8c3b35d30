"""A database to look at without touching it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, make_url

from strifebarge.store.db.engine import engine_for, reading
from strifebarge.store.migrations import config_for, refuse_newer, upgrade


class UnfitDatabase(Exception):
    """A database cannot be looked at as it is; its text is one sentence for the host of the site."""


class NoDatabase(UnfitDatabase):
    """There is no database, or none in which a site has made its tables."""

    def __init__(self, location: str):
        super().__init__(f"There is no database yet: {location}")
        self.location = location


class UnreadableDatabase(UnfitDatabase):
    """A file is not one of SQLite, or cannot be read."""


class OlderDatabase(UnfitDatabase):
    """The database is not up to date."""

    def __init__(self) -> None:
        super().__init__(
            "The database is of an older version: make a backup with that version, then upgrade the database "
            "with `strifebarge db upgrade`, or start the site with `strifebarge serve`."
        )


@contextmanager
def scratch_copy(database_url: str) -> Iterator[str]:
    """Yield the address of a copy of a database that is brought up to date; changes to it are lost.

    Of SQLite a copy, made while the site may go on, and deleted afterwards.  PostgreSQL's own is given, which
    must be up to date and is not to be written to.  Raises UnfitDatabase, NewerDatabase.
    """
    file = file_of(database_url)
    if file is None:
        must_be_current(database_url)
        yield database_url
        return
    with TemporaryDirectory(prefix="strifebarge-") as folder:
        copy = Path(folder) / "copy.db"
        copy_file(file, copy)
        must_be_there(f"sqlite:///{copy}", file)
        upgrade(f"sqlite:///{copy}")
        yield f"sqlite:///{copy}"


def copy_file(file: Path, to: Path) -> None:
    """Copy a database of SQLite as it is at one moment, while it may be written to.

    Raises UnreadableDatabase; sqlite3.OperationalError where the copy cannot be written.
    """
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as live:
        try:
            live.execute("PRAGMA schema_version")
        except sqlite3.DatabaseError as error:
            raise UnreadableDatabase(f"The database {file} cannot be read: {error}.") from error
        with closing(sqlite3.connect(to)) as copy:
            live.backup(copy)


@contextmanager
def current(database_url: str) -> Iterator[str]:
    """Yield the address of a database that is up to date, which is not to be written to.

    Raises UnfitDatabase, NewerDatabase.
    """
    must_be_current(database_url)
    yield database_url


def file_of(database_url: str) -> Path | None:
    """Return the file of a database, None for one of PostgreSQL.  Raises NoDatabase."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return None
    file = Path(url.database or "")
    if not file.is_file():
        raise NoDatabase(str(file))
    return file


def must_be_there(database_url: str, copied_from: Path | None = None) -> None:
    """Require a database in which a site has made its tables.  Raises NoDatabase."""
    with _temporary_copy(database_url, copied_from):
        pass


def must_be_current(database_url: str) -> None:
    """Require a database of this version.  Raises UnfitDatabase, NewerDatabase."""
    with _temporary_copy(database_url) as connection:
        scripts = ScriptDirectory.from_config(config_for(connection))
        refuse_newer(connection, scripts)
        if _heads(connection) != set(scripts.get_heads()):
            raise OlderDatabase


@contextmanager
def _temporary_copy(database_url: str, copied_from: Path | None = None) -> Iterator[Connection]:
    """Yield a connection to a database in which a site has made its tables.  Raises NoDatabase."""
    file = file_of(database_url)
    engine = engine_for(database_url, 1)
    try:
        with reading(engine) as connection:
            if not _heads(connection):
                raise NoDatabase(f"{copied_from or file or engine.url.database} has no tables of a site")
            yield connection
    finally:
        engine.dispose()


def _heads(connection: Connection) -> set[str]:
    """Return the versions of the tables of a database; none where a site has made none."""
    return set(MigrationContext.configure(connection).get_current_heads())
