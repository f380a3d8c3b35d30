"""Databases of tests that need not outlive a power cut, or are of an earlier version; what is said to one."""

from alembic import command
from sqlalchemy import Engine, event

from strifebarge.store.engine import access_of
from strifebarge.store.migrations import alone, config_for

OLDER = "0013"


def never_wait_for_the_disk(engine: Engine) -> None:
    """Let what is committed to SQLite reach the disk later: the tests of one site commit thousands of times.

    Whether the site waits is tested in tests/store/test_engine.py.
    """
    if engine.dialect.name == "sqlite":
        engine.dispose()  # connections that were made before
        event.listen(engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous = OFF"))


def statements(engine: Engine) -> list[str]:
    """Return a list that each statement is added to from now on, a reader's or a writer's."""
    said: list[str] = []
    for each in (engine, access_of(engine).reading):
        event.listen(each, "before_cursor_execute", lambda *given: said.append(given[2]))
    return said


def make_older(url: str) -> None:
    """Make the tables that an earlier version had, in a database that has none."""
    with alone(url) as connection:
        command.upgrade(config_for(connection), OLDER)
