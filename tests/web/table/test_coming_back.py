"""Back to one's seat from a browser that nobody knows: by a personal link, or a code that the host makes."""

import pytest

from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Party, leave, suspend, token
from tests.web.markup import must_be_sound
from tests.web.signing import (
    PASSWORD,
    code_of,
    new_password,
    page_of,
    planted,
    session,
    sign_in,
    sign_up,
    take,
)
from tests.web.table.test_curtain import together

BOTS = [
    "Slackbot-LinkExpanding 1.0",
    "WhatsApp/2.23",
    "Mozilla/5.0 (compatible; Discordbot/2.0)",
    "facebookexternalhit/1.1",
    "Barracuda Sentinel (EE)",
]


def link_of(who: Local, again: bool = False) -> str:
    """The path of somebody's personal link."""
    page = who.get("/me/link")
    if again or "link" not in page.seen.ids:
        assert who.submit(page, "/me/link").status == 303
    value = str(who.get("/me/link").seen.ids["link"]["value"])
    return value[value.index("/open") :]


def follow(who: Local, link: str, **more: str) -> Page:
    return who.submit(who.get(link), "/open", **more)


# -- a personal link ----------------------------------------------------------------------------


def test_by_the_link_a_guest_comes_back_in_two_clicks_from_any_browser(house: House) -> None:
    phone, laptop = house.visitor(), house.visitor()
    table = phone.start("rps", name="Marta").table
    link = link_of(phone)
    page = laptop.get(link)
    must_be_sound(page)
    assert "Play as Marta in this browser?" in page.words
    assert laptop.submit(page, "/open").status == 303
    assert page_of(laptop) == page_of(phone)
    assert "(you)" in laptop.get(table).words
    assert len(house.store.accounts.devices(_id(house, phone))) == 2
    assert "last used" in phone.get("/me/link").words
    assert follow(house.visitor(), link).status == 303  # it is to be kept, and works again


def _id(house: House, who: Local) -> str:
    return house.store.accounts.person(page_of(who).removeprefix("/p/")).id


def test_no_robot_that_looks_at_the_link_becomes_anybody(house: House) -> None:
    phone = house.visitor()
    phone.start("rps", name="Marta")
    link = link_of(phone)
    with house.unchanged():
        for bot in BOTS * 4:
            page = house.visitor().get(link, User_Agent=bot)
            assert page.status == 200
            assert page.headers.get("Set-Cookie") is None
            assert page.headers["Referrer-Policy"] == "no-referrer"
            assert page.headers["Cache-Control"] == "no-store"
            assert page_of(house.visitor()) == ""


def test_the_pages_of_the_link_are_sound(house: House) -> None:
    who = house.visitor()
    stranger = who.get("/me/link")
    assert token(stranger) == "who.not_known"
    who.start("rps")
    for _ in range(2):
        page = who.get("/me/link")
        must_be_sound(page)
        assert page.headers["Referrer-Policy"] == "no-referrer"
        link = link_of(who)
    must_be_sound(who.get(link))
    assert "already signed in" in who.get(link).words
    must_be_sound(house.visitor().get("/open?t=x"))


def test_another_one_ends_it_and_the_same_form_twice_makes_one(house: House) -> None:
    who = house.visitor()
    who.start("rps")
    old = link_of(who)
    page = who.get("/me/link")
    for _ in range(2):
        assert who.submit(page, "/me/link").status == 303
    new = link_of(who)
    assert new != old
    dead = house.visitor().get(old)
    assert (dead.status, token(dead)) == (410, "who.dead_link")
    assert "/move" in dead.seen.links
    assert house.visitor().get(new).status == 200
    page = who.get("/me/link")
    button = next(each for each in page.form("/me/link").buttons if each.value == "no")
    assert who.submit(page, "/me/link", button).status == 303
    assert house.visitor().get(new).status == 410
    assert "link" not in who.get("/me/link").seen.ids
    assert link_of(who) not in (old, new)
    assert house.visitor().get(old).status == house.visitor().get(new).status == 410


