"""What a request reads at once is what each question would have found, and never old."""

import pytest

from strifebarge.notifications.models import Subscriber
from strifebarge.people.models import Device
from strifebarge.rules import Refused
from strifebarge.store.db.engine import engine_for
from strifebarge.store.prefetch_statements import PEOPLE, TABLE, VACATIONS
from strifebarge.store.sessions import OPEN_SESSION
from strifebarge.store.store import Store
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.model.chat import ChatMessage, Room
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Outdated, PresenceSign
from strifebarge.tables.model.table import Chair, TableRefusal
from tests.store.conftest import a_receipt, a_table
from tests.support.databases import statements

HERE = "TABLE001"
NOW = 1_700_000_000.123456  # seconds since 1970: with more digits than JSON of a database may keep
LINE = ChatMessage(1, Room.TABLE, "ann", "Ann", 0, "Hello, ‘you’ 🂡", "", NOW)


@pytest.fixture
def beside(engine, store):
    """A table with all that may stand beside it, and another process on the same database."""
    tables = store.tables
    tables.add(a_table(waiting=[0, 1]), a_receipt("the key of a form"), Player("ann", "Ann", NOW))
    store.accounts.save_player(Player("ann", "Ann", NOW))
    store.accounts.add_device(Device("phone", "ann", "", 1, NOW), Player("ann", "Ann", NOW))
    store.accounts.prefer("ann", "theme", "dark")
    store.notifications.keep_subscriber(Subscriber(player="bob", language="de", silent=(HERE,)))
    say(store, LINE, ChatMessage(2, Room.GALLERY, "eve", "", None, "", "hello", NOW + 1))
    tables.keep_note(HERE, "ann", "mine", -1)
    tables.keep_note(HERE, "ann", "of a seat", 1)
    tables.mute("ann", "eve", True)
    tables.see(
        [PresenceSign(HERE, "ann", NOW + 5), PresenceSign(HERE, "bob", NOW)],
        [PresenceSign(HERE, "a mark", NOW + 9)],
        NOW,
    )
    for began in (NOW + 7, NOW):
        tables.set_vacation("bob", lambda _, began=began: Vacation("bob", began, began + 1))
    for at in (NOW - 900, NOW - 890, NOW - 300, NOW - 90):
        tables.beat(at, 60)
    other = engine_for(engine.url.render_as_string(hide_password=False), 2)
    yield Store(other)
    other.dispose()


def say(store, *lines):
    with store.tables.change(HERE) as change:
        for line in lines:
            change.say(line)


def answers(store):
    """What a page asks about the table, and about who looks at it."""
    tables = store.tables
    return [
        [tables.waiting_for(player) for player in ("ann", "bob")],
        tables.table(HERE),
        tables.present(HERE),
        tables.spectators(HERE, NOW),
        [tables.uptime_periods(number) for number in (0, 1, 2, 3)],
        tables.vacations(["bob", "ann"]),
        tables.vacations(["somebody else"]),
        tables.lines(HERE),
        tables.muted_by("ann"),
        tables.muted_by("bob"),
        [tables.note(HERE, "ann", seat) for seat in (-1, 0, 1)],
        tables.note(HERE, "bob"),
        [store.notifications.subscriber(player) for player in ("ann", "bob", "eve")],
    ]


def test_what_is_read_at_once_is_what_each_question_finds(beside, store):
    each = answers(store)
    assert [len(each[place]) for place in (2, 5, 7, 8)] == [2, 2, 2, 1]
    for process in (store, beside, store):  # the first has nothing kept, the last what it has read before
        process.tables.prefetch(HERE, NOW)
        assert answers(process) == each
        process.tables.forget_prefetched()


def test_what_was_read_is_asked_for_no_more_and_the_draft_of_a_form_neither(beside, engine, store):
    store.tables.uptime_periods(1)
    run = statements(engine)
    store.tables.prefetch(HERE, NOW)
    tables = store.tables
    for _ in range(2):
        tables.table(HERE), tables.present(HERE), tables.spectators(HERE, NOW)
        tables.uptime_periods(0), store.notifications.subscriber("bob")
    assert len(run) == 2
    for _ in range(2):
        tables.vacations(["bob"])
    assert len(run) == 3
    run.clear()
    store.tables.prefetch(HERE, NOW, "the key of a form")
    draft = store.tables.draft(HERE, "the key of a form")
    assert len(run) == 2
    assert draft.receipt == store.tables.receipt("the key of a form")
    run.clear()
    assert store.tables.draft(HERE, "the key of a form").table == draft.table  # again: as it is then
    assert len(run) == 1


def test_a_seat_taken_over_counts_at_once(beside, store):
    beside.tables.prefetch(HERE, NOW)
    with store.tables.change(HERE) as change:
        change.table.chairs[0] = Chair(0, "eve", "Eve")
    beside.tables.prefetch(HERE, NOW)
    assert beside.tables.table(HERE).chairs[0].player == "eve"


def test_who_writes_reads_what_was_written(beside, store):
    store.tables.prefetch(HERE, NOW)
    before = store.tables.table(HERE)
    with store.tables.change(HERE) as change:
        change.table.version += 1
    assert store.tables.table(HERE).version == before.version + 1
    store.tables.prefetch(HERE, NOW, "another key")
    draft = store.tables.draft(HERE, "another key")
    with beside.tables.change(HERE) as change:
        change.table.version += 1
    draft.table.version = 77
    with pytest.raises(Outdated), draft.locked():
        pass
    assert store.tables.table(HERE).version == before.version + 2


def test_a_table_that_is_not_there_is_asked_for_once(engine, store):
    run = statements(engine)
    store.tables.prefetch("NOBODY00", NOW)
    for ask in (store.tables.table, store.tables.table):
        with pytest.raises(Refused) as no:
            ask("NOBODY00")
        assert no.value.why is TableRefusal.NO_TABLE
    assert len(run) == 1


@pytest.mark.parametrize("statement", [TABLE, PEOPLE, VACATIONS, OPEN_SESSION])
def test_no_statement_reads_a_whole_table(engine, statement):
    values = {"of": "x", "used": "x", "known_by": "x", "now": 1.0}
    select = statement.statement
    wanted = {name: values.get(name, 1) for name in select.compile().params}
    words = select.params(wanted).compile(engine, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET enable_seqscan = off")  # as if the tables were large
        plan = [str(row) for row in connection.exec_driver_sql(f"{explain} {words}")]
    scans = [line for line in plan if "Seq Scan" in line or ("SCAN" in line and "SCALAR" not in line)]
    # The newest uptime period is the last of its index; a subquery of a row is scanned.
    allowed = ("uptime_periods", "anon_", "CONSTANT ROW", "Subquery Scan", "CO-ROUTINE")
    assert [line for line in scans if not any(each in line for each in allowed)] == []
