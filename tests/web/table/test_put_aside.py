"""A game is put aside by one who plays, and goes on, or ends without a result, when all agree."""

import re
from secrets import token_hex

import pytest

from strifebarge.tables.model.table import Status
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, hand_on, leave, suspend, token


def press(who: Local, party: Party, ending: str, **fields: str) -> None:
    answer = who.submit(who.get(party.table), ending, **fields)
    assert answer.status == 303, answer.words


CARD = re.compile(r"(?:\d+|ace|jack|queen|king) of (?:hearts|spades|diamonds|clubs)")


def hand_of(page: Page) -> set[str]:
    return set(CARD.findall(page.text.split('<ul class="hand"')[1].split("</ul>")[0]))


def put_aside(house: House, people: int = 2) -> Party:
    party = house.fleet(people)
    suspend(party.players[0], party)
    return party


# -- putting aside, and going on ------------------------------------------------------------


def test_nobody_moves_while_a_game_is_put_aside_and_all_are_told_who_did_it(house: House) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    suspend(party.players[1], party)
    for each in (*party.players, house.visitor()):
        table_page = each.get(party.table)
        assert (
            f"{'You' if each is party.players[1] else 'Guest Golf'} suspended the game." in table_page.words
        )
        assert not table_page.has_form("/turn")
    with house.unchanged():
        refused = player.submit(page, "/turn", page.form("/turn").moves[0])
        assert (refused.status, token(refused)) == (409, "table.suspended")


def propose(who: Local, party: Party, wanted: bool = True) -> None:
    answer = who.post(
        f"{party.table}/suspend", [("key", token_hex(16)), ("suspend", "yes" if wanted else "no")]
    )
    assert answer.status == 303, answer.words


def test_nobody_holds_up_the_others_by_one_press(house: House) -> None:
    party = house.fleet(3)
    one, other, third = party.players
    press(one, party, "/suspend")
    for who in party.players:
        words = who.get(party.table).words
        assert "Want to suspend: Guest Foxtrot" in words
        assert ("Guest Foxtrot wants to suspend the game." in words) is (who is not one)
        assert "suspended the game." not in words
    assert "Want to suspend" not in house.visitor().get(party.table).words
    mover = party.to_move()
    page = mover.get(party.table)
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    press(other, party, "/suspend")
    press(one, party, "/suspend")  # takes it back
    proposal = one.get(party.table).words.partition("Want to suspend:")[2]
    assert proposal.partition("Agree to suspend")[0].strip() == "Guest Golf"
    press(third, party, "/suspend")
    assert party.to_move()
    press(one, party, "/suspend")
    assert "Guest Golf suspended the game." in third.get(party.table).words
    for who in party.players:
        press(who, party, "/ready")
    assert "Want to suspend" not in one.get(party.table).words


def test_the_same_press_twice_agrees_once(house: House) -> None:
    party = house.fleet()
    for _ in range(2):
        propose(party.players[0], party)
    assert house.referee.views.status(party.code).status is Status.PLAYING
    propose(party.players[0], party, wanted=False)
    propose(party.players[1], party)
    assert house.referee.views.status(party.code).status is Status.PLAYING


@pytest.mark.parametrize("how", ["link", "free"])
def test_whoever_takes_a_seat_has_not_agreed_with_who_had_it(house: House, how: str) -> None:
    party, taker = house.fleet(3), house.visitor()
    keeper, other, third = party.players
    press(keeper, party, "/suspend")
    if how == "link":
        link = hand_on(keeper, party.table)
        assert taker.submit(taker.get(link), "/seat").status == 303
    else:
        leave(keeper, party.table, "free")
        taker.join(party.table)
    for who in (other, third):
        press(who, party, "/suspend")
    assert "suspended the game." not in taker.get(party.table).words
    press(taker, party, "/suspend")
    assert "suspended the game." in taker.get(party.table).words


