"""People become others, or nobody, while something else happens."""

from functools import partial
from secrets import token_hex

import pytest

from strifebarge.rules import Refused
from tests.store.apart import thrown
from tests.store.conftest import dump, form_token
from tests.store.people import PASSWORD, TIMES, at_once, ladders_hold, mentions, somebody
from tests.support import forms


def test_who_sits_down_while_they_become_another_sits_there_as_that_other_or_not_at_all(
    referee, store, engine
):
    for _ in range(TIMES):
        guest, person, host = (somebody(referee) for _ in range(3))
        tables = [forms.start(referee, host, "rps", form_token(), seats=2).id for _ in range(3)]
        forms.join(referee, guest, tables[0], "", form_token())
        _, late = at_once(
            partial(forms.accounts(referee).merge_guest, guest, person),
            partial(forms.join, referee, guest, tables[1], "", form_token()),
        )
        assert late in (None, "who.gone")
        sitting = {table.id for table in store.tables.tables_of(person.id)}
        assert sitting == {tables[0], *([tables[1]] if late is None else [])}
        assert mentions(engine, guest.id) == {"players"}


def test_one_who_joins_where_their_guest_sits_is_never_there_twice(referee, store):
    for _ in range(TIMES):
        guest, person = somebody(referee), somebody(referee)
        table = forms.start(referee, guest, "strifebarge", form_token(), seats=3).id
        merged, _ = at_once(
            partial(forms.accounts(referee).merge_guest, guest, person),
            partial(forms.join, referee, person, table, "", form_token()),
        )
        sitting = [chair.player for chair in store.tables.table(table).chairs if chair.player]
        assert sorted(sitting) == sorted([person.id] if merged is None else [guest.id, person.id])
        assert (store.accounts.player(guest.id) is None) == (merged is None)


def test_one_who_is_erased_while_a_guest_becomes_them_holds_no_seat(referee, store, engine):
    for _ in range(TIMES):
        guest, person = somebody(referee), somebody(referee)
        tables = [forms.start(referee, guest, "rps", form_token(), seats=2).id for _ in range(3)]
        merged, erased = at_once(
            partial(forms.accounts(referee).merge_guest, guest, person),
            partial(forms.accounts(referee).erase, person),
        )
        assert erased is None
        assert merged in (None, "who.gone")
        assert mentions(engine, person.id) <= {"players"}
        for id in tables:
            chair = store.tables.table(id).chairs[0]
            assert chair.player in (None, guest.id)
            if chair.player == guest.id:
                assert store.accounts.player(guest.id)


def test_who_is_erased_twice_at_once_is_erased(referee, store, engine):
    for _ in range(TIMES):
        gone, other = somebody(referee, "Zebedee"), somebody(referee)
        table = thrown(referee, [gone, other], afterwards="rated")
        assert None in at_once(
            partial(forms.accounts(referee).erase, gone), partial(forms.accounts(referee).erase, gone)
        )
        assert mentions(engine, gone.id) == {"players"}
        assert mentions(engine, "Zebedee") == set()
        assert len(store.results.entry(table.ending.record).seats) == 2
    ladders_hold(store)


def test_a_rematch_asked_for_meanwhile_does_not_seat_who_is_gone(referee, store, engine):
    for _ in range(TIMES):
        gone, other = somebody(referee, "Zebedee"), somebody(referee)
        table = thrown(referee, [gone, other])
        again, _ = at_once(
            partial(forms.rematch, referee, other.id, table.id, form_token()),
            partial(forms.accounts(referee).erase, gone),
        )
        assert [chair.player for chair in store.tables.table(again).chairs if chair.player] == [other.id]
        assert mentions(engine, "Zebedee") == set()


