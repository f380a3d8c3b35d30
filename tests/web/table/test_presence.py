"""Who is here, and what that means at a live table: on the pages."""

from urllib.parse import quote

import pytest

from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.table import Status, Table
from tests.support import forms
from tests.web.company import can, waiting
from tests.web.house import House, Party, Wall


def seen(house: House) -> list[tuple[object, ...]]:
    return house.kept_of("presence")


# -- who is here ------------------------------------------------------------------------------------


def test_only_who_sits_at_a_table_is_noted_there_and_seldom(house: House, clock: Wall) -> None:
    party = house.fleet()
    for who in (house.visitor(), house.visitor()):
        who.start("rps")
        for path in ("", "/status", "/version"):
            who.get(party.table + path)
    players = {chair.player for chair in house.referee.views.status(party.code).chairs}
    assert {row[1] for row in seen(house) if row[0] == party.code} == players
    with house.unchanged():
        for path in ("", "/status", "/version", "/log", "/at/0"):
            house.visitor().get(party.table + path)
    player = party.players[0]
    clock.seconds(11)
    for path in ("/version", "/status", ""):
        player.get(party.table + path)
    first = [row for row in seen(house) if row[0] == party.code]
    clock.seconds(9)
    player.get(f"{party.table}/version")
    assert [row for row in seen(house) if row[0] == party.code] == first
    clock.seconds(2)
    before = house.referee.views.status(party.code).revision
    player.get(f"{party.table}/version")
    assert [row for row in seen(house) if row[0] == party.code] != first
    assert house.referee.views.status(party.code).revision == before


def test_all_are_told_who_is_here_and_when_who_is_not_was(house: House, clock: Wall) -> None:
    party = house.fleet()
    one, other = party.players
    clock.seconds(60)
    assert "last here just now" in one.get(party.table).words
    other.get(party.table)
    assert "here now" in one.get(party.table).words
    clock.seconds(20)
    assert "here now" in one.get(party.table).words
    clock.seconds(1200)
    assert "last here 20 minutes ago" in one.get(party.table).words
    assert "last here 20 minutes ago" in one.get(f"{party.table}?view=text&say=who").words


def test_who_comes_is_news_to_scripts_but_without_them_only_at_a_live_table(
    house: House, clock: Wall, timed: House, wall: Wall
) -> None:
    def news(party: Party, time: Wall) -> tuple[bool, bool]:
        time.seconds(100)
        one, other = party.players
        before = one.get(f"{party.table}/version").text
        other.get(party.table)
        frame = one.get(f"{party.table}/status?mine=1&v={quote(before)}").words
        return one.get(f"{party.table}/version").text != before, "There's news" in frame

    assert news(house.gathered("rps"), clock) == (True, False)
    assert news(timed.gathered("rps", pace="clock-30-20"), wall) == (True, True)


def test_a_guest_who_has_no_seat_yet_is_told_that_the_host_has_come(house: House, clock: Wall) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("rps").path
    clock.seconds(100)
    before = guest.get(table)
    assert "last here 1 minute ago" in before.words
    version = guest.get(f"{table}/version").text
    host.get(table)
    assert guest.get(f"{table}/version").text != version
    assert "here now" in guest.get(table).words


def test_to_yourself_you_are_always_here(house: House, clock: Wall) -> None:
    party = house.gathered("rps")
    one = party.players[0]
    clock.seconds(100)
    version = one.get(f"{party.table}/version?away=1").text
    assert one.get(f"{party.table}/version").text == version
    one.get(party.table)
    assert one.get(f"{party.table}/version").text == version


