"""A database to look at without touching it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import make_url

from .engine import engine_for, reading
from .migrations import config_for, refuse_newer, upgrade


class OlderDatabase(Exception):
    """The database is not up to date; its text is one sentence for the host of the site."""


@contextmanager
def untouched(database_url: str) -> Iterator[str]:
    """Yield the address of a copy of a database that is brought up to date; changes to it are lost.

    Of SQLite a copy, made while the site may go on, and deleted afterwards.  PostgreSQL's own is given, which
    must be up to date and is not to be written to.  Raises OlderDatabase, NewerDatabase, FileNotFoundError.
    """
    file = file_of(database_url)
    if file is None:
        must_be_current(database_url)
        yield database_url
        return
    with TemporaryDirectory(prefix="strifebarge-") as folder:
        copy = Path(folder) / "copy.db"
        address = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as live, closing(sqlite3.connect(copy)) as copied:
            live.backup(copied)
        upgrade(f"sqlite:///{copy}")
        yield f"sqlite:///{copy}"


@contextmanager
def current(database_url: str) -> Iterator[str]:
    """Yield the address of a database that is up to date, which is not to be written to.

    Raises OlderDatabase, NewerDatabase, FileNotFoundError.
    """
    file_of(database_url)
    must_be_current(database_url)
    yield database_url


def file_of(database_url: str) -> Path | None:
    """Return the file of a database, None for one of PostgreSQL.  Raises FileNotFoundError."""
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return None
    file = Path(url.database or "")
    if not file.is_file():
        raise FileNotFoundError(file)
    return file


def must_be_current(database_url: str) -> None:
    """Require a database of this version.  Raises OlderDatabase, NewerDatabase."""
    engine = engine_for(database_url, 1)
    try:
        with reading(engine) as connection:
            scripts = ScriptDirectory.from_config(config_for(connection))
            refuse_newer(connection, scripts)
            heads = MigrationContext.configure(connection).get_current_heads()
            if set(heads) != set(scripts.get_heads()):
                raise OlderDatabase(
                    "The database is older than this version: check a copy of it, brought up to date by "
                    "`strifebarge db upgrade`."
                )
    finally:
        engine.dispose()
