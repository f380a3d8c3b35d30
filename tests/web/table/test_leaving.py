"""Leaving: before the game, by handing the seat on, by leaving it free, for good, or as the host says."""

import re
from html import unescape

import pytest

from strifebarge.rules.schema import seat_numbers
from strifebarge.tables.library.library import Library
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, hand_on, leave, token

GAMES = [title.slug for title in Library() if not title.for_one]
GONE = "You no longer have a seat at this table."


def host_of(house: House, table: str) -> str | None:
    return house.referee.views.status(table.removeprefix("/g/")).host


def hosting_seat(party: Party) -> int | None:
    """In which seat the host of a table plays."""
    table = party.house.referee.views.status(party.code)
    return next((chair.seat for chair in table.chairs if chair.has(table.host) and not chair.left), None)


def sits(who: Local, table: str) -> bool:
    return "(you)" in who.get(table).words


def take(who: Local, link: str, name: str = "") -> Page:
    return who.submit(who.get(link), "/seat", name=name)


# -- before the game -----------------------------------------------------------------------


def test_who_leaves_before_the_game_leaves_a_free_seat_and_the_host_passes_on(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table)
    assert leave(host, table, "free").status == 303
    assert not sits(host, table)
    assert "2 of 3 seats free." in guest.get(table).words
    assert not guest.get(table).has_form("/remove")  # nobody else is there
    third = house.visitor()
    third.join(table)
    assert guest.get(table).has_form("/remove")
    assert guest.get(table).has_form("/begin")
    assert not third.get(table).has_form("/remove")


