"""People of databases from before there were accounts."""

import json

import pytest
from alembic import command
from sqlalchemy import text

from strifebarge.store import migrations
from strifebarge.store.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.table.library import Library
from strifebarge.table.player import Player
from tests.store.apart import throw
from tests.store.conftest import dump, form_token
from tests.store.people import ladders_hold, mentions, somebody
from tests.support import forms


def test_people_from_before_keep_their_sessions_and_can_be_erased_everywhere(database_url):
    with migrations.alone(database_url) as connection:
        command.upgrade(migrations.config_for(connection), "0003")
        chairs = [
            {"seat": 0, "player": "bob", "name": "Bob", "sat": {"ann": "Ann", "bob": "Bob"}},
            {"seat": 1, "player": "cleo", "name": "Cleo"},
        ]
        body = {
            "id": "OLD", "game": "rps", "options": {}, "seed": "5eed", "status": "suspended", "host": "dora",
            "chairs": chairs, "suspension": {"by": "Ann", "at": 1, "held": {"0": "ann", "1": None}},
        }  # fmt: skip
        values = {"body": json.dumps(body)}
        for statement in (
            "INSERT INTO tables (id, game, status, revision, version, number, created, changed, body) "
            "VALUES ('OLD', 'rps', 'suspended', 0, 0, 0, 0, 0, :body)",
            "INSERT INTO players (id, name, created, public) VALUES ('ann', 'Ann', 7, 'page-of-ann')",
            "INSERT INTO notes (table_id, player, text) VALUES ('OLD', 'eve', 'of Eve')",
        ):
            connection.execute(text(statement), values if ":body" in statement else {})
    upgrade(database_url)
    engine = engine_for(database_url, 2)
    store = Store(engine)
    for player in ("ann", "bob", "cleo", "dora", "eve"):
        assert store.accounts.traces(player) == ["OLD"], player
    assert store.accounts.visit("ann", "page-of-ann").player == Player("ann", "Ann", 7)
    forms.accounts(forms.a_referee(store, Library())).erase(store.accounts.player("ann"))
    assert mentions(engine, "Ann") == set()
    assert store.tables.table("OLD").suspension.by == "Guest Foxtrot"
    assert store.accounts.visit("ann", "page-of-ann") is None
    engine.dispose()


def test_notes_of_several_at_one_device_are_of_a_person_from_now_on(database_url):
    with migrations.alone(database_url) as connection:
        command.upgrade(migrations.config_for(connection), "0008")
        for statement in (
            "INSERT INTO tables (id, game, status, revision, version, number, created, changed, body) "
            "VALUES ('OLD', 'rps', 'over', 0, 0, 0, 0, 0, '{}')",
            "INSERT INTO traces (table_id, player) VALUES ('OLD', 'ann'), ('OLD', 'ann 0'), ('OLD', 'ann 1')",
            "INSERT INTO notes (table_id, player, text) VALUES "
            "('OLD', 'ann 0', 'first'), ('OLD', 'ann 1', 'second'), ('OLD', 'bob', 'alone')",
        ):
            connection.execute(
                text(statement.replace("'{}'", ":body")), {"body": "{}"} if "{}" in statement else {}
            )
    upgrade(database_url)
    engine = engine_for(database_url, 2)
    store = Store(engine)
    assert [store.tables.note("OLD", "ann", seat) for seat in (0, 1)] == ["first", "second"]
    assert store.tables.note("OLD", "bob") == "alone"
    assert {row.player for row in dump(engine)["traces"]} == {"ann"}
    engine.dispose()


@pytest.mark.parametrize("rated", ["rated", "quiet"])
@pytest.mark.parametrize("over", [True, False])
def test_one_seat_handed_on_from_one_browser_to_another_is_one_persons(referee, store, over, rated):
    guest, person, other = (somebody(referee) for _ in range(3))
    table = forms.start(referee, person, "rps", form_token(), seats=2, afterwards=rated)
    forms.join(referee, other, table.id, "", form_token())
    forms.claim(
        referee, guest, table.id, 0, store.tables.table(table.id).chairs[0].generation, "", form_token()
    )
    if over:
        throw(referee, guest, table.id, "rock")
        throw(referee, other, table.id, "paper")
    forms.accounts(referee).take_along(guest, person)
    if not over:
        throw(referee, person, table.id, "rock")
        throw(referee, other, table.id, "paper")
    entry = store.results.entry(store.tables.table(table.id).ending.record)
    assert [(each.seat, each.player) for each in entry.seats] == [(0, person.id), (1, other.id)]
    ladders_hold(store)
