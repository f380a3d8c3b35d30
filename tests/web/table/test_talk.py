"""Talk at a table: who reads what, what is not said, and how it is taken away again."""

import re
from collections.abc import Callable
from secrets import token_hex

import pytest

from strifebarge.tables.acts.talk import answer_report
from strifebarge.tables.model.chat import LONGEST, RATES
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Party, token


def say(who: Local, party: Party, text: str = "", **fields: str) -> Page:
    page = who.get(f"{party.table}/talk")
    return who.submit(page, "/say", text=text, **fields)


def must_say(who: Local, party: Party, text: str) -> None:
    assert say(who, party, text).status == 303


def reads(who: Local, party: Party) -> str:
    return who.get(f"{party.table}/talk").words


@pytest.fixture
def clock(house: House, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """The referee's clock, which goes on only when it is told to."""
    now = [2_000_000_000.0]
    monkeypatch.setattr(house.referee, "now", lambda: now[0])

    def wait(seconds: float) -> None:
        now[0] += seconds

    return wait


# -- who reads what -----------------------------------------------------------------------


def test_what_players_say_is_read_by_everybody(house: House) -> None:
    party, watcher = house.fleet(), house.visitor()
    must_say(party.players[0], party, "Good hunting to you all")
    for who in (*party.players, watcher):
        assert "Guest Foxtrot: Good hunting to you all" in who.get(party.table).words
        assert "Good hunting to you all" in reads(who, party)


def test_what_watchers_say_is_read_by_players_when_the_game_is_over(house: House) -> None:
    party, watcher, other = house.thrown("rock"), house.visitor(), house.visitor()
    version = party.players[0].get(party.table).version
    must_say(watcher, party, "She always throws paper")
    assert "She always throws paper" in reads(other, party)
    for player in party.players:
        assert "She always throws paper" not in player.get(party.table).text
        assert "She always throws paper" not in reads(player, party)
    assert watcher.submit(watcher.get(f"{party.table}/talk"), "/strike").status == 303
    assert "She always throws paper" not in reads(other, party)
    must_say(watcher, party, "She never throws rock")
    assert party.players[0].get(party.table).version == version
    party.players[1].move(party.table, "throw paper")
    while not party.players[0].get(party.table).over:
        for player, hand in zip(party.players, ("rock", "paper"), strict=True):
            if player.get(party.table).my_turn:
                player.move(party.table, f"throw {hand}")
    assert "(watching): She never throws rock" in reads(party.players[0], party)


def test_who_plays_does_not_read_the_watchers_behind_a_curtain_either(house: House) -> None:
    party, watcher = house.at_one_device(), house.visitor()
    must_say(watcher, party, "He keeps all the eights")
    assert "He keeps all the eights" in reads(watcher, party)
    assert party.players[0].get(party.table).has_form("/uncover")
    assert "He keeps all the eights" not in reads(party.players[0], party)


def unread(who: Local, party: Party) -> list[str]:
    """How many lines are unread, as the tab and the bar say."""
    return re.findall(r'class="unread">(\d+)<', who.get(party.table).text)


def test_the_tab_and_the_bar_say_how_many_lines_are_unread(house: House) -> None:
    party = house.fleet()
    one, other = party.players
    for number, text in enumerate(("Good hunting", "The north is mine"), start=1):
        assert unread(other, party) == ["1"] * 2 * (number - 1)
        must_say(one, party, text)
        assert unread(other, party) == [str(number)] * 2
        assert unread(one, party) == []
    other.submit(other.get(f"{party.table}/talk"), "/strike")
    assert reads(other, party)
    assert unread(other, party) == []
    must_say(one, party, "And the south")
    assert unread(other, party) == ["1"] * 2
    tab = other.copy()
    must_say(tab, party, "Not at all")
    assert unread(other, party) == []  # who answers has read
    must_say(one, party, "All of it")
    form = one.get(f"{party.table}/talk").form("/strike")
    assert one.post(f"{party.table}/strike", form.filled()).status == 303


def test_a_number_that_is_none_has_read_nothing(house: House) -> None:
    party = house.fleet()
    must_say(party.players[0], party, "Good hunting")
    for odd in ("x", "-1", "9" * 5000, "1.5", "²"):
        party.players[1].cookies["read"] = odd
        assert unread(party.players[1], party) == ["1"] * 2


def test_a_move_that_was_begun_is_not_stale_for_something_that_was_said(house: House) -> None:
    party = house.fleet()
    player = party.to_move()
    page = player.get(party.table)
    must_say(party.players[1], party, "Take your time")
    assert player.submit(page, "/turn", page.form("/turn").moves[0]).status == 303


def test_phrases_are_read_by_everybody_in_their_own_language(house: House) -> None:
    party = house.fleet()
    one, other = party.players
    assert say(one, party, phrase="luck").status == 303
    assert "Good luck." in reads(other, party)
    assert "Viel Glück." in other.get(f"{party.table}/talk", Accept_Language="de").words


def test_who_is_not_to_be_read_is_not_read_by_that_one_alone(house: House) -> None:
    party = house.fleet(3)
    must_say(party.players[0], party, "one thing")
    must_say(party.players[1], party, "another thing")
    reader = party.players[2]
    assert "Mute Guest Foxtrot" in reads(reader, party)
    assert reader.post(f"{party.table}/mute", [("number", "1")]).status == 303
    words = reads(reader, party)
    assert ("one thing" in words, "another thing" in words) == (False, True)
    assert "one thing" in reads(party.players[1], party)


# -- what is not said -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "empty"), (" \u202e\u200b ", "empty"), ("x" * (LONGEST + 1), "too_long"), ("x" * 9999, "too_long")],
)
def test_nothing_and_too_much_are_not_said(house: House, text: str, why: str) -> None:
    party = house.fleet()
    with house.unchanged():
        refused = say(party.players[0], party, text)
        assert (refused.status, token(refused)) == (422, f"table.{why}")


