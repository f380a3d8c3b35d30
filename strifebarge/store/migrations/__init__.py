"""Migrations: every change of the database's tables in order, and the code that applies them.

A new one is a file in `versions`, with the next number; what it leads to must equal `store/schema`.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event

from strifebarge.store.db.engine import engine_for, writing
from strifebarge.store.db.private import keep_private

SCRIPTS = Path(__file__).parent
LOCK = 0x5742_6172_6765  # any number, so long as no other program's: PostgreSQL's advisory lock
PATIENCE = 600  # seconds to wait for another process that is at it


class NewerDatabase(Exception):
    """The database was made by a newer version; its text is one sentence for the host."""


def upgrade(database_url: str) -> None:
    """Bring the database up to date.  Of many processes at once, one does it and the others wait.

    All of it is one transaction: a migration that fails leaves no trace.  Raises NewerDatabase, Busy.
    """
    keep_private(database_url)
    with alone(database_url) as connection:
        upgrade_within(connection)


def upgrade_within(connection: Connection) -> None:
    """Bring a database up to date as part of a transaction.  Raises NewerDatabase."""
    config = config_for(connection)
    refuse_newer(connection, ScriptDirectory.from_config(config))
    command.upgrade(config, "head")


@contextmanager
def alone(database_url: str) -> Iterator[Connection]:
    """One transaction on the whole database, with nobody else in it who would migrate."""
    engine = engine_for(database_url, 1)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", patiently)
    try:
        with writing(engine) as connection:
            if engine.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            yield connection
            if engine.dialect.name == "sqlite":
                must_refer_to_what_is_there(connection)
    finally:
        engine.dispose()


def patiently(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
    # SQLite changes a table by copying and dropping it, and with this on, whatever refers to it would go too.
    connection.execute("PRAGMA foreign_keys = OFF")


def must_refer_to_what_is_there(connection: Connection) -> None:
    """What `foreign_keys = OFF` has left unseen."""
    if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
        raise RuntimeError(f"a migration would leave a row of {broken[0]} that refers to nothing")


def config_for(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def refuse_newer(connection: Connection, scripts: ScriptDirectory) -> None:
    revisions = {script.revision for script in scripts.walk_revisions()}
    for at in MigrationContext.configure(connection).get_current_heads():
        if at not in revisions:
            raise NewerDatabase(
                f"The database is of a newer StrifeBarge (its tables are at {at}, this one knows them up to "
                f"{scripts.get_current_head()}): run that one, or go back to a backup."
            )
