"""The outbox: letters are written with the move or not at all, and are sent once, by one at a time."""

import pytest
from sqlalchemy import text

from strifebarge.notifications.models import (
    Channel,
    ChannelKind,
    ChannelState,
    Notification,
    NotificationKind,
    Subscriber,
)
from strifebarge.rules import Refused
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.model.table import TableRefusal
from tests.store.apart import at_once
from tests.store.conftest import a_receipt, a_table
from tests.support.together import together

NOW = 1000.0


def a_letter(id="letter", **fields):
    given = {
        "player": "bob",
        "kind": NotificationKind.TURN,
        "table": "TABLE001",
        "created": 900.0,
        "due": 960.0,
    }
    return Notification(id=id, **given | fields)


def an_address(id="address", **fields):
    given = {
        "player": "bob",
        "kind": ChannelKind.NTFY,
        "address": f"https://ntfy.example/{id}",
        "state": ChannelState.WORKING,
    }
    return Channel(id=id, **given | fields)


@pytest.fixture
def store(store):
    """A store with a table, and Bob, who is told."""
    store.tables.add(a_table(), a_receipt())
    store.notifications.keep_subscriber(Subscriber(player="bob"))
    store.notifications.keep_channel(an_address())
    return store


def write(store, letter):
    with store.tables.change("TABLE001") as change:
        change.write_notification(letter)


def queue(store, letter=None, to=("address",), at=NOW):
    letter = letter or a_letter()
    write(store, letter)
    assert store.notifications.dispatch(letter, at, dict.fromkeys(to, at))


# -- with the move or not at all ---------------------------------------------------------


def test_a_letter_is_there_with_what_it_tells_of(store):
    with store.tables.change("TABLE001") as change:
        change.table.position.number = 1
        change.write_notification(a_letter())
        assert [letter.id for letter in change.notifications()] == ["letter"]
    assert store.notifications.due(NOW, 9) == [a_letter()]
    assert store.notifications.due(959, 9) == []


def test_what_is_undone_is_told_to_nobody(store):
    def refused():
        with store.tables.change("TABLE001") as change:
            change.write_notification(a_letter())
            raise Refused(TableRefusal.FULL)

    with pytest.raises(Refused):
        refused()
    assert store.notifications.due(NOW, 9) == []


def test_only_those_who_want_it_are_readers(store):
    with store.tables.change("TABLE001") as change:
        assert change.subscribers(["ann", "bob"]) == {"bob": Subscriber(player="bob")}


def test_a_letter_that_is_answered_goes_with_all_that_was_to_be_sent_of_it(store):
    queue(store)
    with store.tables.change("TABLE001") as change:
        change.drop_notifications(["letter"])
    assert store.notifications.ready(NOW, 9) == []


def test_a_letter_goes_with_its_table(store, engine):
    queue(store)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM tables"))
    assert store.notifications.ready(NOW, 9) == []


# -- once, and by one at a time --------------------------------------------------------------


def test_a_letter_is_given_to_the_post_once(store):
    write(store, a_letter())
    given = together(*[lambda: store.notifications.dispatch(a_letter(), NOW, {"address": NOW})] * 6)
    assert sorted(given) == [False] * 5 + [True]
    assert store.notifications.ready(NOW, 9) == ["address"]


def test_a_letter_that_was_answered_meanwhile_is_not_given_to_the_post(store):
    write(store, a_letter())
    store.notifications.drop(["letter"])
    assert not store.notifications.dispatch(a_letter(), NOW, {"address": NOW})


def test_an_address_that_was_taken_away_meanwhile_is_passed_over(store):
    write(store, a_letter())
    store.notifications.remove_channel("address")
    assert store.notifications.dispatch(a_letter(), NOW, {"address": NOW})
    assert store.notifications.ready(NOW, 9) == []


def claims(url, now):
    """What another process gets that wants to send."""
    engine = engine_for(url, 2)
    claimed = Store(engine).notifications.claim("address", now, now + 120)
    engine.dispose()
    return None if claimed is None else [letter.id for letter in claimed[1]]