def test_of_two_who_want_the_same_name_one_has_it(referee, store):
    for number in range(TIMES // 4):
        people = [somebody(referee) for _ in range(3)]
        acts = [partial(forms.accounts(referee).sign_up, each, f"name{number}", PASSWORD) for each in people]
        assert sorted(map(str, at_once(*acts))) == ["None", "who.login_taken", "who.login_taken"]
        assert store.accounts.account(f"name{number}").player in [each.id for each in people]


def test_a_code_makes_one_other_device_and_the_same_form_again_the_same(referee, store, engine):
    person = somebody(referee)
    for _ in range(TIMES):
        devices = forms.accounts(referee).devices
        code = devices.give_code(person.id)
        ids_of_devices = at_once(*(partial(devices.take_code, code, token_hex(16)) for _ in range(4)))
        assert sorted(str(each) for each in ids_of_devices if isinstance(each, str)) == ["who.wrong_code"] * 3
    code, key = forms.accounts(referee).devices.give_code(person.id), token_hex(16)
    assert (
        forms.accounts(referee).devices.take_code(code.lower(), key).id
        == forms.accounts(referee).devices.take_code(code, key).id
        == person.id
    )
    assert code not in str(dump(engine))


def test_a_newer_code_and_time_end_an_older_one(referee, monkeypatch):
    person = somebody(referee)
    first = forms.accounts(referee).devices.give_code(person.id)
    second = forms.accounts(referee).devices.give_code(person.id)
    with pytest.raises(Refused):
        forms.accounts(referee).devices.take_code(first, token_hex(16))
    now = referee.now()
    monkeypatch.setattr(referee, "now", lambda: now + 601)
    with pytest.raises(Refused):
        forms.accounts(referee).devices.take_code(second, token_hex(16))


@pytest.mark.parametrize("how", ["all", "others", "another password"])
def test_a_code_does_not_outlive_that_all_others_were_signed_out(referee, store, how):
    player = somebody(referee)
    forms.accounts(referee).sign_up(player, "her.code", PASSWORD)
    device = forms.accounts(referee).devices.add(player, "")
    code = forms.accounts(referee).devices.give_code(player.id)
    if how == "another password":
        forms.accounts(referee).change_password(player.id, PASSWORD, "something else again", device.id)
    else:
        store.accounts.end_devices(player.id, but=device.id if how == "others" else None)
    with pytest.raises(Refused) as no:
        forms.accounts(referee).devices.take_code(code, token_hex(16))
    assert no.value.token == "who.wrong_code"


def test_of_two_changes_of_a_password_at_once_one_holds(referee, store):
    person = somebody(referee)
    forms.accounts(referee).sign_up(person, "ann", PASSWORD)
    device = forms.accounts(referee).devices.add(person, "").id
    ways = [f"another good one {number}" for number in range(3)]
    acts = [
        partial(forms.accounts(referee).change_password, person.id, PASSWORD, each, device) for each in ways
    ]
    assert sorted(map(str, at_once(*acts))) == ["None", "who.wrong_password", "who.wrong_password"]
    assert sum(_opens(referee, each) for each in [PASSWORD, *ways]) == 1


def _opens(referee, password):
    try:
        forms.accounts(referee).sign_in("ann", password)
    except Refused:
        return False
    return True


def test_where_anything_is_kept_of_somebody_is_known_of_every_table(referee, store, engine):

    one, other = somebody(referee), somebody(referee)
    table = thrown(referee, [one, other])
    assert store.accounts.traces(one.id) == store.accounts.traces(other.id) == [table.id]


def test_one_guest_who_becomes_two_at_once_is_split_between_them_at_most(referee, store, engine):
    for _ in range(TIMES):
        guest, one, two, other = (somebody(referee) for _ in range(4))
        for _ in range(3):
            thrown(referee, [guest, other], afterwards="rated")
        at_once(
            partial(forms.accounts(referee).merge_guest, guest, one),
            partial(forms.accounts(referee).merge_guest, guest, two),
        )
        assert mentions(engine, guest.id) == {"players"}
        assert len(store.tables.tables_of(one.id)) + len(store.tables.tables_of(two.id)) == 3
    ladders_hold(store)