def test_the_same_is_not_said_twice_but_later(house: House, clock: Callable[[float], None]) -> None:
    party = house.fleet()
    must_say(party.players[0], party, "Hello")
    assert token(say(party.players[0], party, "HELLO")) == "table.again"
    must_say(party.players[1], party, "Hello")
    clock(61)
    must_say(party.players[0], party, "hello")


@pytest.mark.parametrize(("most", "seconds"), RATES)
def test_nobody_says_more_than_others_can_read(
    house: House, clock: Callable[[float], None], most: int, seconds: int
) -> None:
    party = house.fleet()
    for number in range(most):
        must_say(party.players[0], party, f"line {number}")
        clock(seconds / most if most > 5 and number < most - 1 else 0)
    refused = say(party.players[0], party, "one more")
    assert refused.status == 429
    assert int(refused.headers["Retry-After"]) <= seconds
    must_say(party.players[1], party, "another may")
    clock(seconds)
    must_say(party.players[0], party, "and now I may too")


@pytest.mark.parametrize("from_talk", [False, True], ids=["at the table", "on the page of the talk"])
def test_what_was_too_much_stands_in_its_field_on_the_page_it_came_from(
    house: House, from_talk: bool
) -> None:
    party = house.fleet()
    player, path = party.players[0], f"{party.table}/talk" if from_talk else party.table
    for number in range(5):
        must_say(player, party, f"line {number}")
    refused = player.submit(player.get(path), "/say", text='one "more"')
    assert (refused.status, token(refused)) == (429, "table.too_much")
    assert f"Try again in {refused.headers['Retry-After']} seconds." in refused.words
    assert refused.form("/say")["text"] == 'one "more"'
    assert refused.has_form("/turn") is not from_talk
    assert ("Full chat" in refused.words) is not from_talk


def test_one_who_keeps_no_cookie_says_no_more_for_being_new_each_time(
    open_house: OpenHouse,
) -> None:
    house = open_house(limit_create=1)
    party = Party(house, house.visitor().start("rps").table, [])
    pages = []
    for number in range(7):
        stranger = house.visitor("10.9.9.9")
        pages.append(stranger.get(f"{party.table}/talk"))
        answer = stranger.submit(pages[-1], "/say", text=f"number {number}")
        assert answer.status == (303 if number < 6 else 429), answer.words
    again = house.visitor("10.9.9.9").submit(pages[0], "/say", text="number 0")
    assert again.status == 303
    assert reads(house.visitor(), party).count("number 0") == 1
    assert "number 5" in reads(house.visitor(), party)
    assert "number 6" not in reads(house.visitor(), party)