def test_an_empty_seat_is_not_asked_and_one_alone_needs_nobody(house: House) -> None:
    party, alone = house.fleet(3), house.visitor()
    leave(party.players[2], party.table, "free")
    for who in party.players[:2]:
        press(who, party, "/suspend")
    assert "suspended the game." in party.players[0].get(party.table).words
    page = alone.start("eights", seats="1")
    assert "Suspend game" in page.words
    assert alone.submit(page, "/suspend").status == 303
    assert "suspended the game." in alone.get(page.table).words


def test_it_goes_on_where_it_was_when_all_are_ready(house: House) -> None:
    party = house.fleet(3)
    before = [player.get(party.table).words for player in party.players]
    suspend(party.players[0], party)
    for player in party.players[:2]:
        press(player, party, "/ready")
        assert "suspended the game." in player.get(party.table).words
    assert "Waiting for Guest Juliett." in party.players[0].get(party.table).words
    press(party.players[2], party, "/ready")
    assert [player.get(party.table).words for player in party.players] == before


def test_agreement_may_be_taken_back_until_all_agree(house: House) -> None:
    party = put_aside(house)
    press(party.players[0], party, "/ready")
    press(party.players[0], party, "/unready")
    press(party.players[1], party, "/ready")
    assert "Resume?" in party.players[0].get(party.table).words


def test_a_captain_who_is_out_is_not_waited_for(house: House) -> None:
    party = house.fleet(3)
    leave(party.players[1], party.table, "resign")
    suspend(party.players[0], party)
    press(party.players[0], party, "/ready")
    press(party.players[2], party, "/ready")
    assert "suspended the game." not in party.players[0].get(party.table).words


def test_only_those_who_play_put_a_game_aside_and_only_while_it_runs(house: House) -> None:
    party, open_table = house.fleet(3), house.visitor()
    key = "k" * 32
    leave(party.players[1], party.table, "resign")
    for who in (house.visitor(), party.players[1]):
        with house.unchanged():
            assert token(who.post(f"{party.table}/suspend", [("key", key)])) == "table.not_seated"
    waiting = open_table.start("rps").table
    assert token(open_table.post(f"{waiting}/suspend", [("key", key)])) == "table.not_begun"
    over = house.thrown("rock", "paper")
    assert token(over.players[0].post(f"{over.table}/suspend", [("key", key)])) == "table.over"
    aside = put_aside(house)
    with house.unchanged():
        again = aside.players[1].post(f"{aside.table}/suspend", [("key", key)])
        assert (again.status, token(again)) == (409, "table.suspended")


def test_the_frame_that_waits_calls_nobody_to_a_board_where_no_one_may_move(house: House) -> None:
    party = house.fleet()
    frame = f"{party.table}/status"
    assert "It's your turn" in party.to_move().get(frame).words
    suspend(party.players[0], party)
    assert not [each for each in party.players if "It's your turn" in each.get(frame).words]


# -- who sees what meanwhile ------------------------------------------------------------------


@pytest.mark.parametrize("how", ["free", "link"])
def test_whoever_takes_a_seat_of_a_game_put_aside_sees_nothing_of_it_before_it_goes_on(
    house: House, how: str
) -> None:
    party = house.gathered("eights", 2, draw="by_hand")
    keeper, other, taker = *party.players, house.visitor()
    public = set(CARD.findall(house.visitor().get(party.table).text))
    hand = hand_of(keeper.get(party.table))
    assert len(hand) == 7
    link = hand_on(keeper, party.table)
    suspend(other, party)
    if how == "link":
        assert taker.submit(taker.get(link), "/seat").status == 303
    else:
        leave(keeper, party.table, "free")
        taker.join(party.table)
    page = taker.get(party.table)
    assert "(you)" in page.words
    for look in (party.table, f"{party.table}/at/0", f"{party.table}/log"):
        assert not [card for card in hand - public if card in taker.get(look).text]
    press(taker, party, "/ready")
    press(other, party, "/ready")
    assert hand_of(taker.get(party.table)) == hand


