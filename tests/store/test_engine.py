"""How the database is opened; who waits, in which order; and when it is too busy."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import event, exc, text

from strifebarge.store import engine as engines
from strifebarge.store.engine import Busy, Turnstile, engine_for, reading, write_ahead, writing
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import SqlStore
from tests.store.apart import count_up
from tests.store.conftest import a_receipt, a_table
from tests.support.servers import Postgres, wait_for


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(engines, "PATIENCE", 0.2)


def asked(connection, words):
    return connection.exec_driver_sql(words).scalar()


# -- as it is opened ---------------------------------------------------------------


def test_sqlite_keeps_what_it_commits(sqlite_url):
    engine = engine_for(sqlite_url, 8)
    with reading(engine) as connection:
        pragmas = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete"]
        assert [asked(connection, f"PRAGMA {pragma}") for pragma in pragmas] == ["wal", 2, 1, 5000, 1]
    engine.dispose()


def test_what_is_deleted_is_gone_from_the_file_of_sqlite(sqlite_ready):
    engine, secret = engine_for(sqlite_ready, 8), "the words of somebody who is erased " * 200
    # Some builds of SQLite do so by themselves.
    event.listen(engine, "connect", lambda plain, _: plain.execute("PRAGMA secure_delete = OFF"), insert=True)
    store, path = SqlStore(engine), Path(engine.url.database)
    store.add(a_table(), a_receipt())
    store.keep_note("TABLE001", "ann", secret, -1)
    with reading(engine) as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert secret[:36].encode() in path.read_bytes()
    store.keep_note("TABLE001", "ann", "", -1)
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

    store.add(a_table(), a_receipt(), then=with_a_rematch)
    with pytest.raises(exc.IntegrityError) as fault:
        store.add(a_table("TABLE003", parent="TABLE001", seed="a secret seed"), a_receipt("another key"))
    assert "secret" not in str(fault.value)


def test_postgres_ends_what_takes_too_long(postgres_url):
    engine = engine_for(postgres_url, 8)
    for use in (reading, writing):
        with use(engine) as connection:
            settings = ["statement_timeout", "idle_in_transaction_session_timeout"]
            assert [asked(connection, f"SHOW {each}") for each in settings] == ["5s", "10s"]
    engine.dispose()


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgres_is_found_however_it_is_written(postgres_url, scheme):
    engine = engine_for(postgres_url.replace("postgresql+psycopg", scheme), 8)
    with reading(engine) as connection:
        assert asked(connection, "SELECT 1") == 1
    engine.dispose()


def test_an_address_may_say_how_long_to_wait_for_a_connection():
    def seconds(url):
        return engine_for(url, 8).url.query["connect_timeout"]

    assert seconds("postgresql://nobody@127.0.0.1/nothing") == "5"
    assert seconds("postgresql://nobody@127.0.0.1/nothing?connect_timeout=60") == "60"


def test_more_threads_than_connections_are_no_error(engine, store):
    for number in range(32):
        store.add(a_table(f"TABLE{number:03}"), a_receipt(f"key {number}"))
    with ThreadPoolExecutor(64) as threads:
        work = [threads.submit(count_up, store, f"TABLE{number % 32:03}", 5) for number in range(64)]
        looks = [threads.submit(store.tables_of, "ann") for _ in range(64)]
        for each in [*work, *looks]:
            each.result()
    assert {table.number for table in store.tables_of("ann")} == {10}
    assert engine.pool.checkedout() == 0


# -- who comes first ---------------------------------------------------------------


def test_whoever_came_first_goes_first():
    turnstile, order, threads = Turnstile(1), [], []
    with turnstile.passed():
        for number in range(20):
            threads.append(Thread(target=pass_through, args=(turnstile, order, number)))
            threads[-1].start()
            wait_for(lambda: len(turnstile.queue) == len(threads))
    for thread in threads:
        thread.join()
    assert order == list(range(20))
    assert (turnstile.free, len(turnstile.queue)) == (1, 0)


def pass_through(turnstile, order, number):
    with turnstile.passed():
        order.append(number)


def test_whoever_waits_too_long_gives_up_and_nobody_waits_for_them(impatient):
    turnstile = Turnstile(1)
    with turnstile.passed():
        with pytest.raises(Busy), turnstile.passed():
            pytest.fail("two are inside")
        assert not turnstile.queue
    with turnstile.passed():
        pass


def test_a_fault_inside_frees_the_place():
    turnstile = Turnstile(1)
    with pytest.raises(KeyboardInterrupt), turnstile.passed():
        raise KeyboardInterrupt
    assert turnstile.free == 1


# -- busy --------------------------------------------------------------------------


def test_sqlite_locked_by_another_program_is_busy(impatient, sqlite_ready):
    engine = engine_for(sqlite_ready, 8)
    store = SqlStore(engine)
    store.add(a_table(), a_receipt())
    with closing(sqlite3.connect(engine.url.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="locked"):
            count_up(store, "TABLE001", 1)
        assert store.table("TABLE001").number == 0  # reading goes on
    count_up(store, "TABLE001", 1)
    engine.dispose()


def test_a_table_locked_for_too_long_is_busy(impatient, ready_url):
    one, other = engine_for(ready_url, 8), engine_for(ready_url, 8)
    SqlStore(one).add(a_table(), a_receipt())
    with SqlStore(one).change("TABLE001") as change:
        change.table.number = 7
        started = time.monotonic()
        with pytest.raises(Busy):
            count_up(SqlStore(other), "TABLE001", 1)
        assert time.monotonic() - started < 3
    count_up(SqlStore(other), "TABLE001", 1)
    assert SqlStore(one).table("TABLE001").number == 8
    one.dispose()
    other.dispose()


def test_another_table_is_not_locked_on_postgres(impatient, postgres_ready):
    engine = engine_for(postgres_ready, 8)
    store = SqlStore(engine)
    for id in ("TABLE001", "TABLE002"):
        store.add(a_table(id), a_receipt(f"key {id}"))
    inside, done = Event(), Event()
    with ThreadPoolExecutor(1) as threads:
        held = threads.submit(hold, store, "TABLE001", inside, done)
        inside.wait()
        count_up(store, "TABLE002", 3)
        done.set()
        held.result()
    assert store.table("TABLE002").number == 3
    engine.dispose()


def hold(store, id, inside, done):
    with store.change(id):
        inside.set()
        done.wait()


def test_a_transaction_left_idle_on_postgres_is_ended_and_said_to_be_busy(impatient, postgres_ready):
    engine = engine_for(postgres_ready, 8)
    store = SqlStore(engine)
    store.add(a_table(), a_receipt())
    with pytest.raises(Busy):
        dawdle(store)
    count_up(store, "TABLE001", 1)
    assert store.table("TABLE001").number == 1
    engine.dispose()


def dawdle(store):
    with store.change("TABLE001") as change:
        change.table.number = 9
        time.sleep(0.8)


@pytest.mark.postgres
def test_postgres_taken_away_is_busy_and_brought_back_is_used_again(postgres):
    with Postgres() as server:
        url = server.url(server.create())
        upgrade(url)
        engine = engine_for(url, 8)
        store = SqlStore(engine)
        store.add(a_table(), a_receipt())
        with pytest.raises(Busy):
            stop_in_the_middle(server, store)
        with pytest.raises(Busy):
            store.table("TABLE001")
        with pytest.raises(Busy):
            count_up(store, "TABLE001", 1)
        server.start()
        count_up(store, "TABLE001", 1)
        server.stop()
        server.start()
        assert store.table("TABLE001").number == 1  # the connection was dead, and nobody noticed
        engine.dispose()


def stop_in_the_middle(server, store):
    with store.change("TABLE001") as change:
        change.table.number = 9
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
