"""Databases of tests: without waiting for the disk, with their statements recorded, one migration behind."""

from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from sqlalchemy import Engine, event

from strifebarge.store import migrations
from strifebarge.store.db.engine import access_of

MIGRATION = """
import sqlalchemy as sa
from alembic import op

revision = "{number:04}"
down_revision = "{last:04}"


def upgrade() -> None:
    op.create_table("added_later", sa.Column("id", sa.String, primary_key=True))
    op.add_column("players", sa.Column("added_later", sa.String))
"""


def never_wait_for_the_disk(engine: Engine) -> None:
    """Let what is committed to SQLite reach the disk later: the tests of one site commit thousands of times.

    Whether the site waits is tested in tests/store/test_engine.py.
    """
    if engine.dialect.name == "sqlite":
        engine.dispose()  # connections that were made before
        event.listen(engine, "connect", lambda driver, _: driver.execute("PRAGMA synchronous = OFF"))


def statements(engine: Engine) -> list[str]:
    """Return a list that each statement is added to from now on, a reader's or a writer's."""
    log: list[str] = []
    for each in (engine, access_of(engine).reading):
        event.listen(each, "before_cursor_execute", lambda *given: log.append(given[2]))
    return log


def add_migration(monkeypatch: pytest.MonkeyPatch, folder: Path) -> str:
    """Add a migration to the code, so that databases made before are older; return its number."""
    scripts = folder / "migrations"
    copytree(migrations.SCRIPTS, scripts, ignore=ignore_patterns("__pycache__"))
    last = len([*scripts.glob("versions/*.py")])
    file = scripts / "versions" / f"{last + 1:04}_added_later.py"
    file.write_text(MIGRATION.format(number=last + 1, last=last))
    monkeypatch.setattr(migrations, "SCRIPTS", scripts)
    return f"{last + 1:04}"
