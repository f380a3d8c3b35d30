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
    """The database is not up to date; its text is one sentence for whoever runs the site."""


@contextmanager
def untouched(database_url: str) -> Iterator[str]:
    """The address of a database with the same in it, up to date, in which nothing that is done counts.

    Of SQLite a copy, made while the site may go on, and deleted afterwards.  PostgreSQL's own is given, which
    must be up to date and is not to be written to.  Raises OlderDatabase, NewerDatabase, FileNotFoundError.
    """
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        must_be_current(database_url)
        yield database_url
        return
    file = Path(url.database or "")
    if not file.is_file():
        raise FileNotFoundError(file)
    with TemporaryDirectory(prefix="strifebarge-") as folder:
        copy = Path(folder) / "copy.db"
        address = f"{file.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as live, closing(sqlite3.connect(copy)) as copied:
            live.backup(copied)
        upgrade(f"sqlite:///{copy}")
        yield f"sqlite:///{copy}"


def must_be_current(database_url: str) -> None:
    """Raises OlderDatabase, NewerDatabase."""
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
