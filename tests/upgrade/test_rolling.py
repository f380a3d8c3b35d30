"""While a newer version has brought the database up to date, the version before goes on serving people."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from alembic import command
from sqlalchemy import Connection, inspect, text

from strifebarge.store.db.engine import engine_for, writing
from strifebarge.store.migrations import alone, config_for
from tests.servers.conftest import BOTH, GENEROUS, on_a_database
from tests.servers.test_backups import run
from tests.servers.test_disk_full import gathered, moved
from tests.support.databases import add_migration
from tests.support.servers import Site, wait_for

Columns: TypeAlias = dict[tuple[str, str], dict[str, Any]]


def columns(connection: Connection) -> Columns:
    """Return every column of the database, by table and name."""
    inspector = inspect(connection)
    return {
        (table, each["name"]): dict(each)
        for table in inspector.get_table_names()
        for each in inspector.get_columns(table)
    }


def unique(connection: Connection) -> set[tuple[str, tuple[str | None, ...]]]:
    """Return what no two rows of a table may have alike."""
    inspector = inspect(connection)
    indexes = {
        (table, tuple(each["column_names"]))
        for table in inspector.get_table_names()
        for each in inspector.get_indexes(table)
        if each["unique"]
    }
    constraints = {
        (table, tuple(each["column_names"]))
        for table in inspector.get_table_names()
        for each in inspector.get_unique_constraints(table)
    }
    return indexes | constraints


def test_migrations_only_add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the version before reads and writes the database: its statements name no new column."""
    newest = int(add_migration(monkeypatch, tmp_path))
    with alone(f"sqlite:///{tmp_path / 'strifebarge.db'}") as connection:
        command.upgrade(config_for(connection), "0001")
        for number in range(2, newest + 1):
            before, unlike = columns(connection), unique(connection)
            command.upgrade(config_for(connection), f"{number:04}")
            must_only_add(before, columns(connection))
            for table, alike in unique(connection) - unlike:
                assert any((table, name) not in before for name in alike), (number, table, alike)


def must_only_add(before: Columns, after: Columns) -> None:
    tables = {table for table, _ in before}
    for place, column in before.items():
        assert place in after, f"{place} is gone"
        assert str(after[place]["type"]) == str(column["type"]), place
    for (table, name), column in after.items():
        is_new = table in tables and (table, name) not in before
        assert not is_new or column["nullable"] or column["default"] is not None, (table, name)


@pytest.fixture(params=BOTH)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    with on_a_database(request, **GENEROUS) as running:
        yield running


@pytest.mark.servers
def test_a_site_goes_on_when_the_database_is_of_a_newer_version(site: Site) -> None:
    table, players = gathered(site)
    assert moved(table, players).status == 303
    of_a_newer_version(site.settings["DATABASE_URL"])
    for _ in range(3):
        assert moved(table, players).status == 303
    workers = site.workers()
    site.process.send_signal(signal.SIGHUP)  # type: ignore[union-attr]
    wait_for(lambda: not {*workers} & {*site.workers()} and site.answers(), awaited="new workers")
    assert moved(table, players).status == 303
    assert "Traceback" not in site.log()
    refused = run("db", "upgrade", **site.settings)
    assert refused.exit_code == 1
    assert "The database is of a newer StrifeBarge" in refused.output


def of_a_newer_version(url: str) -> None:
    """Do to a database what a migration of a newer version may do."""
    engine = engine_for(url, 1)
    with writing(engine) as connection:
        for table in ("tables", "players", "chairs", "moves", "receipts"):
            connection.execute(text(f"ALTER TABLE {table} ADD COLUMN something_new TEXT"))
        connection.execute(text("CREATE TABLE something_else (id TEXT PRIMARY KEY)"))
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