def test_an_address_is_claimed_by_one_process_at_a_time(store, ready_url):
    queue(store)
    got = at_once(claims, ready_url, NOW)
    assert (got.count(["letter"]), got.count(None)) == (1, 3)
    assert claims(ready_url, NOW + 119) is None
    assert claims(ready_url, NOW + 120) == ["letter"]  # the sender that had it has died


def test_what_has_arrived_is_not_sent_again(store):
    queue(store)
    address, letters = store.notifications.claim("address", NOW, NOW + 120)
    store.notifications.delivered(address, [letter.id for letter in letters])
    assert store.notifications.ready(NOW + 1, 9) == []
    assert store.notifications.sent_to("bob", 9) == [a_letter(sent=NOW)]


def test_who_comes_too_late_does_not_take_the_address_from_the_one_who_has_it_now(store):
    queue(store)
    late, _ = store.notifications.claim("address", NOW, NOW + 120)
    assert store.notifications.claim("address", NOW + 120, NOW + 240)
    store.notifications.failed(late, "{}", None)
    store.notifications.delivered(late, [])
    assert store.notifications.claim("address", NOW + 130, NOW + 250) is None
    assert store.notifications.channel("address").state is ChannelState.WORKING


def test_what_failed_is_late_only_from_when_it_is_to_be_sent_again(store):
    queue(store)
    address, _ = store.notifications.claim("address", NOW, NOW + 120)
    assert store.notifications.waiting(NOW + 5) == (1, NOW)
    store.notifications.failed(address, '"why"', NOW + 600)
    assert store.notifications.waiting(NOW + 599) == (0, None)
    assert store.notifications.waiting(NOW + 700) == (1, NOW + 600)


def test_what_fails_waits_and_what_is_given_up_is_gone(store):
    queue(store)
    address, _ = store.notifications.claim("address", NOW, NOW + 120)
    store.notifications.failed(address, '"why"', NOW + 60)
    assert store.notifications.ready(NOW + 59, 9) == []
    address, letters = store.notifications.claim("address", NOW + 60, NOW + 180)
    assert (address.failures, address.error, len(letters)) == (1, '"why"', 1)
    store.notifications.failed(address, '"why"', None)
    assert store.notifications.channel("address").state is ChannelState.FAILING
    store.notifications.confirm("address")
    assert store.notifications.ready(NOW + 999, 9) == []
    assert store.notifications.channel("address") == an_address()


# -- the rest --------------------------------------------------------------------------------


def test_the_same_address_is_kept_once(store):
    due = together(
        *[
            lambda: store.notifications.keep_channel(
                an_address("other", address="https://ntfy.example/address")
            )
        ]
        * 4
    )
    assert {address.id for address in due} == {"address"}
    assert len(store.notifications.channels("bob")) == 1


def test_a_nudge_counts_once_a_day_whoever_comes_first(store):
    def nudge():
        with store.tables.change("TABLE001") as change:
            return change.note_nudge("bob", NOW, NOW - 86400)

    assert sorted(together(*[nudge] * 4), key=str) == [NOW, NOW, NOW, None]
    with store.tables.change("TABLE001") as change:
        assert change.note_nudge("bob", NOW + 86400, NOW) is None


def test_who_is_forgotten_leaves_nothing(store):
    queue(store)
    store.notifications.look("bob", "TABLE001", NOW)
    assert store.notifications.looked("bob", "TABLE001") == NOW
    store.notifications.forget("bob")
    assert store.notifications.subscriber("bob") is None
    assert store.notifications.channels("bob") == store.notifications.sent_to("bob", 9) == []
    assert store.notifications.looked("bob", "TABLE001") is None


def test_old_letters_and_looks_are_thrown_away(store):
    queue(store)
    store.notifications.look("bob", "TABLE001", NOW)
    store.notifications.purge(NOW + 1)
    assert store.notifications.sent_to("bob", 9) == []
    assert store.notifications.looked("bob", "TABLE001") is None
