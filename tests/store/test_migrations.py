"""A database brought up to date is the one that the code knows."""

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text

from strifebarge.store import migrations
from strifebarge.store.db.engine import engine_for, writing
from strifebarge.store.migrations import NewerDatabase, upgrade
from strifebarge.store.schema import metadata
from strifebarge.store.store import Store
from tests.store.apart import at_once, migrate
from tests.store.conftest import a_receipt, a_table, dump
from tests.support.databases import add_migration


@pytest.fixture
def bare(database_url):
    """An engine on a database that nobody has brought up to date."""
    engine = engine_for(database_url, 8)
    yield engine
    engine.dispose()


def revisions(engine):
    with engine.connect() as connection:
        return connection.scalars(text("SELECT version_num FROM alembic_version")).all()


def numbers():
    """Those of all migrations, the newest first."""
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0])
    return [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]


def described(engine):
    """All that the database itself says of its tables."""
    inspector = inspect(engine)
    names = [name for name in inspector.get_table_names() if name != "alembic_version"]
    return {
        name: {
            "columns": [{**column, "type": repr(column["type"])} for column in inspector.get_columns(name)],
            "primary key": inspector.get_pk_constraint(name),
            "foreign keys": sorted(inspector.get_foreign_keys(name), key=str),
            "unique": inspector.get_unique_constraints(name),
            "indexes": sorted(inspector.get_indexes(name), key=str),
        }
        for name in names
    }


def test_the_migrations_lead_to_the_tables_of_the_code(database_url, bare):
    upgrade(database_url)
    with bare.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_the_migrations_lead_to_what_making_the_tables_at_once_would(database_url, bare):
    upgrade(database_url)
    migrated = described(bare)
    assert migrated.keys() == metadata.tables.keys()
    metadata.drop_all(bare)
    metadata.create_all(bare)
    assert described(bare) == migrated


def test_upgrading_twice_is_upgrading_once(database_url, bare):
    upgrade(database_url)
    Store(bare).tables.add(a_table(), a_receipt())
    before = dump(bare)
    upgrade(database_url)
    assert dump(bare) == before
    assert revisions(bare) == [numbers()[0]]


def test_an_older_database_is_brought_up_to_date_and_keeps_its_rows(
    database_url, bare, monkeypatch, tmp_path
):
    upgrade(database_url)
    Store(bare).tables.add(a_table(), a_receipt())
    before = dump(bare)
    number = add_migration(monkeypatch, tmp_path)
    upgrade(database_url)
    assert revisions(bare) == [number]
    assert dump(bare) == before
    assert "added_later" in inspect(bare).get_table_names()


@pytest.mark.full("a race between processes")
def test_four_processes_at_once_upgrade_once(database_url, bare):
    assert at_once(migrate, database_url) == [True] * 4
    assert revisions(bare) == [numbers()[0]]
    assert described(bare).keys() == metadata.tables.keys()


def test_a_newer_database_is_refused_and_left_alone(database_url, bare):
    upgrade(database_url)
    with writing(bare) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    with pytest.raises(NewerDatabase, match=rf"0999.*{numbers()[0]}"):
        upgrade(database_url)
    assert revisions(bare) == ["0999"]


def test_there_is_one_line_of_migrations_numbered_in_order():
    assert numbers() == [f"{number:04}" for number in range(len(numbers()), 0, -1)]


def test_a_migration_that_fails_leaves_no_trace(database_url, monkeypatch):
    whole = migrations.command.upgrade

    def half(config, revision):
        whole(config, revision)
        raise RuntimeError("a bug")

    monkeypatch.setattr(migrations.command, "upgrade", half)
    with pytest.raises(RuntimeError, match="a bug"):
        upgrade(database_url)
    engine = create_engine(database_url)
    assert inspect(engine).get_table_names() == []
    engine.dispose()


def test_changing_a_table_of_sqlite_takes_nothing_with_it(sqlite_url):
    """SQLite changes a table by dropping the old one, and then whatever refers to it may go as well."""
    upgrade(sqlite_url)
    engine = engine_for(sqlite_url, 1)
    Store(engine).tables.add(a_table(), a_receipt())
    before = dump(engine)
    with migrations.alone(sqlite_url) as connection:
        operations = Operations(MigrationContext.configure(connection, opts={"render_as_batch": True}))
        with operations.batch_alter_table("tables", recreate="always") as batch:
            batch.alter_column("game", nullable=True)
    assert dump(engine) == before
    with pytest.raises(RuntimeError, match="refers to nothing"), migrations.alone(sqlite_url) as connection:
        connection.execute(text("DELETE FROM tables"))
    assert dump(engine) == before
    engine.dispose()
