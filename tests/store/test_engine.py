"""How the database is opened, and when it is too busy."""

import errno
import os
import shutil
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import event, exc, text

from strifebarge.lib.busy import DiskFull, Interrupted
from strifebarge.store.db import engine as engines
from strifebarge.store.db.engine import (
    Busy,
    access_of,
    engine_for,
    reading,
    takes_no_more,
    write_ahead,
    writing,
)
from strifebarge.store.db.probe import look_at_file, probe_disk
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from tests.store.apart import count_up
from tests.store.conftest import a_receipt, a_table
from tests.support.servers import Postgres, wait_for


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(engines, "PATIENCE", 0.2)
    monkeypatch.setattr(engines, "MOST_SILENT", 0.4)


def patient_engine(url):
    """Make an engine that waits longer than any machine is busy, also where the test is impatient."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "PATIENCE", 60.0)
        patch.setattr(engines, "MOST_SILENT", 60.0)
        engine = engine_for(url, 8)
        with writing(engine):
            pass  # the connection is made, and used again
    return engine


def execute(connection, words):
    return connection.exec_driver_sql(words).scalar()


# -- as it is opened ---------------------------------------------------------------


def test_sqlite_keeps_what_it_commits(sqlite_url):
    engine = engine_for(sqlite_url, 8)
    with reading(engine) as connection:
        pragmas = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete"]
        assert [execute(connection, f"PRAGMA {pragma}") for pragma in pragmas] == ["wal", 2, 1, 5000, 1]
    engine.dispose()


def test_what_is_deleted_is_gone_from_the_file_of_sqlite(sqlite_ready):
    engine, secret = engine_for(sqlite_ready, 8), "the words of somebody who is erased " * 200
    # Some builds of SQLite do so by themselves.
    event.listen(engine, "connect", lambda plain, _: plain.execute("PRAGMA secure_delete = OFF"), insert=True)
    store, path = Store(engine), Path(engine.url.database)
    store.tables.add(a_table(), a_receipt())
    store.tables.keep_note("TABLE001", "ann", secret, -1)
    with reading(engine) as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert secret[:36].encode() in path.read_bytes()
    store.tables.keep_note("TABLE001", "ann", "", -1)
    with reading(engine) as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert secret[:36].encode() not in path.read_bytes()
    engine.dispose()


def test_a_new_file_that_others_open_too_is_waited_for(tmp_path):
    class Locked:
        """A connection that is told twice that the file is locked, as some are whatever the timeout."""

        said = []

        def execute(self, words):
            self.said.append(words)
            if len(self.said) < 3:
                error = sqlite3.OperationalError("database is locked")
                error.sqlite_errorcode = sqlite3.SQLITE_BUSY
                raise error

    write_ahead(Locked())
    assert Locked.said == ["PRAGMA journal_mode = WAL"] * 3


def test_no_parameter_gets_into_a_log(store):
    def with_a_rematch(change):
        change.add(a_table("TABLE002", parent="TABLE001", seed="a secret seed"))

    store.tables.add(a_table(), a_receipt(), then=with_a_rematch)
    with pytest.raises(exc.IntegrityError) as fault:
        store.tables.add(
            a_table("TABLE003", parent="TABLE001", seed="a secret seed"), a_receipt("another key")
        )
    assert "secret" not in str(fault.value)


def test_postgres_ends_what_takes_too_long(postgres_url):
    engine = engine_for(postgres_url, 8)
    for use in (reading, writing):
        with use(engine) as connection:
            settings = ["statement_timeout", "idle_in_transaction_session_timeout"]
            assert [execute(connection, f"SHOW {each}") for each in settings] == ["5s", "4s"]
    engine.dispose()


def test_a_transaction_whose_client_is_cut_off_gives_its_lock_back_before_others_give_up(postgres_url):
    one, other = engine_for(postgres_url, 8), engine_for(postgres_url, 8)
    with writing(one) as connection:
        connection.execute(text("CREATE TABLE counted (number int)"))
        connection.execute(text("INSERT INTO counted VALUES (0)"))
    count = text("UPDATE counted SET number = number + 1")

    def fall_silent():  # as if its machine had no network any more
        with writing(one) as silent:
            silent.execute(count)
            with writing(other) as connection:
                connection.execute(count)
            silent.execute(count)

    with pytest.raises(Interrupted):
        fall_silent()
    with reading(one) as connection:
        assert execute(connection, "SELECT number FROM counted") == 1
    for engine in (one, other):
        engine.dispose()


def test_a_commit_may_take_longer_than_a_client_may_be_silent(postgres_url):
    engine = engine_for(postgres_url, 8)
    with writing(engine) as connection:
        for statement in (
            "CREATE TABLE slow (number int)",
            "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS "
            "'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END'",
            "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION dawdle()",
        ):
            connection.execute(text(statement))
    with writing(engine) as connection:
        connection.execute(text("INSERT INTO slow VALUES (1)"))
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = '100ms'"))
    with reading(engine) as connection:
        assert execute(connection, "SELECT number FROM slow") == 1
    engine.dispose()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgres_is_found_however_it_is_written(postgres_url, scheme):
    engine = engine_for(postgres_url.replace("postgresql+psycopg", scheme), 8)
    with reading(engine) as connection:
        assert execute(connection, "SELECT 1") == 1
    engine.dispose()


def test_an_address_may_say_how_long_to_wait_for_a_connection():
    def seconds(url):
        return engine_for(url, 8).url.query["connect_timeout"]

    assert seconds("postgresql://nobody@127.0.0.1/nothing") == "5"
    assert seconds("postgresql://nobody@127.0.0.1/nothing?connect_timeout=60") == "60"


def test_more_threads_than_connections_are_no_error(engine, store):
    for number in range(32):
        store.tables.add(a_table(f"TABLE{number:03}"), a_receipt(f"key {number}"))
    with ThreadPoolExecutor(64) as threads:
        work = [threads.submit(count_up, store, f"TABLE{number % 32:03}", 5) for number in range(64)]
        looks = [threads.submit(store.tables.tables_of, "ann") for _ in range(64)]
        for each in [*work, *looks]:
            each.result()
    assert {table.position.number for table in store.tables.tables_of("ann")} == {10}
    if engine.dialect.name == "sqlite":
        access_of(engine).writer_at_hand.close()
    assert engine.pool.checkedout() == 0


# -- busy --------------------------------------------------------------------------


def test_sqlite_locked_by_another_program_is_busy(impatient, sqlite_ready):
    engine = engine_for(sqlite_ready, 8)
    store = Store(engine)
    store.tables.add(a_table(), a_receipt())
    with closing(sqlite3.connect(engine.url.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="locked"):
            count_up(store, "TABLE001", 1)
        assert store.tables.table("TABLE001").position.number == 0  # reading goes on
    count_up(store, "TABLE001", 1)
    engine.dispose()


def test_a_table_locked_for_too_long_is_busy(impatient, ready_url):
    one, other = patient_engine(ready_url), engine_for(ready_url, 8)
    Store(one).tables.add(a_table(), a_receipt())
    with Store(one).tables.change("TABLE001") as change:
        change.table.position.number = 7
        with pytest.raises(Busy):
            count_up(Store(other), "TABLE001", 1)
    count_up(Store(one), "TABLE001", 1)
    assert Store(one).tables.table("TABLE001").position.number == 8
    one.dispose()
    other.dispose()


def test_another_table_is_not_locked_on_postgres(postgres_ready):
    engine = engine_for(postgres_ready, 8)
    store = Store(engine)
    for id in ("TABLE001", "TABLE002"):
        store.tables.add(a_table(id), a_receipt(f"key {id}"))
    inside, done = Event(), Event()
    with ThreadPoolExecutor(1) as threads:
        held = threads.submit(hold, store, "TABLE001", inside, done)
        inside.wait()
        count_up(store, "TABLE002", 3)
        done.set()
        held.result()
    assert store.tables.table("TABLE002").position.number == 3
    engine.dispose()


def hold(store, id, inside, done):
    with store.tables.change(id):
        inside.set()
        done.wait()


def test_a_transaction_left_idle_on_postgres_is_ended_and_said_to_be_busy(impatient, postgres_ready):
    engine = engine_for(postgres_ready, 8)
    store = Store(engine)
    store.tables.add(a_table(), a_receipt())
    with pytest.raises(Busy):
        dawdle(store)
    engine.dispose()
    engine = patient_engine(postgres_ready)
    count_up(Store(engine), "TABLE001", 1)
    assert Store(engine).tables.table("TABLE001").position.number == 1
    engine.dispose()


def dawdle(store):
    with store.tables.change("TABLE001") as change:
        change.table.position.number = 9
        time.sleep(0.8)


@pytest.mark.postgres
def test_postgres_taken_away_is_busy_and_brought_back_is_used_again(postgres):
    with Postgres() as server:
        url = server.url(server.create())
        upgrade(url)
        engine = engine_for(url, 8)
        store = Store(engine)
        store.tables.add(a_table(), a_receipt())
        with pytest.raises(Busy):
            stop_in_the_middle(server, store)
        with pytest.raises(Busy):
            store.tables.table("TABLE001")
        with pytest.raises(Busy):
            count_up(store, "TABLE001", 1)
        server.start()
        count_up(store, "TABLE001", 1)
        server.stop()
        server.start()
        assert (
            store.tables.table("TABLE001").position.number == 1
        )  # the connection was dead, and nobody noticed
        engine.dispose()


def stop_in_the_middle(server, store):
    with store.tables.change("TABLE001") as change:
        change.table.position.number = 9
        server.stop()


def test_what_does_not_pass_is_not_called_busy(engine):
    with pytest.raises(exc.DBAPIError), writing(engine) as connection:
        connection.execute(text("SELECT nothing FROM nowhere"))
    with pytest.raises(exc.IntegrityError), writing(engine) as connection:
        connection.execute(
            text("INSERT INTO chairs (table_id, seat, player, to_move) VALUES ('NOBODY00', 0, 'ann', false)")
        )


def test_a_file_that_cannot_be_opened_is_not_called_busy(tmp_path):
    engine = engine_for(f"sqlite:///{tmp_path}/nowhere/strifebarge.db", 8)
    with pytest.raises(exc.OperationalError, match="unable to open"), reading(engine):
        pytest.fail("it is open")
    engine.dispose()


# -- readers -----------------------------------------------------------------------


def test_readers_cannot_write(ready_url):
    engine = engine_for(ready_url, 8)
    with pytest.raises(exc.DBAPIError, match="read"), reading(engine) as connection:
        connection.exec_driver_sql("INSERT INTO secrets (name, value) VALUES ('a', 'b')")
    engine.dispose()


def test_readers_wait_for_no_writer(impatient, ready_url):
    engine = engine_for(ready_url, 1)  # with one connection to write
    store = Store(engine)
    store.tables.add(a_table(), a_receipt())
    with store.tables.change("TABLE001"), ThreadPoolExecutor(1) as threads:
        waits = threads.submit(count_up, store, "TABLE001", 1)
        wait_for(lambda: len(access_of(engine).writers.queue) == 1)
        assert store.tables.table("TABLE001").id == "TABLE001"
        with pytest.raises(Busy):
            waits.result()
    engine.dispose()


# -- a file that is gone ----------------------------------------------------------


def test_nothing_is_written_to_a_file_that_was_moved_away_until_it_is_back(sqlite_ready, caplog):
    engine = engine_for(sqlite_ready, 8)
    file, away = Path(engine.url.database), Path(engine.url.database).with_name("away.db")
    write_much(engine)
    for there in (False, True):  # nothing, or another database
        file.rename(away)
        if there:
            shutil.copy(away, file)
        for _ in range(2):
            with pytest.raises(Busy, match="was moved, deleted or replaced"):
                write_much(engine)
        assert access_of(engine).health.file_gone
        away.rename(file)
        look_at_file(engine)
        assert not access_of(engine).health.file_gone
    with writing(engine) as connection:
        connection.exec_driver_sql("DELETE FROM secrets")
    assert [each.levelname for each in caplog.records] == ["ERROR", "WARNING"] * 2
    engine.dispose()


# -- a full disk -------------------------------------------------------------------


def test_sqlite_that_cannot_grow_says_that_the_disk_is_full_until_it_can(sqlite_ready):
    engine = engine_for(sqlite_ready, 8)
    health, most = access_of(engine).health, [1]
    event.listen(engine, "begin", lambda each: each.exec_driver_sql(f"PRAGMA max_page_count = {most[0]}"))
    for _ in range(2):
        with pytest.raises(DiskFull):
            write_much(engine)
        assert health.disk_full
    with pytest.raises(DiskFull):
        probe_disk(engine)
    most[0] = 1_000_000
    with writing(engine) as connection:  # what is small may find room by chance
        connection.exec_driver_sql("DELETE FROM secrets")
    assert health.disk_full
    probe_disk(engine)
    assert not health.disk_full
    write_much(engine)
    with reading(engine) as connection:
        assert execute(connection, "SELECT count(*) FROM secrets") == 1
    engine.dispose()


def write_much(engine):
    with writing(engine) as connection:
        connection.exec_driver_sql(f"INSERT INTO secrets (name, value) VALUES ('much', '{'x' * 400_000}')")


def test_postgres_without_room_says_that_the_disk_is_full(postgres_ready):
    engine = engine_for(postgres_ready, 8)
    with pytest.raises(DiskFull), writing(engine) as connection:
        connection.exec_driver_sql("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$")
    assert access_of(engine).health.disk_full
    probe_disk(engine)
    assert not access_of(engine).health.disk_full
    with reading(engine) as connection:
        assert execute(connection, "SELECT count(*) FROM secrets WHERE name = 'probe'") == 0
    engine.dispose()


@pytest.mark.parametrize(
    ("number", "full"), [(errno.ENOSPC, True), (errno.EDQUOT, True), (errno.EIO, False), (None, False)]
)
def test_a_disk_or_a_quota_without_room_is_told_from_one_that_is_broken(tmp_path, monkeypatch, number, full):
    def fsync(_file):
        if number:
            raise OSError(number, "")

    monkeypatch.setattr(os, "fsync", fsync)
    assert takes_no_more(str(tmp_path)) is full


def test_where_no_thread_looks_for_room_anything_that_is_written_shows_it(sqlite_ready):
    engine = engine_for(sqlite_ready, 8)
    health = access_of(engine).health
    health.found_disk_full()
    with writing(engine):
        pass
    assert not health.disk_full
    engine.dispose()