def test_the_same_form_again_says_it_once(house: House) -> None:
    party, watcher = house.fleet(), house.visitor()
    page = watcher.get(f"{party.table}/talk")
    for _ in range(2):
        assert watcher.submit(page, "/say", text="Once").status == 303
    assert reads(watcher, party).count("Once") == 1


def test_what_is_said_is_words_and_never_markup(house: House) -> None:
    party = house.fleet()
    must_say(party.players[0], party, "<b>bold</b> https://example.org/a?b&c javascript:alert(1)")
    text = party.players[1].get(party.table).text
    assert "&lt;b&gt;bold&lt;/b&gt;" in text
    assert 'href="https://example.org/a?b&amp;c" rel="' in text
    assert 'href="javascript' not in text


# -- taking away ------------------------------------------------------------------------------


def test_one_strikes_out_ones_own_and_the_host_anybodys(house: House) -> None:
    party = house.fleet(3)
    host, ann, ben = party.players
    must_say(ann, party, "something rash")
    page = ann.get(f"{party.table}/talk")
    for who in (ben, house.visitor()):
        with house.unchanged():
            answer = who.post(f"{party.table}/strike", [("key", "k" * 32), ("number", "1")])
            assert answer.status == 403
    assert ann.submit(page, "/strike").status == 303
    assert "something rash" not in reads(ben, party)
    assert "deleted" in reads(ben, party)
    must_say(ann, party, "again something")
    assert host.post(f"{party.table}/strike", [("key", "h" * 32), ("number", "2")]).status == 303
    assert "again something" not in reads(ben, party)


def test_a_report_is_kept_and_tells_nobody_at_the_table(house: House) -> None:
    party = house.fleet()
    must_say(party.players[0], party, "something bad")
    version = party.players[0].get(party.table).version
    fields = [("key", "r" * 32), ("number", "1")]
    assert party.players[1].post(f"{party.table}/report", fields).status == 303
    assert party.players[0].get(party.table).version == version
    assert [line.reported for line in house.referee.store.lines(party.code)] == [True]


@pytest.mark.parametrize("strike", [True, False])
def test_an_answer_to_a_report_from_the_gallery_is_no_news_to_players(house: House, strike: bool) -> None:
    party, watcher, other = house.thrown("rock"), house.visitor(), house.visitor()
    must_say(watcher, party, "something bad")
    version = party.players[0].get(party.table).version
    fields = [("key", token_hex(16)), ("number", "1")]
    assert other.post(f"{party.table}/report", fields).status == 303
    answer_report(house.referee, party.code, 1, strike)
    assert party.players[0].get(party.table).version == version
    assert ("something bad" in reads(watcher, party)) is not strike


def test_the_host_closes_the_chat_and_opens_it_again(house: House) -> None:
    party = house.fleet()
    host, guest = party.players
    page = guest.get(f"{party.table}/talk")
    assert host.submit(host.get(f"{party.table}/talk"), "/hush").status == 303
    with house.unchanged():
        refused = guest.submit(page, "/say", text="May I")
        assert (refused.status, token(refused)) == (409, "table.closed")
    refused = guest.post(f"{party.table}/hush", [("key", "k" * 32), ("hush", "no")])
    assert (refused.status, token(refused)) == (403, "table.not_host")
    assert host.submit(host.get(f"{party.table}/talk"), "/hush").status == 303
    must_say(guest, party, "I may")


# -- notes ------------------------------------------------------------------------------------


def test_notes_are_ones_own(house: House) -> None:
    party = house.fleet()
    one, other = party.players
    assert one.submit(one.get(party.table), "/note", note="The carrier is at K9\nor near").status == 303
    assert "The carrier is at K9\nor near" in one.get(party.table).text
    for who in (other, house.visitor()):
        assert "carrier is at K9" not in who.get(party.table).text
    assert house.visitor().post(f"{party.table}/note", [("note", "x")]).status == 403