def test_when_all_have_left_the_next_who_sits_down_is_the_host(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    leave(host, table, "free")
    assert host_of(house, table) is None
    guest.join(table)
    house.visitor().join(table)
    assert guest.get(table).has_form("/begin")


# -- handing on ------------------------------------------------------------------------------


def test_a_seat_handed_on_is_taken_by_the_press_of_a_button_and_not_by_a_look(house: House) -> None:
    party = house.fleet()
    keeper, taker = party.players[0], house.visitor()
    link = hand_on(keeper, party.table)
    with house.unchanged():
        page = taker.get(link)
    assert page.status == 200
    assert "hands you their seat" in page.words
    before = keeper.get(party.table)
    answer = take(taker, link, "Taker")
    assert (answer.status, answer.location) == (303, party.table)
    assert sits(taker, party.table)
    assert not sits(keeper, party.table)
    assert taker.get(party.table).my_turn == before.my_turn
    assert "Taker" in keeper.get(party.table).words


def test_a_link_to_a_seat_works_once(house: House) -> None:
    party = house.fleet()
    link = hand_on(party.players[0], party.table)
    late = house.visitor()
    page = late.get(link)
    assert take(house.visitor(), link).status == 303
    late.start("rps")  # somebody already, so that nothing at all may change
    with house.unchanged():
        refused = late.submit(page, "/seat")
        assert (refused.status, token(refused)) == (410, "table.dead_link")
        assert (late.get(link).status, token(late.get(link))) == (410, "table.dead_link")


def test_a_link_made_before_the_seat_was_left_free_is_dead(house: House) -> None:
    party = house.fleet()
    link = hand_on(party.players[0], party.table)
    leave(party.players[0], party.table, "free")
    assert house.visitor().get(link).status == 410


def forged(link: str, other: str) -> dict[str, str]:
    """Links that nobody was given."""
    path, _, token_ = link.partition("?t=")
    payload, _, signature = token_.rpartition(".")
    foreign = other.partition("?t=")[2]
    return {
        "no token": path,
        "an empty token": f"{path}?t=",
        "incomplete": f"{path}?t={token_[:-3]}",
        "no signature": f"{path}?t={payload}",
        "another's signature": f"{path}?t={payload}.{foreign.rpartition('.')[2]}",
        "changed": f"{path}?t={payload[:-1]}{'A' if payload[-1] != 'A' else 'B'}.{signature}",
        "for another table": f"{path}?t={foreign}",
        "no text": f"{path}?t=%ff%00",
        "long": f"{path}?t={'A' * 5000}",
    }


FORGED = ["no token", "an empty token", "incomplete", "no signature", "another's signature", "changed"]
FORGED += ["for another table", "no text", "long"]


@pytest.mark.parametrize("how", FORGED)
def test_a_link_to_a_seat_that_was_not_made_for_it_leads_to_none(house: House, how: str) -> None:
    party, elsewhere = house.fleet(), house.fleet()
    link = forged(hand_on(party.players[0], party.table), hand_on(elsewhere.players[0], elsewhere.table))[how]
    who = house.visitor()
    who.start("rps")
    with house.unchanged():
        seen = who.get(link)
        assert (seen.status, token(seen)) == (410, "table.no_seat_link")
        assert "This link leads to no seat." in seen.words
        fields = [("key", "f" * 32), ("t", link.partition("?t=")[2])]
        refused = who.post(f"{party.table}/seat", fields)
        assert (refused.status, token(refused)) == (410, "table.no_seat_link")


def test_who_sits_at_the_table_already_takes_no_second_seat(house: House) -> None:
    party = house.fleet()
    link = hand_on(party.players[0], party.table)
    with house.unchanged():
        refused = take(party.players[1], link)
        assert (refused.status, token(refused)) == (409, "table.seated_elsewhere")


def test_ones_own_link_takes_nothing(house: House) -> None:
    party = house.fleet()
    link = hand_on(party.players[0], party.table)
    page = party.players[0].get(link)
    assert "your own seat" in page.words
    assert not page.has_form("/seat")


def test_the_one_who_takes_over_the_hosts_seat_is_the_host(house: House) -> None:
    party, taker = house.fleet(3), house.visitor()
    before = host_of(house, party.table)
    assert take(taker, hand_on(party.players[0], party.table)).status == 303
    assert hosting_seat(party) == 0
    assert host_of(house, party.table) != before


def test_no_seat_of_a_finished_game_is_handed_on(house: House) -> None:
    party = house.fleet()
    link = hand_on(party.players[0], party.table)
    leave(party.players[1], party.table, "resign")
    taker = house.visitor()
    taker.start("rps")
    page = taker.get(link)
    with house.unchanged():
        assert 400 <= taker.submit(page, "/seat").status < 500


# -- leaving a seat free -----------------------------------------------------------------------


def test_a_seat_left_free_is_taken_over_by_whoever_joins_and_the_game_goes_on(house: House) -> None:
    party = house.fleet(3)
    mover = party.to_move()
    assert leave(mover, party.table, "free").status == 303
    assert not sits(mover, party.table)
    watching = party.players[1 if mover is party.players[0] else 0].get(party.table)
    assert not watching.over
    taker = house.visitor()
    page = taker.get(party.table)
    assert "Take the free seat" in page.words
    taken = taker.join(party.table, name="Taker")
    assert taken.my_turn
    assert taker.submit(taken, "/turn", taken.form("/turn").moves[0]).status == 303
    assert not house.visitor().get(party.table).has_form("/join")


def test_all_are_told_that_a_seat_is_free_and_that_somebody_takes_it(house: House) -> None:
    party = house.fleet(3)
    mover = party.to_move()
    stays = next(each for each in party.players if each is not mover)
    seat = party.players.index(mover)
    leave(mover, party.table, "free")
    name = f"{['Foxtrot', 'Golf', 'Juliett'][seat]} (free)"
    page = stays.get(party.table)
    assert f"Waiting for {name}. A seat is free. Invite someone." in page.words
    assert f"Waiting for {name}." in house.visitor().get(party.table).words
    assert f"{name}: a player left this seat." in stays.get(f"{party.table}/log").words
    house.visitor().join(party.table, name="Taker")
    assert "Taker: a new player is in this seat." in stays.get(party.table).words
    assert "(free)" not in stays.get(party.table).words


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_resigned_at_any_time_on_the_page_of_the_table(house: House, game: str) -> None:
    seats = [each for each in seat_numbers(house.referee.library[game].rules) if each > 1]
    for seat in range(seats[0]):
        party = house.gathered(game, seats[0])
        who = party.players[seat]
        assert f"{party.table}/resign" in who.get(party.table).seen.links
        asked = who.get(f"{party.table}/resign")
        assert asked.form("/quit").buttons[0].face == "Resign"
        assert asked.has_form("/turn") == who.get(party.table).has_form("/turn"), "the board is there too"
        assert who.submit(asked, "/quit").status == 303
        assert house.referee.views.status(party.code).chairs[seat].left
        assert who.get(f"{party.table}/resign").location == party.table
        assert f"{party.table}/resign" not in who.get(party.table).seen.links


# -- for good -----------------------------------------------------------------------------------


def test_who_leaves_strifebarge_for_good_scuttles_the_fleet_and_comes_in_last(house: House) -> None:
    party = house.fleet(3)
    first, second, third = party.players
    assert "Your ships are sunk and shown." in first.get(f"{party.table}/quit").words
    leave(first, party.table, "resign")
    log = second.get(f"{party.table}/log").words
    for ship in ("carrier", "cruiser", "destroyer"):
        assert f"lost a {ship}" in log
    page = second.get(party.table)
    assert "left" in page.words
    assert not page.over
    leave(second, party.table, "resign")
    end = third.get(party.table)
    assert end.over
    ranking = house.referee.views.status(party.code).ending.result
    assert ranking is not None
    assert ranking.places == [[2], [1], [0]]


def test_who_has_left_for_good_may_watch_and_is_offered_nothing(house: House) -> None:
    party = house.fleet(3)
    leave(party.players[0], party.table, "resign")
    page = party.players[0].get(party.table)
    assert page.status == 200
    assert not page.my_turn
    assert not page.has_form("/turn")


def test_on_a_plate_a_point_stands_before_the_words_for_who_has_left(house: House) -> None:
    party = house.fleet(3)
    leave(party.players[1], party.table, "resign")
    page = party.players[0].get(party.table).text
    plates = [
        unescape(each)
        for each in re.findall(r'<span class="tells">.*?</span>\s*<small>(.*?)</small>', page, re.DOTALL)
    ]
    assert sorted(plates) == ["", "", " · has left"]


# -- the host's office -------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["free", "resign"])
def test_a_host_who_leaves_a_running_game_passes_the_office_on_to_the_next_seat(
    house: House, how: str
) -> None:
    party = house.fleet(4)
    hosts = []
    for player in party.players[:2]:
        hosts.append(hosting_seat(party))
        leave(player, party.table, how)
    assert [*hosts, hosting_seat(party)] == [0, 1, 2]
    assert "/lost" in party.players[2].get(party.table).text
    assert "/lost" not in party.players[0].get(party.table).text


def test_after_the_last_seat_comes_the_first_and_others_who_leave_change_nothing(house: House) -> None:
    party = house.fleet(4)
    with house.referee.store.change(party.code) as change:
        change.table.host = change.table.chairs[3].player
    leave(party.players[1], party.table, "resign")
    assert hosting_seat(party) == 3
    leave(party.players[3], party.table, "resign")
    assert hosting_seat(party) == 0


def test_a_host_with_whom_others_play_a_seat_leaves_the_office_there(house: House) -> None:
    host, guest, beside = house.visitor(), house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="2").table
    beside.submit(beside.get(house.link(host, table, "beside")), "/seat", name="Dora")
    guest.join(table)
    party = Party(house, table, [host, guest])
    assert leave(host, table, "free").status == 303
    chairs = house.referee.views.status(party.code).chairs
    assert (hosting_seat(party), chairs[0].called) == (0, "Dora")


