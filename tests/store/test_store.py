"""Tables, ledgers, receipts and people: what is given to the store comes back, whole or not at all."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import pairwise

import pytest
from sqlalchemy.exc import IntegrityError

from strifebarge.people.models import Device, Visit
from strifebarge.rules import Ranking, Refused
from strifebarge.rules.ledger import Snapshot
from strifebarge.store import accounts_statements as people_statements
from strifebarge.store import change as change_of_a_table
from strifebarge.store import ledger
from strifebarge.store import listings as lists
from strifebarge.store.ledger import KEPT_FOR, PURGE_EVERY
from strifebarge.store.sessions import SqlSessions
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Busy, PresenceSign, Row
from strifebarge.tables.model.table import Chair, Status, TableRefusal
from tests.store.apart import at_once, count_up, count_up_by_drafts, count_up_there
from tests.store.conftest import a_receipt, a_table, dump
from tests.support.databases import statements
from tests.support.together import together

ROWS = [
    Row(0, None, None, log=[{"text": "The cards are dealt."}], fingerprint="f0", at=1.25),
    Row(1, 0, {"do": "say", "words": "\0 ‘ä’ 🂡"}),
    Row(
        2,
        1,
        {"do": "pass"},
        log=[{"text": "{seat} passes.", "args": {"seat": {"seat": 1}}}],
        final=True,
        at=9e9,
    ),
]


# -- what comes back ---------------------------------------------------------------


def test_a_table_comes_back_as_it_was(store):
    table = a_table(
        status=Status.OVER,
        options={"cards": 7, "deck": "french", "nested": {"a": [1, None, True]}},
        pending={0: {"do": "pass"}, 11: {"do": "play"}},
        result=Ranking([[1], [0, 2]], {0: 1.5, 1: -3}, why={"text": "Out of cards."}),
        trouble="\0 none",
        host="ann",
        parent="TABLE000",
        version=7,
        number=12,
        created=1700000000.123456,
        started=1700000001.5,
    )
    assert store.tables.add(table, a_receipt()) == table
    assert store.tables.table(table.id) == table


def test_a_ledger_comes_back_in_order(store):
    store.tables.add(a_table(), a_receipt())
    with store.tables.change("TABLE001") as change:
        change.append(ROWS[2:])
        change.append(ROWS[:2])
        assert change.rows("TABLE001", -1) == ROWS
    assert store.tables.rows("TABLE001", -1) == ROWS
    assert store.tables.rows("TABLE001", 0) == ROWS[1:]
    assert store.tables.rows("TABLE001", -1, 1) == ROWS[:2]
    assert store.tables.rows("TABLE001", 2) == store.tables.rows("TABLE002", -1) == []


def test_a_number_is_given_once(store):
    store.tables.add(a_table(), a_receipt())
    for _ in range(2):
        try:
            with store.tables.change("TABLE001") as change:
                change.append(ROWS[:1])
        except IntegrityError:
            break
    else:
        pytest.fail("two rows have one number")
    assert store.tables.rows("TABLE001", -1) == ROWS[:1]


def test_the_newest_snapshot_is_found_and_the_newest_up_to_a_move(store):
    store.tables.add(a_table(), a_receipt())
    snapshots = [Snapshot(number, f"stage{number}", bytes([number, 0, 255])) for number in (0, 20, 40)]
    with store.tables.change("TABLE001") as change:
        for snapshot in snapshots:
            change.keep(snapshot)
        assert change.snapshot("TABLE001") == snapshots[2]
        assert change.snapshot("TABLE001", 39) == snapshots[1]
    assert store.tables.snapshot("TABLE001") == snapshots[2]
    assert [store.tables.snapshot("TABLE001", at) for at in (0, 19, 20, 39, 40, 99)] == [
        snapshots[n] for n in (0, 0, 1, 1, 2, 2)
    ]


def test_snapshots_are_thinned_out(engine, store):
    store.tables.add(a_table(), a_receipt())
    for number in [0, 1, 5, 19, 20, 21, 39, 41, 50, 100]:
        with store.tables.change("TABLE001") as change:
            change.keep(Snapshot(number, "play", b""))
    # 39 came before 41 only by 2, but 19 after the 20 that stayed.
    assert [row.number for row in dump(engine)["snapshots"]] == [0, 100, 20, 41]


@pytest.mark.parametrize("steps", [[1], [2], [7], [3, 1, 4, 1, 5, 9, 2, 6], [30]])
def test_no_move_is_far_from_the_snapshot_before_it(engine, store, steps):
    store.tables.add(a_table(), a_receipt())
    number, stages = 0, []
    with store.tables.change("TABLE001") as change:
        for turn in range(120):
            change.keep(Snapshot(number, "play", b""))
            stages.append(number)
            number += steps[turn % len(steps)]
    numbers = sorted(row.number for row in dump(engine)["snapshots"])
    assert numbers[0] == 0
    assert numbers[-1] == stages[-1]
    assert all(after - before >= 20 for before, after in pairwise(numbers[:-1]))
    assert all(after - before < 20 + max(steps) for before, after in pairwise(numbers))


def test_a_receipt_comes_back(store):
    given = a_receipt("another key", table="TABLE001", number=4, at=12.5)
    store.tables.add(a_table(), a_receipt())
    with store.tables.change("TABLE001") as change:
        assert change.receipt("another key") is None
        change.give_receipt(given)
        assert change.receipt("another key") == given
    assert store.tables.receipt("another key") == given
    assert store.tables.receipt("no such key") is None


def test_people_come_back_and_may_be_called_otherwise(store):
    assert store.accounts.player("ann") is None
    ann = Player("ann", created=3.5)
    store.accounts.save_player(ann)
    assert store.accounts.player("ann") == ann
    ann.name = "Änne"
    store.accounts.save_player(ann)
    assert store.accounts.player("ann") == Player("ann", "Änne", 3.5)


@pytest.mark.parametrize(
    "ask",
    [
        lambda store, _: store.tables.table("NOBODY00"),
        lambda store, _: store.tables.snapshot("NOBODY00"),
        lambda store, stack: stack.enter_context(store.tables.change("NOBODY00")),
    ],
)
def test_an_unknown_table_is_refused(store, ask):
    with pytest.raises(Refused) as no, ExitStack() as stack:
        ask(store, stack)
    assert no.value.why is TableRefusal.NO_TABLE


# -- a change is whole, or is not --------------------------------------------------


def everything(change, fault=None):
    """All that a change can do, and then perhaps a fault."""
    change.table.status = Status.OVER
    change.table.chairs[0].give("eve")
    change.table.position.waiting = [1]
    change.append(ROWS)
    change.keep(Snapshot(0, "play", b"state"))
    change.give_receipt(a_receipt("a key for all", table="TABLE001"))
    change.add(a_table("TABLE002", parent="TABLE001"))
    if fault:
        raise fault


def locked_first(store, id):
    """A change that locks the table before it reads it."""
    return store.tables.change(id)


def read_first(store, id):
    """A change as forms make it: of a table that was read before, without a lock."""
    return store.tables.draft(id).locked()


EITHER_WAY = pytest.mark.parametrize("changing", [locked_first, read_first])


@EITHER_WAY
@pytest.mark.parametrize(
    "fault", [Refused(TableRefusal.FULL), ValueError("a bug"), KeyboardInterrupt(), SystemExit()]
)
def test_a_change_that_fails_leaves_no_trace(engine, store, fault, changing):
    store.tables.add(a_table(), a_receipt())
    before = dump(engine)
    with pytest.raises(type(fault)), changing(store, "TABLE001") as change:
        everything(change, fault)
    assert dump(engine) == before
    with changing(store, "TABLE001") as change:  # nor a lock
        everything(change)
    assert dump(engine) != before


def test_what_was_read_before_somebody_else_changed_it_is_not_written(engine, store):
    store.tables.add(a_table(), a_receipt())
    draft = store.tables.draft("TABLE001")
    assert draft.still_stands()
    with store.tables.change("TABLE001") as change:
        change.table.version += 1
    assert not draft.still_stands()
    before = dump(engine)
    with draft.locked() as change:
        assert not change.is_current
        change.table.version = 77
    assert dump(engine) == before
    fresh = store.tables.draft("TABLE001", "a key of its own")
    assert fresh.receipt == store.tables.receipt("a key of its own")
    assert not fresh.still_stands("a key of its own")
    with fresh.locked() as change:
        assert change.is_current


@EITHER_WAY
def test_the_revision_counts_the_changes_and_nothing_else(store, changing):
    store.tables.add(a_table(), a_receipt())
    with changing(store, "TABLE001") as change:
        change.table.version += 1
        assert change.table.revision == 0
    assert change.table.revision == store.tables.table("TABLE001").revision == 1
    with changing(store, "TABLE001") as change:
        change.receipt("no such key")
    assert change.table.revision == store.tables.table("TABLE001").revision == 1
    with changing(store, "TABLE001") as change:
        change.give_receipt(a_receipt("a key that changes nothing", table="TABLE001"))
    assert change.table.revision == store.tables.table("TABLE001").revision == 2


def test_a_rematch_is_kept_with_the_table_that_names_it(store):
    store.tables.add(a_table(), a_receipt())
    again = a_table("TABLE002", parent="TABLE001")
    with store.tables.change("TABLE001") as change:
        change.table.series.rematch = again.id
        change.add(again)
    assert store.tables.table("TABLE001").series.rematch == "TABLE002"
    assert store.tables.table("TABLE002") == again


def test_a_table_has_one_rematch(engine, store):
    store.tables.add(a_table(), a_receipt())
    store.tables.add(a_table("TABLE002", parent="TABLE001"), a_receipt("a second key"))
    before = dump(engine)
    with pytest.raises(IntegrityError), store.tables.change("TABLE001") as change:
        change.add(a_table("TABLE003", parent="TABLE001"))
    assert dump(engine) == before


def test_whoever_is_killed_in_a_change_leaves_neither_trace_nor_lock(engine, ready_url, store):
    store.tables.add(a_table(), a_receipt())
    before = dump(engine)
    command = [sys.executable, "-m", "tests.store.apart", ready_url, "TABLE001"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "inside\n"
        other.kill()
    assert dump(engine) == before
    with store.tables.change("TABLE001") as change:
        change.table.position.number += 1
    assert store.tables.table("TABLE001").position.number == 1


# -- many at once ------------------------------------------------------------------


BOTH_WAYS = pytest.mark.parametrize("count", [count_up, count_up_by_drafts])


@BOTH_WAYS
def test_threads_that_change_one_table_come_one_after_another(store, count):
    store.tables.add(a_table(), a_receipt())
    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(count, store, "TABLE001", 25) for _ in range(8)]:
            done.result()
    table = store.tables.table("TABLE001")
    assert (table.position.number, table.revision) == (200, 200)
    assert [row.number for row in store.tables.rows("TABLE001", 0)] == list(range(1, 201))


@BOTH_WAYS
@pytest.mark.full("a race between processes")
def test_processes_that_change_one_table_come_one_after_another(ready_url, store, count):
    store.tables.add(a_table(), a_receipt())
    at_once(count_up_there, ready_url, "TABLE001", 50, count)
    table = store.tables.table("TABLE001")
    assert (table.position.number, table.revision) == (200, 200)


# -- once for each key -------------------------------------------------------------


def test_the_same_form_twice_opens_one_table(engine, store):
    store.tables.add(a_table(), a_receipt())
    assert store.tables.receipt("a key of its own").table == "TABLE001"
    with store.tables.change("TABLE001") as change:  # what has become of it since
        change.table.version = 3
    before = dump(engine)
    assert store.tables.add(a_table("TABLE002"), a_receipt()) == change.table
    assert dump(engine) == before


def test_a_key_is_for_one_form(engine, store):
    store.tables.add(a_table(), a_receipt())
    before = dump(engine)
    with pytest.raises(Refused) as no:
        store.tables.add(a_table("TABLE002"), a_receipt(digest="something else"))
    assert no.value.why is TableRefusal.KEY_REUSED
    assert dump(engine) == before


def test_the_same_form_many_times_at_once_opens_one_table(engine, store):
    adding = (partial(store.tables.add, a_table(f"TABLE00{number}"), a_receipt()) for number in range(8))
    answers = {table.id for table in together(*adding)}
    assert answers == {row.id for row in dump(engine)["tables"]}
    assert len(answers) == 1


def test_a_key_is_for_one_table(engine, store):
    store.tables.add(a_table(), a_receipt())
    before = dump(engine)
    with pytest.raises(Refused) as no, store.tables.change("TABLE001") as change:
        change.give_receipt(a_receipt(table="TABLE001"))
    assert no.value.why is TableRefusal.KEY_REUSED
    assert dump(engine) == before


def test_a_table_and_what_is_done_there_at_once_are_kept_together_or_not_at_all(engine, store):
    def begin(change):
        change.table.status = Status.PLAYING
        change.append(ROWS[:1])

    def break_off(change):
        begin(change)
        raise RuntimeError("killed")

    before = dump(engine)
    with pytest.raises(RuntimeError):
        store.tables.add(a_table(), a_receipt(), then=break_off)
    assert dump(engine) == before
    store.tables.add(a_table(), a_receipt(), then=begin)
    assert store.tables.table("TABLE001").status is Status.PLAYING
    assert store.tables.rows("TABLE001", -1) == ROWS[:1]


def test_an_id_that_is_taken_is_never_given_twice(engine, store):
    store.tables.add(a_table(), a_receipt())
    before = dump(engine)
    with pytest.raises(Busy):
        store.tables.add(a_table(), a_receipt(key="another key of its own"))
    assert dump(engine) == before


def test_receipts_of_old_are_thrown_away_in_the_end(store):
    store.tables.add(a_table(), a_receipt(key="old, to be thrown away", at=1.0))
    store.tables.add(a_table("TABLE002"), a_receipt(key="new enough to be kept", at=KEPT_FOR))
    with store.tables.change("TABLE001") as change:
        for number in range(PURGE_EVERY):
            change.give_receipt(a_receipt(key=f"one of many: {number:04}", table="TABLE001", at=KEPT_FOR + 2))
    assert store.tables.receipt("old, to be thrown away") is None
    assert store.tables.receipt("new enough to be kept")
    assert store.tables.receipt("one of many: 0000")


# -- my games ----------------------------------------------------------------------


def test_a_player_finds_their_tables_the_one_changed_last_first(store):
    for nth, id in enumerate(["TABLE001", "TABLE002", "TABLE003"]):
        store.tables.add(a_table(id, changed=nth), a_receipt(f"key {id}"))
    store.tables.add(a_table("TABLE004", chairs=[Chair(0, "bob"), Chair(1)]), a_receipt("key of Bob's"))
    assert [table.id for table in store.tables.tables_of("ann")] == ["TABLE003", "TABLE002", "TABLE001"]
    with store.tables.change("TABLE001") as change:
        change.table.times.changed = 7
    with store.tables.change("TABLE002") as change:
        change.table.chairs[0].give("eve")
    assert [table.id for table in store.tables.tables_of("ann")] == ["TABLE001", "TABLE003"]
    assert store.tables.tables_of("eve") == [store.tables.table("TABLE002")]
    assert store.tables.tables_of("nobody") == []


def test_a_chair_taken_away_is_nobodys(engine, store):
    store.tables.add(
        a_table(chairs=[Chair(0, "ann"), Chair(1), Chair(2, "bob"), Chair(3, "eve")]), a_receipt()
    )
    with store.tables.change("TABLE001") as change:
        change.table.chairs = [Chair(0, "ann"), Chair(1, "bob")]
    assert [(row.seat, row.player) for row in dump(engine)["chairs"]] == [(0, "ann"), (1, "bob")]
    assert store.tables.tables_of("eve") == []


def test_a_player_is_waited_for_where_it_is_their_move(store):
    store.tables.add(a_table(), a_receipt())
    store.tables.add(a_table("TABLE002", waiting=[0, 1]), a_receipt("a second key"))
    store.tables.add(a_table("TABLE003", status="over"), a_receipt("a third key"))
    store.tables.add(a_table("TABLE004", status="open"), a_receipt("a fourth key"))
    assert (
        store.tables.waiting_for("ann"),
        store.tables.waiting_for("bob"),
        store.tables.waiting_for("eve"),
    ) == (2, 1, 0)
    store.accounts.save_player(Player("ann", "Ann"))
    store.accounts.add_device(Device("phone", "ann", "", 1, 2), Player("ann", "Ann"))
    sessions = SqlSessions(store.tables.engine)
    sessions.set("a session", {"p": "ann", "d": "phone"}, 60)
    assert sessions.open("a session").visit == Visit(Player("ann", "Ann"), 2, 2)
    with store.tables.change("TABLE001") as change:
        change.table.position.waiting = [1]
    assert (store.tables.waiting_for("ann"), store.tables.waiting_for("bob")) == (1, 2)
    with store.tables.change("TABLE002") as change:
        change.table.status = Status.OVER
    assert (store.tables.waiting_for("ann"), store.tables.waiting_for("bob")) == (0, 1)
    with store.tables.change("TABLE001") as change:
        change.table.chairs[1].give(None)
    assert store.tables.waiting_for("bob") == 0


# -- what it costs -----------------------------------------------------------------


def test_a_move_costs_five_statements(engine, store):
    store.tables.add(a_table(), a_receipt())
    run = statements(engine)
    with store.tables.draft("TABLE001", "a key for a move").locked() as change:
        change.table.position.number, change.table.position.waiting = 1, [1]
        change.append(ROWS[1:])
        change.give_receipt(a_receipt("a key for a move", table="TABLE001"))
    assert [words.split()[0] for words in run if not words.startswith("BEGIN")] == [
        "SELECT",
        "UPDATE",
        "INSERT",
        "INSERT",
        "INSERT",
    ]
    run.clear()
    store.tables.table("TABLE001")
    assert len([words for words in run if not words.startswith("BEGIN")]) == 1


PEOPLE = ["PLAYER", "PERSON", "DEVICES", "ACCOUNT", "ACCOUNT_OF", "PASSKEYS", "PASSKEY", "TRACES"]
QUESTIONS = [
    *((lists, name) for name in ("TABLES_OF", "WAITING_FOR")),
    *((ledger, name) for name in ("LEDGER_UPTO", "SNAPSHOT_AT", "RECEIPT")),
    *((change_of_a_table, name) for name in ("DRAFT", "STANDING", "REVISION")),
    *((people_statements, name) for name in PEOPLE),
]


@pytest.mark.parametrize(("chapter", "name"), QUESTIONS)
def test_no_question_reads_a_whole_table(engine, chapter, name):
    query = getattr(chapter, name)
    numbers = {"after", "upto", "at", "now", "param_1"}
    values = {each: 1 if each in numbers else "x" for each in query.compile().params}
    words = query.params(values).compile(engine, compile_kwargs={"literal_binds": True})
    explain = "EXPLAIN QUERY PLAN" if engine.dialect.name == "sqlite" else "EXPLAIN"
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SET enable_seqscan = off")  # as if the tables were large
        plan = "".join(str(row) for row in connection.exec_driver_sql(f"{explain} {words}"))
    assert "SEARCH" in plan or "Index" in plan
    assert "SCAN" not in plan.replace("SCAN CONSTANT ROW", "")  # which is no table's
    assert "Seq Scan" not in plan


# -- spectators -------------------------------------------------------------------


def test_who_watches_counts_once_until_they_ask_no_more_and_goes_with_the_table(store, engine):
    for id in ("TABLE001", "TABLE002"):
        store.tables.add(a_table(id, host="ann"), a_receipt(f"key of {id}"))
    for mark, until in (("one", 20), ("one", 30), ("two", 20)):
        store.tables.see([], [PresenceSign("TABLE001", mark, until)], 10)
    store.tables.see([], [PresenceSign("TABLE002", "one", 20)], 10)
    assert [store.tables.spectators("TABLE001", now) for now in (10, 20, 21, 30, 31)] == [2, 2, 1, 1, 0]
    store.tables.see(
        [], [PresenceSign("TABLE002", "two", 50)], 25
    )  # who is gone is forgotten, wherever they watched
    assert dump(engine)["spectators"] == [("TABLE001", "one", 30), ("TABLE002", "two", 50)]
    store.tables.beat(40, 60)
    assert dump(engine)["spectators"] == [("TABLE002", "two", 50)]
    with store.tables.change("TABLE002") as change:
        change.delete()
    assert dump(engine)["spectators"] == []


# -- who is there ------------------------------------------------------------------


def test_of_players_who_do_not_sit_at_their_table_nothing_is_noted(store, engine):
    store.tables.add(a_table(host="ann"), a_receipt())
    seated = [chair.player for chair in store.tables.table("TABLE001").chairs if chair.player]
    signs = [PresenceSign("TABLE001", who, 50) for who in (*seated, "a stranger")]
    assert store.tables.see(signs, [], 10) == []
    assert store.tables.present("TABLE001") == dict.fromkeys(seated, 50)
    gone = [PresenceSign("NOBODY00", seated[0], 50)]
    assert store.tables.see(gone, [], 10) == gone
    assert [row[0] for row in dump(engine)["presence"]] == ["TABLE001"] * len(seated)


def test_a_locked_table_keeps_no_sign_of_another_waiting(store, engine):
    for id in ("TABLE001", "TABLE002"):
        store.tables.add(a_table(id, host="ann"), a_receipt(f"key of {id}"))
    if engine.dialect.name == "sqlite":
        return  # where all of the database is locked at once
    player = next(chair.player for chair in store.tables.table("TABLE001").chairs if chair.player)
    signs = [PresenceSign(id, player, 50) for id in ("TABLE001", "TABLE002")]
    with store.tables.change("TABLE001"):
        assert store.tables.see(signs, [], 10) == signs[:1]
    assert store.tables.present("TABLE002") == {player: 50}
    assert store.tables.see(signs[:1], [], 10) == []
    assert store.tables.present("TABLE001") == {player: 50}
