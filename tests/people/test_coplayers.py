"""A seat with several players, of whom one becomes another or is erased."""

import pytest

from strifebarge.tables.model.table import Status
from tests.store.conftest import form_token
from tests.store.people import fire, mentions, somebody
from tests.support import forms


def in_company(referee, *names):
    """A game between two, where another plays the first seat with them and yet another would stand in."""
    host, beside, other, substitute = (somebody(referee, name) for name in names)
    table = forms.start(referee, host, "strifebarge", form_token(), seats=2, terms={"begins": "agreed"})
    generation = referee.views.status(table.id).chairs[0].generation
    forms.sit_beside(referee, beside, table.id, 0, generation, "", form_token())
    forms.join(referee, other, table.id, "", form_token())
    for each in (host, beside, other):
        forms.ready(referee, each.id, table.id, form_token())
    forms.stand_in(
        referee,
        substitute,
        table.id,
        1,
        referee.views.status(table.id).chairs[1].generation,
        "",
        form_token(),
    )
    for each in (host, beside, other):
        referee.attendance.record_presence(each.id, table.id)
    mover = referee.views.show(beside.id, table.id)
    if not mover.mine:
        fire(referee, other, table.id)
    fire(referee, beside, table.id)
    return table.id, host, beside, other, substitute


def test_whoever_plays_a_seat_with_another_or_would_stand_in_takes_that_along(referee, store, engine):
    id, host, beside, _other, substitute = in_company(referee, "Ann", "Zebedee", "Bob", "Dora")
    one, another = somebody(referee, "Eve"), somebody(referee, "Fay")
    forms.accounts(referee).merge_guest(beside, one)
    forms.accounts(referee).merge_guest(substitute, another)
    assert mentions(engine, beside.id) == mentions(engine, substitute.id) == {"players"}
    first, second = store.tables.table(id).chairs
    assert [player for player, _ in first.people] == [host.id, one.id]
    assert second.substitute.player == another.id
    assert one.id in store.tables.present(id)
    assert {table.id for table in store.tables.tables_of(one.id)} == {id}


def test_a_guest_beside_themselves_is_one_person_in_that_seat(referee, store, engine):
    id, host, beside, *_ = in_company(referee, "Ann", "Zebedee", "Bob", "Dora")
    forms.accounts(referee).merge_guest(beside, host)
    assert mentions(engine, beside.id) == {"players"}
    assert [player for player, _ in store.tables.table(id).chairs[0].people] == [host.id]


@pytest.mark.parametrize("aside", [False, True])
def test_whoever_is_erased_leaves_a_seat_to_those_who_play_it_with_them(referee, store, engine, aside):
    id, host, beside, _other, substitute = in_company(referee, "Ann", "Zebedee", "Bob", "Zoroaster")
    if aside:
        forms.suspend(referee, beside.id, id, form_token())
    forms.accounts(referee).erase(beside)
    forms.accounts(referee).erase(substitute)
    assert mentions(engine, beside.id) == mentions(engine, substitute.id) == {"players"}
    assert mentions(engine, "Zebedee") == mentions(engine, "Zoroaster") == set()
    first, second = store.tables.table(id).chairs
    assert [player for player, _ in first.people] == [host.id]
    assert (first.left, second.substitute) == (False, None)
    forms.accounts(referee).erase(host)
    assert mentions(engine, "Ann") == set()
    assert store.tables.table(id).status is (Status.SUSPENDED if aside else Status.OVER)


@pytest.mark.parametrize("gone", [0, 1])
def test_a_rematch_does_not_wait_for_one_of_a_seat_who_is_nobody_any_more(referee, store, gone):
    id, host, beside, other, _substitute = in_company(referee, "Ann", "Zebedee", "Bob", "Dora")
    forms.quit(referee, other.id, id, "resign", form_token())
    forms.accounts(referee).erase([host, beside][gone])
    stays = [beside, host][gone]
    again = forms.rematch(referee, other.id, id, form_token())
    assert [list(dict(chair.people)) for chair in store.tables.table(again).chairs] == [
        [other.id],
        [stays.id],
    ]
    forms.rematch(referee, stays.id, id, form_token())
    assert store.tables.table(again).status is Status.PLAYING