def test_who_is_erased_hosts_nothing(house: House) -> None:
    party = house.fleet(3)
    host = party.players[0]
    page = host.get("/me/erase")
    assert host.submit(page, "/me/erase", sure="yes").status == 303
    assert hosting_seat(party) == 1


# -- the host's doing --------------------------------------------------------------------------------


def test_the_host_may_free_the_seat_of_another_before_the_game(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table, name="Ben")
    assert host.submit(host.get(table), "/remove").status == 303
    assert not sits(guest, table)
    assert "Ben" not in host.get(table).words
    assert guest.get(table).has_form("/join")


def test_a_seat_that_has_changed_hands_since_the_host_looked_is_not_freed(house: House) -> None:
    """Whoever sat there has gone, and somebody else has come, alone or beside them."""
    host, guest, other = house.visitor(), house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table, name="Ben")
    page = host.get(table)
    beside = house.visitor()
    beside.submit(beside.get(house.link(guest, table, "beside")), "/seat", name="Dora")
    with house.unchanged():
        refused = host.submit(page, "/remove")
        assert (refused.status, token(refused)) == (409, "table.seat_changed")
        assert "That seat has changed hands" in refused.words
    leave(beside, table, "free")
    leave(guest, table, "free")
    other.join(table, name="Cleo")
    with house.unchanged():
        refused = host.submit(page, "/remove")
        assert (refused.status, token(refused)) == (409, "table.seat_changed")
        nothing = host.post(f"{table}/remove", [("key", "r" * 32), ("seat", "1")])
        assert (nothing.status, token(nothing)) == (409, "table.seat_changed")
    assert sits(other, table)
    assert host.submit(host.get(table), "/remove").status == 303
    assert not sits(other, table)