def test_signs_are_written_together_and_kept_while_that_is_not_possible(
    house: House, clock: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, attendance = house.fleet(), house.referee.attendance
    monkeypatch.setattr(attendance, "deferred", True)
    clock.seconds(60)
    for who in party.players:
        who.get(party.table)
    before = [row for row in seen(house) if row[0] == party.code]
    with monkeypatch.context() as locked:
        locked.setattr(house.referee.store, "see", busy)
        with pytest.raises(Busy):
            attendance.write()
    assert [row for row in seen(house) if row[0] == party.code] == before
    clock.seconds(5)
    party.players[0].get(party.table)  # within ten seconds there is no second sign
    attendance.write()
    after = [row for row in seen(house) if row[0] == party.code]
    assert [row[2] for row in after] == [clock() - 5 + 25] * 2
    assert (attendance.players, attendance.spectators) == ({}, {})


def test_signs_that_hold_no_more_are_not_written(
    house: House, clock: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    party, attendance = house.fleet(), house.referee.attendance
    monkeypatch.setattr(attendance, "deferred", True)
    clock.seconds(60)
    party.players[0].get(party.table)
    clock.seconds(26)
    monkeypatch.setattr(house.referee.store, "see", busy)
    attendance.write()
    assert attendance.players == {}


def busy(*_: object) -> None:
    raise Busy


# -- live tables ------------------------------------------------------------------------------------


def looked_at(house: House) -> Party:
    """A game of two who both have its page before them."""
    party = house.fleet()
    for who in party.players:
        who.get(party.table)
    return party


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "live", property(lambda table: True))


@pytest.mark.usefixtures("live")
def test_a_live_game_is_disrupted_while_somebody_is_away_and_goes_on_when_they_are_back(
    house: House, clock: Wall
) -> None:
    party = looked_at(house)
    one, other = party.players
    assert house.referee.views.show(None, party.code).status is Status.PLAYING
    clock.seconds(30)
    one.get(party.table)
    assert house.referee.views.show(None, party.code).status is Status.DISRUPTED
    assert "Not here now: Guest Golf." in one.get(party.table).words
    assert (
        "Not here now: Guest Golf." in one.get(f"{party.table}/status").words or one.get(party.table).my_turn
    )
    if one.get(party.table).my_turn:  # which may go on
        page = one.get(party.table)
        assert one.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    other.get(party.table)
    assert house.referee.views.show(None, party.code).status is Status.PLAYING


@pytest.mark.usefixtures("live")
def test_a_page_turned_within_the_grace_is_not_leaving(house: House, clock: Wall) -> None:
    party = looked_at(house)
    clock.seconds(15)
    assert house.referee.views.show(None, party.code).status is Status.PLAYING


@pytest.mark.usefixtures("live")
def test_a_live_game_that_all_have_left_is_put_aside_after_three_minutes_and_ends_after_90_seconds_more(
    house: House, clock: Wall
) -> None:
    party = looked_at(house)
    clock.seconds(30)
    assert house.referee.views.show(None, party.code).status is Status.ABANDONED
    assert not forms.tend(house.referee, party.code)
    clock.seconds(150)
    assert house.referee.views.show(None, party.code).status is Status.ABANDONED
    clock.seconds(15)
    assert house.referee.views.show(None, party.code).status is Status.SUSPENDED
    assert house.referee.views.status(party.code).status is Status.PLAYING  # nobody has decided it yet
    assert forms.tend(house.referee, party.code)
    assert house.referee.views.status(party.code).status is Status.SUSPENDED
    assert not forms.tend(house.referee, party.code)
    clock.seconds(90)
    assert forms.tend(house.referee, party.code)
    table = house.referee.views.status(party.code)
    assert (table.status, table.ending.stopped) == (
        Status.OVER,
        "No result: everyone left.",
    )


@pytest.mark.usefixtures("live")
def test_who_comes_back_in_time_to_a_live_game_that_was_put_aside_goes_on_with_it(
    house: House, clock: Wall
) -> None:
    party = looked_at(house)
    clock.seconds(230)
    page = party.players[0].get(party.table)
    assert "Everyone left, so the game was suspended." in page.words
    for who in party.players:
        assert who.submit(who.get(party.table), "/ready").status == 303
    assert house.referee.views.status(party.code).status is Status.PLAYING


@pytest.mark.usefixtures("live")
def test_who_is_away_from_a_live_game_for_a_minute_on_their_turn_may_be_dealt_with(
    house: House, clock: Wall
) -> None:
    party, mover, other = waiting(house, 2)
    mover.get(party.table)
    clock.seconds(40)
    other.get(party.table)
    assert can(other, party) == ""
    clock.seconds(50)
    other.get(party.table)
    assert can(other, party) == "out"
    mover.get(party.table)  # back again
    assert can(other, party) == ""


@pytest.mark.usefixtures("live")
def test_the_script_is_told_when_somebody_comes_or_goes(house: House, clock: Wall) -> None:
    party = house.fleet()
    one, other = party.players
    clock.seconds(30)
    one.get(party.table)
    before = one.get(f"{party.table}/version").text
    other.get(party.table)
    assert (now := one.get(f"{party.table}/version").text) != before
    assert f'data-version="{now}"' in one.get(party.table).text


@pytest.mark.usefixtures("live")
def test_without_a_script_the_frame_is_the_presence_also_on_ones_own_turn(house: House, clock: Wall) -> None:
    party, mover, other = waiting(house, 2)
    page = mover.get(party.table)
    frame = page.text.split('<iframe class="status"')[1].split('src="')[1].split('"')[0].replace("&amp;", "&")
    for _ in range(4):
        frame_text = mover.get(frame)
        assert "Nothing new." in frame_text.words
        frame = frame_text.text.split("url=")[1].split('"')[0].replace("&amp;", "&")
        clock.seconds(10)
        other.get(party.table)
        seat = house.referee.views.status(party.code).position.waiting[0]
        assert house.referee.views.show(None, party.code).places[seat].presence.present


@pytest.mark.usefixtures("live")
def test_those_who_have_gone_from_a_live_table_before_the_game_have_not_agreed(
    house: House, clock: Wall
) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("rps").table
    host.get(table)
    clock.seconds(200)
    guest.join(table)
    assert house.referee.views.status(table.removeprefix("/g/")).status is Status.OPEN
    assert host.submit(host.get(table), "/ready").status == 303
    assert house.referee.views.status(table.removeprefix("/g/")).status is Status.PLAYING
