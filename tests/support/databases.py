"""Databases of tests that need not outlive a power cut, and what is said to a database."""

from sqlalchemy import Engine, event

from strifebarge.store.engine import access_of


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
