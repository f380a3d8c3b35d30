"""A guest becomes a person: at every table or not at all."""

import pytest

from strifebarge.people.merging import people_of
from strifebarge.rules import Refused
from strifebarge.tables.model.ports import Busy
from tests.store.apart import throw, thrown
from tests.store.conftest import dump, form_token
from tests.store.people import PASSWORD, fire, ladders_hold, mentions, somebody
from tests.support import forms


def test_all_that_a_guest_has_becomes_the_persons(referee, store, engine):
    guest, person, other, third = (somebody(referee, name) for name in ("Guest", "Ann", "Bob", "Cleo"))
    rated = [thrown(referee, [guest, other], afterwards="rated") for _ in range(2)]
    mine = thrown(referee, [person, other], afterwards="rated")
    running = forms.start(referee, guest, "strifebarge", form_token(), seats=2)
    forms.join(referee, other, running.id, "", form_token())
    open_table = forms.start(referee, guest, "rps", form_token())
    watched = thrown(referee, [other, third])
    forms.say(referee, guest, watched.id, "well played", "", form_token())
    store.tables.keep_note(running.id, guest.id, "carrier at c3")
    store.tables.mute(guest.id, third.id, True)
    store.tables.mute(third.id, guest.id, True)
    forms.accounts(referee).merge_guest(guest, person)
    assert mentions(engine, guest.id) == {"players"}  # that nobody is this any more
    assert store.accounts.player(guest.id) is None
    ids = {running.id, open_table.id, mine.id, *(table.id for table in rated)}
    assert {table.id for table in store.tables.tables_of(person.id)} == ids
    assert store.tables.table(open_table.id).host == person.id
    assert store.tables.note(running.id, person.id) == "carrier at c3"
    assert store.tables.muted_by(person.id) == {third.id}
    assert store.tables.muted_by(third.id) == {person.id}
    assert [line.player for line in store.tables.lines(watched.id)] == [person.id]
    [tally] = store.results.tallies(person.id)
    assert (tally.finished, tally.rating.games) == (3, 3)
    ladders_hold(store)
    assert fire(referee, person if referee.views.show(person.id, running.id).mine else other, running.id) == 1


def test_ratings_of_one_who_had_none_go_along_as_they_are(referee, store):
    guest, person, other = (somebody(referee) for _ in range(3))
    thrown(referee, [guest, other], afterwards="rated")
    [before] = store.results.tallies(guest.id)
    forms.accounts(referee).merge_guest(guest, person)
    assert store.results.tallies(person.id) == [before]
    ladders_hold(store)


@pytest.mark.parametrize("over", [False, True])
def test_two_who_sit_at_one_table_do_not_become_one(referee, store, engine, over):
    guest, person = somebody(referee), somebody(referee)
    alone = forms.start(referee, guest, "rps", form_token())
    together = forms.start(referee, guest, "rps", form_token(), seats=2)
    forms.join(referee, person, together.id, "", form_token())
    if over:
        throw(referee, guest, together.id, "rock")
        throw(referee, person, together.id, "paper")
    before = dump(engine)
    with pytest.raises(Refused) as no:
        forms.accounts(referee).merge_guest(guest, person)
    assert no.value.token == "who.twice"
    assert together.id[:4] in no.value.args_told["tables"]
    assert dump(engine) == before
    assert store.tables.table(alone.id).chair_of(guest.id)


def test_who_was_once_in_a_seat_of_a_running_game_counts_as_there(referee):
    guest, person, other = (somebody(referee) for _ in range(3))
    table = forms.start(referee, guest, "strifebarge", form_token(), seats=2)
    forms.join(referee, person, table.id, "", form_token())
    forms.quit(referee, guest.id, table.id, "free", form_token())
    forms.join(referee, other, table.id, "", form_token())
    with pytest.raises(Refused) as no:
        forms.accounts(referee).merge_guest(guest, person)
    assert no.value.token == "who.twice"


def test_a_guest_who_has_an_account_by_now_stays_who_they_are(referee, store):
    guest, person = somebody(referee), somebody(referee)
    forms.accounts(referee).sign_up(guest, "guest", PASSWORD)
    with pytest.raises(Refused) as no:
        forms.accounts(referee).merge_guest(guest, person)
    assert no.value.token == "who.has_account"
    assert store.accounts.player(guest.id) is not None


def test_what_was_interrupted_is_gone_on_with(referee, store, engine, monkeypatch):
    guest, person = somebody(referee), somebody(referee)
    tables = [forms.start(referee, guest, "rps", form_token(), seats=2) for _ in range(3)]
    whole, done = store.tables.draft, []

    def breaks(id, key=""):
        if len(done) == 2:
            raise Busy
        done.append(id)
        return whole(id, key)

    monkeypatch.setattr(store.tables, "draft", breaks)
    with pytest.raises(Busy):
        forms.accounts(referee).merge_guest(guest, person)
    monkeypatch.undo()
    for table in tables:
        assert people_of(store.tables.table(table.id)) in ({guest.id}, {person.id})
    assert store.accounts.player(guest.id)  # who still has what was not done
    forms.accounts(referee).merge_guest(guest, person)
    assert {table.id for table in store.tables.tables_of(person.id)} == {table.id for table in tables}
    assert mentions(engine, guest.id) == {"players"}


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
    forms.accounts(referee).merge_guest(guest, person)
    if not over:
        throw(referee, person, table.id, "rock")
        throw(referee, other, table.id, "paper")
    entry = store.results.entry(store.tables.table(table.id).ending.record)
    assert [(each.seat, each.player) for each in entry.seats] == [(0, person.id), (1, other.id)]
    ladders_hold(store)