def test_the_host_begins_with_those_who_are_there(house: House) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="4").table
    others = [house.visitor(), house.visitor()]
    for other in others:
        other.join(table)
    assert "Start now with 3 players" in host.get(table).words
    assert host.submit(host.get(table), "/begin").status == 303
    state = house.referee.views.status(table.removeprefix("/g/"))
    assert [chair.seat for chair in state.chairs] == [0, 1, 2]
    assert all(sits(who, table) for who in (host, *others))
    assert any(who.get(table).my_turn for who in (host, *others))


def test_too_few_do_not_begin(house: House) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="4").table
    assert not host.get(table).has_form("/begin")
    with house.unchanged():
        refused = host.post(f"{table}/begin", [("key", "b" * 32)])
        assert (refused.status, token(refused)) == (409, "table.too_few")
        assert "at least 2 players" in refused.words


def test_only_the_host_begins_and_frees_seats_and_only_before_the_game(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="4").table
    guest.join(table)
    stranger = house.visitor()
    stranger.start("rps")
    playing = house.fleet()
    with house.unchanged():
        for act in ("/begin", "/remove"):
            for who in (guest, stranger):
                refused = who.post(table + act, [("key", "h" * 32), ("seat", "0")])
                assert (refused.status, token(refused)) == (403, "table.not_host")
            late = playing.players[0].post(playing.table + act, [("key", "h" * 32), ("seat", "1")])
            assert (late.status, token(late)) == (409, "table.begun")


@pytest.mark.parametrize("seat", ["-1", "4", "99999999999999999999", "x", ""])
def test_a_seat_that_is_not_there_is_not_freed(house: House, seat: str) -> None:
    host = house.visitor()
    table = host.start("strifebarge", seats="4").table
    with house.unchanged():
        answer = host.post(f"{table}/remove", [("key", "r" * 32), ("seat", seat)])
    assert (answer.status, token(answer)) == (422, "game.no_such_seat")


def test_when_the_host_frees_their_own_seat_somebody_else_is_the_host(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table)
    host.post(f"{table}/remove", [("key", "o" * 32), ("seat", "0")])
    state = house.referee.views.status(table.removeprefix("/g/"))
    assert state.chair_of(state.host)


def test_nobody_joins_a_full_table_or_a_finished_game(house: House) -> None:
    full, over = house.fleet(), house.thrown("rock", "paper")
    late = house.visitor()
    late.start("rps")
    with house.unchanged():
        for party, why in ((full, "table.full"), (over, "table.over")):
            refused = late.post(f"{party.table}/join", [("key", "j" * 32)])
            assert (refused.status, token(refused)) == (409, why)


def test_a_seat_asked_for_by_number_is_that_seat_or_none(house: House) -> None:
    table = house.visitor().start("strifebarge", seats="4").table
    third, late = house.visitor(), house.visitor()
    late.start("rps")
    assert third.submit(third.get(table), "/join", seat="2").status == 303
    state = house.referee.views.status(table.removeprefix("/g/"))
    assert [bool(chair.player) for chair in state.chairs] == [True, False, True, False]
    with house.unchanged():
        refused = late.submit(late.get(table), "/join", seat="2")
        assert (refused.status, token(refused)) == (409, "table.seat_taken")


@pytest.mark.parametrize("view", ["board", "text"])
def test_who_was_removed_before_the_game_is_told_so_once_with_a_script_and_without(
    house: House, view: str
) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table)
    page = guest.get(f"{table}?view={view}")
    frame = unescape(re.search(r'<iframe [^>]*src="([^"]+)"', page.text)[1])
    assert " data-sat" in page.text
    assert host.submit(host.get(table), "/remove").status == 303
    notice_link = next(link for link in guest.get(frame).seen.links if link.startswith(f"{table}?"))
    for path in (notice_link, f"{table}?sat=yes"):
        page = guest.get(path)
        assert GONE in page.words
        assert page.has_form("/join")
        assert " data-sat" not in page.text
    assert GONE not in guest.get(table).words
    assert GONE not in host.get(f"{table}?sat=yes").words
