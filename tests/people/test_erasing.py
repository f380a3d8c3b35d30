"""A person is erased, and nothing tells of them any more."""

from functools import partial

import pytest

from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status
from tests.store.apart import thrown
from tests.store.conftest import dump, form_token
from tests.store.people import PASSWORD, fire, ladders_hold, mentions, somebody
from tests.support import forms


def test_nothing_tells_any_more_who_was_erased_and_the_games_of_others_stand(referee, store, engine):
    gone, other, third = somebody(referee, "Zebedee"), somebody(referee, "Bob"), somebody(referee, "Cleo")
    forms.accounts(referee).sign_up(gone, "zebedee", PASSWORD)
    forms.accounts(referee).devices.add(
        gone, "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    )
    rated = thrown(referee, [gone, other], afterwards="rated")
    thrown(referee, [other, third], afterwards="rated")
    running = forms.start(referee, gone, "strifebarge", form_token(), seats=3)
    for each in (other, third):
        forms.join(referee, each, running.id, "", form_token())
    open_table = forms.start(referee, gone, "rps", form_token(), seats=2)
    aside = forms.start(referee, gone, "strifebarge", form_token(), seats=2)
    forms.join(referee, other, aside.id, "", form_token())
    forms.suspend(referee, gone.id, aside.id, form_token())
    forms.say(referee, gone, running.id, "I am Zebedee", "", form_token())
    store.tables.keep_note(running.id, gone.id, "Zebedee was here")
    store.tables.mute(third.id, gone.id, True)
    places = store.tables.table(rated.id).ending.result
    forms.accounts(referee).erase(gone)
    assert mentions(engine, gone.id) == {"players"}
    assert mentions(engine, "Zebedee") == mentions(engine, "zebedee") == set()
    assert mentions(engine, gone.public) == set()
    assert dump(engine)["devices"] == dump(engine)["accounts"] == dump(engine)["mutes"] == []
    after = store.tables.table(rated.id)
    assert after.ending.result == places
    [entry] = store.results.series(rated.id)
    [former] = [each for each in entry.seats if each.player != other.id]
    assert former.name.startswith("Guest ")
    assert store.accounts.person(Player(former.player).public).gone == "former"
    assert store.accounts.player(former.player) is None  # nobody can be this
    with pytest.raises(Refused):
        store.accounts.person(gone.public)
    assert [each.id for each in store.results.companions(other.id)] == [third.id]
    table = store.tables.table(running.id)
    assert (table.chairs[0].left, table.chairs[0].gone, table.chairs[0].guest) == (True, True, True)
    assert table.status is Status.PLAYING
    assert table.host == other.id
    assert store.tables.lines(running.id)[0].deleted
    assert store.tables.table(open_table.id).chairs[0].player is None
    assert store.tables.table(aside.id).chairs[0].player is None
    assert store.tables.table(aside.id).suspension.by == "Guest Foxtrot"
    ladders_hold(store)
    mover = other if referee.views.show(other.id, running.id).mine else third
    assert fire(referee, mover, running.id) > 0
    again = forms.rematch(referee, other.id, rated.id, form_token())
    assert [chair.player for chair in store.tables.table(again).chairs].count(None) == 1


def test_who_was_at_a_table_before_the_game_alone_or_while_it_was_put_aside_leaves_no_name(
    referee, store, engine
):
    gone, other = somebody(referee, "Zebedee"), somebody(referee, "Bob")
    gathering = forms.start(referee, other, "strifebarge", form_token(), seats=3)
    forms.join(referee, gone, gathering.id, "", form_token())
    forms.configure(referee, gone.id, gathering.id, {"salvo": True}, form_token())
    forms.configure(referee, other.id, gathering.id, {"salvo": True}, form_token(), {"seating": "chance"})
    forms.quit(referee, gone.id, gathering.id, "free", form_token())
    aside = forms.start(referee, other, "strifebarge", form_token(), seats=2)
    third = somebody(referee, "Cleo")
    forms.join(referee, third, aside.id, "", form_token())
    forms.suspend(referee, other.id, aside.id, form_token())
    forms.quit(referee, third.id, aside.id, "free", form_token())
    forms.join(referee, gone, aside.id, "", form_token())
    forms.propose_end(referee, gone.id, aside.id, True, form_token())
    forms.quit(referee, gone.id, aside.id, "free", form_token())
    gone.name = "Someone else by now"
    store.accounts.save_player(gone)
    forms.accounts(referee).erase(gone)
    assert mentions(engine, "Zebedee") == set()
    assert store.tables.table(gathering.id).settings.set_by == {"t_seating": "Bob"}
    assert store.tables.table(aside.id).suspension.end is None


def test_a_game_that_ends_by_leaving_ends_so_and_is_in_the_books_without_the_name(referee, store, engine):
    gone, other = somebody(referee, "Zebedee"), somebody(referee, "Bob")
    table = forms.start(referee, gone, "strifebarge", form_token(), seats=2, afterwards="rated")
    forms.join(referee, other, table.id, "", form_token())
    forms.accounts(referee).erase(gone)
    over = store.tables.table(table.id)
    assert over.status is Status.OVER
    assert over.ending.result.winners == [1]
    assert mentions(engine, "Zebedee") == set()
    assert mentions(engine, gone.id) == {"players"}
    ladders_hold(store)


def test_who_sits_down_again_while_they_are_erased_leaves_no_former_player_at_an_open_table(
    referee, store, engine, monkeypatch
):
    gone, other = somebody(referee, "Zebedee"), somebody(referee, "Bob")
    table = forms.start(referee, other, "strifebarge", form_token(), seats=3)
    forms.join(referee, gone, table.id, "", form_token())
    change, again = referee.change, [form_token()]

    def meanwhile(*arguments):
        done = change(*arguments)
        while again:
            forms.join(referee, gone, table.id, "", again.pop())
        return done

    monkeypatch.setattr(referee, "change", meanwhile)
    forms.accounts(referee).erase(gone)
    assert [chair.player for chair in store.tables.table(table.id).chairs] == [other.id, None, None]
    assert mentions(engine, gone.id) == {"players"}


@pytest.mark.parametrize("status", ["open", "playing", "suspended", "ends by it"])
def test_erasing_somebody_changes_each_table_once_and_all_who_look_are_told(referee, store, status):
    gone, other, third = (somebody(referee, name) for name in ("Zebedee", "Bob", "Cleo"))
    there = [gone, other] if status == "ends by it" else [gone, other, third]
    seats = len(there) + (status == "open")
    table = forms.start(referee, gone, "strifebarge", form_token(), seats=seats)
    for each in there[1:]:
        forms.join(referee, each, table.id, "", form_token())
    if status == "suspended":
        forms.suspend(referee, other.id, table.id, form_token())
    before, now = store.tables.table(table.id), referee.now() + 60
    referee.now = lambda: now
    forms.accounts(referee).erase(gone)
    after = store.tables.table(table.id)
    assert (after.revision, after.version) == (before.revision + 1, before.version + 1)
    assert after.times.changed == now
    assert (after.status is Status.OVER) == (status == "ends by it")


def test_one_of_whom_nothing_is_kept_at_any_table_leaves_nobody_behind(referee, store, engine):
    gone = somebody(referee, "Zebedee")
    forms.accounts(referee).erase(gone)
    [row] = dump(engine)["players"]
    assert (row.name, row.created, row.gone) == ("", 0, "moved")


def test_whoever_is_nobody_is_not_brought_back_by_a_form_that_was_on_its_way(referee, store, engine):
    gone, other = somebody(referee, "Zebedee"), somebody(referee)
    table = forms.start(referee, other, "rps", form_token(), seats=2)
    forms.accounts(referee).erase(gone)
    before = dump(engine)
    for late in (
        partial(forms.join, referee, gone, table.id, "Zebedee", form_token()),
        partial(forms.start, referee, gone, "rps", form_token()),
        partial(forms.accounts(referee).rename, gone, "Zebedee"),
        partial(forms.accounts(referee).devices.add, gone, ""),
        partial(forms.accounts(referee).sign_up, gone, "zebedee", PASSWORD),
        partial(forms.accounts(referee).devices.give_code, gone.id),
        lambda: store.accounts.prefer(gone.id, "theme", "dark"),
    ):
        with pytest.raises(Refused) as no:
            late()
        assert no.value.token == "who.gone"
    assert dump(engine) == before