def test_a_view_holds_nobodys_secret_id(house: House) -> None:
    for name, party in house.scenes().items():
        table = house.referee.views.status(party.code)
        secret = {player for chair in table.chairs for player, _ in chair.people} | table.invited.keys()
        viewers: list[str | None] = [None, *(chair.player for chair in table.chairs)]
        for viewer in viewers:
            shown = repr(house.referee.views.show(viewer, party.code))
            assert not [each for each in secret if each in shown], name


def test_who_comes_back_to_their_own_seat_sees_it_as_before(house: House) -> None:
    party = put_aside(house)
    before = party.players[1].get(party.table).text.count(", your ")
    assert before
    leave(party.players[1], party.table, "free")
    party.players[1].join(party.table)
    assert party.players[1].get(party.table).text.count(", your ") == before


@pytest.mark.parametrize("aside", [False, True])
@pytest.mark.parametrize("how", ["free", "link", "beside"])
def test_nobody_takes_a_second_seat_of_a_game_and_with_it_what_the_first_one_knew(
    house: House, how: str, aside: bool
) -> None:
    party = house.gathered("eights", 3)
    one, other, third = party.players
    if aside:
        suspend(third, party)
    elif how == "beside":
        return  # nobody sits down beside anybody in the midst of a game
    way = {"link": lambda: hand_on(other, party.table), "beside": lambda: house.link(other, party.table, how)}
    path = way[how]() if how in way else ""
    leave(one, party.table, "free")
    if how == "free":
        leave(other, party.table, "free")
        page = one.get(party.table)
        seat, key = str(party.players.index(other)), "k" * 32
        refused = one.post(f"{party.table}/join", [("key", key), ("seat", seat)])
        assert one.submit(page, "/join").status == 303  # one's own again
        assert house.referee.views.status(party.code).chairs[1].player is None
    else:
        refused = one.submit(one.get(path), "/seat")
    assert (refused.status, token(refused)) == (409, "table.other_seat")


def test_who_comes_back_when_only_anothers_seat_is_free_may_watch(house: House) -> None:
    party = house.gathered("eights", 3)
    one, other, _ = party.players
    leave(one, party.table, "free")
    house.visitor().join(party.table)
    leave(other, party.table, "free")
    page = one.get(party.table)
    assert "You already played another seat in this game" in page.words
    assert not page.has_form("/join")


def test_the_host_who_begins_plays(house: House) -> None:
    players = [house.visitor() for _ in range(3)]
    table = players[0].start("strifebarge", seats="4").table
    for player in players[1:]:
        player.join(table)
    assert players[0].post(f"{table}/unready", [("key", "u" * 32)]).status == 303
    page = players[0].get(table)
    assert not page.has_form("/begin")
    assert players[0].post(f"{table}/begin", [("key", "b" * 32)]).status == 303
    assert [player.get(table).has_form("/suspend") for player in players] == [True] * 3


def test_a_free_seat_must_be_taken_before_it_goes_on(house: House) -> None:
    party = put_aside(house)
    leave(party.players[1], party.table, "free")
    press(party.players[0], party, "/ready")
    assert "A seat is free. Invite someone." in party.players[0].get(party.table).words
    taker = house.visitor()
    taker.join(party.table)
    press(taker, party, "/ready")
    press(party.players[0], party, "/ready")  # who was asked anew when somebody else sat down
    assert "suspended the game." not in taker.get(party.table).words


# -- ending without a result --------------------------------------------------------------------


def test_a_game_put_aside_ends_without_a_result_when_all_agree(house: House) -> None:
    party = put_aside(house)
    one, other = party.players
    press(one, party, "/end")
    assert "Guest Foxtrot wants to end the game without a result. Do you agree?" in (
        other.get(party.table).words
    )
    press(one, party, "/ready")
    assert "Game over." not in one.get(party.table).words
    press(other, party, "/ready")
    for who in (*party.players, house.visitor()):
        page = who.get(party.table)
        assert "Game over. Ended by agreement, no result." in page.words
        assert not page.has_form("/turn")
    assert one.get(party.table).has_form("/rematch")