@pytest.mark.parametrize("how", ["password", "others", "everywhere", "erased", "somebody else"])
def test_it_ends_with_whatever_else_is_to_keep_others_out(house: House, how: str) -> None:
    who, elsewhere = house.visitor(), house.visitor()
    who.start("rps")
    link = link_of(who)
    if how != "somebody else":
        sign_up(who, f"link.{how}")
        sign_in(elsewhere, f"link.{how}")
    match how:
        case "password":
            new_password(who, PASSWORD, "another whale")
        case "others" | "everywhere":
            which = "others" if how == "others" else "all"
            form = next(each for each in who.get("/me/devices").forms if ("device", which) in each.fields)
            who.post("/me/devices", form.filled())
        case "erased":
            who.submit(who.get("/me/erase"), "/me/erase", sure="yes", password=PASSWORD)
        case "somebody else":
            sign_up(elsewhere, "link.other")
            assert take(who, code_of(elsewhere)).status == 303
    for refused in (house.visitor().get(link), house.visitor().post(link, [("key", "k" * 32)])):
        assert (refused.status, token(refused)) == (410, "who.dead_link")


@pytest.mark.parametrize("broken", ["", "x", "a.b.c", "\0", "é" * 50, "x" * 5000])
def test_a_made_up_link_makes_nobody(house: House, broken: str) -> None:
    who = house.visitor()
    who.start("rps")
    good = link_of(who).partition("=")[2]
    with house.unchanged():
        for t in (broken, good[:-1], good[:-1] + ("A" if good[-1] != "A" else "Q"), good + "x"):
            stranger = house.visitor()
            refused = stranger.post("/open", [("key", "k" * 32), ("t", t)])
            assert (refused.status, token(refused)) == (410, "who.dead_link")
            assert session(stranger) == ""


def test_what_this_browser_played_as_a_guest_comes_along_or_is_left(house: House) -> None:
    marta, guest = house.visitor(), house.visitor()
    table = marta.start("rps", seats="2").table
    guest.join(table)
    link, cookie = link_of(marta), session(guest)
    refused = follow(guest, link)
    assert (refused.status, token(refused)) == (409, "who.twice")
    assert guest.submit(refused, "/open", leave="yes").status == 303
    assert page_of(guest) == page_of(marta)
    assert page_of(planted(house, cookie)) == ""
    other = house.visitor()
    mine = other.start("eights").table
    assert "come with you" in other.get(link).words
    assert follow(other, link).status == 303
    assert mine in marta.get("/games").text


# -- a lost seat -----------------------------------------------------------------------------------


def gone(party: Party) -> None:
    """Nobody has been at the table for a while."""
    now = party.house.referee.now
    party.house.referee.now = lambda: now() + 3600  # type: ignore[method-assign]


@pytest.fixture
def party(open_house: OpenHouse) -> Party:
    party = open_house().fleet(3)
    gone(party)
    return party


def seat_code(host: Local, table: str, seat: int) -> str:
    page = host.get(f"{table}/lost")
    button = next(each for each in page.form("/lost").buttons if each.value == str(seat))
    page = host.follow(host.submit(page, "/lost", button))
    words = page.text.partition('class="spoken">')[2]
    return words.partition("<")[0]


def come_back(who: Local, table: str, code: str) -> Page:
    page = who.get(f"{table}/back-to-my-seat")
    return who.submit(page, "/back-to-my-seat", c=code)


def test_the_host_gives_a_seat_back_and_all_can_see_it(party: Party) -> None:
    host, lost, third = party.players
    assert f"{party.table}/lost" in host.get(party.table).seen.links
    must_be_sound(host.get(f"{party.table}/lost"))
    code = seat_code(host, party.table, 1)
    must_be_sound(host.get(f"{party.table}/lost"))
    new = party.house.visitor()
    must_be_sound(new.get(f"{party.table}/back-to-my-seat"))
    before = party.house.referee.views.status(party.code).chairs[1]
    assert come_back(new, party.table, code.lower().replace("-", " ")).status == 303
    after = party.house.referee.views.status(party.code).chairs[1]
    assert (after.name, after.generation) == (before.name, before.generation + 1)
    assert after.player != before.player
    assert "(you)" in new.get(party.table).words
    assert "(you)" not in lost.get(party.table).words
    for who in (host, new, third, lost, party.house.visitor()):
        assert "Guest Golf's seat moved to a new device." in who.get(party.table).words
        assert "Guest Golf's seat moved to a new device." in who.get(f"{party.table}/log").words
    must_be_sound(third.get(party.table))
    must_be_sound(third.get(f"{party.table}/log"))


def test_a_code_ends_when_the_host_signs_out_all_other_devices(party: Party) -> None:
    host = party.players[0]
    code = seat_code(host, party.table, 1)
    others = next(form for form in host.get("/me/devices").forms if ("device", "others") in form.fields)
    assert host.post("/me/devices", others.filled()).status == 303
    assert token(come_back(party.house.visitor(), party.table, code)) == "table.wrong_seat_code"