def test_to_propose_the_end_asks_everybody_anew_and_so_does_to_take_it_back(house: House) -> None:
    party = put_aside(house)
    one, other = party.players
    press(one, party, "/ready")
    press(other, party, "/end")
    assert "Do you agree?" in one.get(party.table).words
    press(one, party, "/ready")
    press(other, party, "/end")  # the button now says: do not end it
    assert "Resume?" in one.get(party.table).words
    press(one, party, "/ready")
    press(other, party, "/ready")
    assert "suspended the game." not in one.get(party.table).words
    assert "Game over." not in one.get(party.table).words


def test_one_who_is_left_alone_may_end_a_game_put_aside(house: House) -> None:
    party = put_aside(house)
    leave(party.players[1], party.table, "free")
    press(party.players[0], party, "/end")
    press(party.players[0], party, "/ready")
    assert "Ended by agreement, no result." in party.players[0].get(party.table).words


def test_a_running_game_is_put_aside_before_it_is_ended(house: House) -> None:
    party = house.fleet()
    with house.unchanged():
        refused = party.players[0].post(f"{party.table}/end", [("key", "k" * 32)])
        assert (refused.status, token(refused)) == (409, "table.not_suspended")


# -- before the game ------------------------------------------------------------------------------


def test_a_setting_that_is_changed_asks_everybody_anew_and_says_who_changed_it(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table)
    party = Party(house, table, [host, guest])
    page = guest.get(f"{table}/settings")
    assert guest.submit(page, "/settings", salvo="true").status == 303
    for who in party.players:
        table_page = who.get(table)
        assert "set by Guest Golf" in table_page.words
        assert "The settings have changed. The others are waiting for you." in table_page.words
    third = house.visitor()
    third.join(table)
    press(host, party, "/ready")
    press(guest, party, "/ready")
    assert sum(who.get(table).my_turn for who in (host, guest, third)) == 1


def test_a_setting_set_to_what_it_was_asks_nobody(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3").table
    guest.join(table)
    assert guest.submit(guest.get(f"{table}/settings"), "/settings").status == 303
    assert "set by" not in host.get(table).words
    assert not host.get(table).has_form("/ready")


def test_settings_are_changed_before_the_game_by_those_who_sit_there(house: House) -> None:
    host, stranger = house.visitor(), house.visitor()
    table = host.start("rps").table
    assert token(stranger.get(f"{table}/settings")) == "table.not_seated"
    with house.unchanged():
        page = host.get(f"{table}/settings")
        assert host.submit(page, "/settings", best_of="4").status == 422
    begun = house.fleet()
    assert token(begun.players[0].get(f"{begun.table}/settings")) == "table.begun"
    assert token(begun.players[0].post(f"{begun.table}/settings", [("key", "k" * 32)])) == "table.begun"


def test_seats_are_changed_before_the_game(house: House) -> None:
    host = house.visitor()
    table = host.start("chess").table
    host.get(table)
    press(host, Party(house, table, [host]), "/sit", seat="1")
    assert "Guest Foxtrot (you) Black" in host.get(table).words
    guest = house.visitor()
    guest.join(table)
    assert "Guest Foxtrot 2 (you) White" in guest.get(table).words
    for seat, why in (("0", "table.begun"), ("9", "table.begun")):
        with house.unchanged():
            assert token(host.post(f"{table}/sit", [("key", seat * 32), ("seat", seat)])) == why


def test_nobody_sits_down_on_somebody(house: House) -> None:
    host, guest = house.visitor(), house.visitor()
    table = host.start("strifebarge", seats="3", name="Ann").table
    guest.join(table)
    with house.unchanged():
        assert token(host.post(f"{table}/sit", [("key", "k" * 32), ("seat", "1")])) == "table.seat_taken"
        assert token(host.post(f"{table}/sit", [("key", "k" * 32), ("seat", "7")])) == "game.no_such_seat"
    assert host.post(f"{table}/sit", [("key", "m" * 32), ("seat", "2")]).status == 303
    assert "Ann (you)" in host.get(table).words