def test_a_code_is_good_for_one_seat_once_and_for_a_day(party: Party) -> None:
    host, house = party.players[0], party.house
    code = seat_code(host, party.table, 1)
    new = house.visitor()
    page = new.get(f"{party.table}/back-to-my-seat")
    fields = page.form("/back-to-my-seat").filled(c=code)
    for _ in range(2):  # a second press is the same
        assert new.post(f"{party.table}/back-to-my-seat", fields).status == 303
    for wrong in (code, "00000000", "", "x" * 99):
        refused = come_back(house.visitor(), party.table, wrong)
        assert (refused.status, token(refused)) == (403, "table.wrong_seat_code")
    old = seat_code(host, party.table, 2)
    newest = seat_code(host, party.table, 2)
    assert token(come_back(house.visitor(), party.table, old)) == "table.wrong_seat_code"
    other = house.fleet(3)
    assert token(come_back(house.visitor(), other.table, newest)) == "table.wrong_seat_code"
    now = house.referee.now()
    house.referee.now = lambda: now + 86401  # type: ignore[method-assign]
    assert token(come_back(house.visitor(), party.table, newest)) == "table.wrong_seat_code"
    assert newest not in host.get(f"{party.table}/lost").text
    for code in (old, newest):
        assert code.replace("-", "") not in str(house.kept_of("tables"))


def test_codes_are_not_to_be_guessed(party: Party) -> None:
    code, guesser = seat_code(party.players[0], party.table, 1), party.house.visitor()
    for number in range(5):
        assert come_back(guesser, party.table, f"{number:08}").status == 403
    assert come_back(guesser, party.table, code).status == 429
    assert come_back(party.house.visitor(), party.table, code).status == 303


def test_whose_seat_is_not_given_back(party: Party) -> None:
    host, member, here = party.players
    house = party.house
    sign_up(member, "member")
    here.get(party.table)
    offered = host.get(f"{party.table}/lost")
    assert not offered.has_form("/lost")
    for seat, why in (
        (0, "table.not_seated"),
        (1, "table.they_sign_in"),
        (2, "table.they_are_here"),
        (9, "game.no_such_seat"),
    ):
        with house.unchanged():
            refused = host.post(f"{party.table}/lost", [("key", "k" * 32), ("seat", str(seat))])
            assert token(refused) == why
    for who in (here, house.visitor()):
        with house.unchanged():
            refused = who.post(f"{party.table}/lost", [("key", "k" * 32), ("seat", "1")])
            assert refused.status == 403
            assert who.get(f"{party.table}/lost").status == 403


def test_who_sits_there_already_or_comes_too_late_gets_no_seat(party: Party) -> None:
    host, _, third = party.players
    house = party.house
    code = seat_code(host, party.table, 1)
    fields = [("key", "k" * 32), ("c", code)]
    with house.unchanged():
        assert token(third.post(f"{party.table}/back-to-my-seat", fields)) == "table.seated_elsewhere"
    assert "You're at this table." in third.get(f"{party.table}/back-to-my-seat").words
    for player in party.players[1:]:
        leave(player, party.table, "resign")
    refused = come_back(house.visitor(), party.table, code)
    assert (refused.status, token(refused)) == (409, "table.over")
    assert host.get(f"{party.table}/lost").status == 409


def test_nobody_gets_at_a_seat_of_their_own_device_that_way(open_house: OpenHouse) -> None:
    party = together(open_house(), "strifebarge", "3", "Ben, Cleo")
    ann = party.players[0]
    assert not ann.get(f"{party.table}/lost").has_form("/lost")
    refused = ann.post(f"{party.table}/lost", [("key", "k" * 32), ("seat", "1")])
    assert token(refused) == "table.not_seated"


def test_in_a_game_put_aside_who_comes_back_sees_nothing_before_all_agree(open_house: OpenHouse) -> None:
    from tests.web.table.test_put_aside import hand_of, press

    party = open_house().gathered("eights", 2)
    host, lost = party.players
    hand = hand_of(lost.get(party.table))
    suspend(host, party)
    gone(party)
    new = party.house.visitor()
    assert come_back(new, party.table, seat_code(host, party.table, 1)).status == 303
    public = party.house.visitor().get(party.table).text
    assert not [card for card in hand if card in new.get(party.table).text and card not in public]
    for who in (new, host):
        press(who, party, "/ready")
    assert hand_of(new.get(party.table)) == hand
