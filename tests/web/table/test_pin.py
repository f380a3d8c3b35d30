"""Four digits before a curtain: they keep out who only shares the device, and lock nobody out for ever."""

import re

import pytest

from strifebarge.tables.view.perspective import FORGOTTEN, REST, TRIES
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Party, token
from tests.web.markup import must_be_sound
from tests.web.table.test_curtain import confirm_buttons, covered, lift, together

PIN = "4711"


class Clock:
    def __init__(self, house: House):
        self.at = 2_000_000_000.0
        house.referee.now = lambda: self.at  # type: ignore[method-assign]


@pytest.fixture
def house(open_house: OpenHouse) -> House:
    return open_house()


@pytest.fixture
def clock(house: House) -> Clock:
    return Clock(house)


@pytest.fixture
def party(house: House, clock: Clock) -> Party:
    """Ann and Ben share a device; it is Ann's turn, whose seat has a PIN, and the curtain is down."""
    party = together(house, "strifebarge")
    ann = party.players[0]
    assert ann.submit(lift(ann, party.table), "/pin", pin=PIN).status == 303
    assert ann.submit(ann.get(party.table), "/cover").status == 303
    return party


def types(who: Local, table: str, digits: str, seat: int = 0) -> Page:
    """Somebody says who they are, and types a PIN."""
    page = who.get(table)
    button = next(each for each in confirm_buttons(page) if each.value == str(seat))
    return who.submit(page, "/uncover", button, pin=digits)


def test_a_pin_is_asked_for_at_the_curtain_and_by_nobody_who_has_none(party: Party) -> None:
    ann = party.players[0]
    page = ann.get(party.table)
    must_be_sound(page)
    assert 'inputmode="numeric"' in page.text
    wrong = types(ann, party.table, "0000")
    assert (wrong.status, token(wrong)) == (403, "table.wrong")
    assert covered(wrong)
    assert covered(ann.get(party.table))
    assert types(ann, party.table, PIN).status == 303
    page = ann.get(party.table)
    assert page.my_turn
    must_be_sound(page)
    ann.submit(page, "/turn", page.form("/turn").moves[0])
    assert 'inputmode="numeric"' not in ann.get(party.table).text
    assert lift(ann, party.table).my_turn


def test_it_is_kept_as_a_hash_and_stands_on_no_page(party: Party) -> None:
    chair = party.house.referee.views.status(party.code).chairs[0]
    assert chair.pin is not None
    assert chair.pin.hash.startswith("$argon2id$")
    assert PIN not in str(party.house.kept()["tables"]).replace(party.code, "")
    types(party.players[0], party.table, PIN)
    assert not re.search(rf'value="{PIN}"', party.players[0].get(party.table).text)


def test_after_five_wrong_tries_even_the_right_one_has_to_wait(party: Party, clock: Clock) -> None:
    ann = party.players[0]
    for _ in range(TRIES):
        assert types(ann, party.table, "1234").status == 403
    for digits in ("1234", PIN):
        refused = types(ann, party.table, digits)
        assert (refused.status, token(refused)) == (409, "table.rest")
        assert "10 minutes" in refused.words
    clock.at += REST
    assert types(ann, party.table, PIN).status == 303
    assert ann.get(party.table).my_turn


def test_tries_count_for_the_seat_and_not_for_an_address_and_a_double_click_is_one(party: Party) -> None:
    ann = party.players[0]
    page = ann.get(party.table)
    for _ in range(9):
        assert ann.submit(page, "/uncover", confirm_buttons(page)[0], pin="1234").status == 403
    assert types(ann, party.table, PIN).status == 303
    elsewhere = party.house.visitor("10.99.0.1")
    elsewhere.cookies = dict(ann.cookies)
    elsewhere.submit(elsewhere.get(party.table), "/cover")
    for _ in range(TRIES - 1):
        assert types(elsewhere, party.table, "1234").status == 403
    ann.cookies.pop("seat")
    assert types(ann, party.table, "9999").status == 403
    assert token(types(ann, party.table, PIN)) == "table.rest"


@pytest.mark.parametrize("digits", ["", "1", "12345", "abcd", "٤٧١١", " 4711 x", "4711\0", "9" * 5000])
def test_what_is_no_pin_opens_nothing_and_is_none(party: Party, digits: str) -> None:
    ann = party.players[0]
    assert types(ann, party.table, digits).status == 403
    types(ann, party.table, PIN)
    if digits:
        refused = ann.submit(ann.get(party.table), "/pin", pin=digits)
        assert (refused.status, token(refused)) == (422, "table.four_digits")


def test_no_other_way_leads_past_it(party: Party) -> None:
    """Neither a cookie of one's own making nor a form made for that seat."""
    ann, house = party.players[0], party.house
    for forged in (f"{party.code}.0.forged", f"{party.code}.0.00.{'x' * 27}"):
        ann.cookies["seat"] = forged
        assert covered(ann.get(party.table))
        for ending in ("/log", "/at/0", "/talk", "?view=text", "/quit"):
            assert covered(ann.follow(ann.get(party.table + ending))) or ending in ("/log", "/at/0", "/talk")
        with house.unchanged():
            for form in ("turn", "pin", "note", "quit", "undo", "suspend"):
                fields = [("key", "k" * 32 + ".seat0"), ("asked", "0"), ("do", "fire"), ("pin", "")]
                refused = ann.post(f"{party.table}/{form}", fields)
                assert (refused.status, token(refused)) == (403, "table.covered"), form
    second = house.visitor()
    assert not covered(second.get(party.table))
    assert second.post(f"{party.table}/pin", [("key", "k" * 32), ("pin", "1111")]).status == 403


def test_no_cookie_of_whoever_looked_once_passes_a_pin_again(party: Party) -> None:
    """Neither after they have covered it, nor once it was another's turn in between."""
    ann, house = party.players[0], party.house
    assert types(ann, party.table, PIN).status == 303
    old = [ann.cookies["seat"]]
    assert ann.get(party.table).my_turn
    ann.submit(ann.get(party.table), "/cover")
    types(ann, party.table, PIN)
    old.append(ann.cookies["seat"])
    page = ann.get(party.table)
    assert ann.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    while covered(ann.get(party.table)) and 'name="pin"' not in ann.get(party.table).text:
        page = lift(ann, party.table)
        old.append(ann.cookies["seat"])
        ann.submit(page, "/turn", page.form("/turn").moves[0])
    for cookie in old[:2]:
        ann.cookies["seat"] = cookie
        with house.unchanged():
            assert covered(ann.get(party.table))
            ann.cookies["seat"] = cookie
            refused = ann.post(f"{party.table}/turn", [("key", "k" * 32 + ".seat0"), ("asked", "0")])
            assert (refused.status, token(refused)) == (403, "table.covered")
    assert types(ann, party.table, PIN).status == 303
    assert ann.get(party.table).my_turn


def test_no_cookie_from_before_a_pin_or_from_a_game_put_aside_passes_it(house: House, clock: Clock) -> None:
    party = together(house, "strifebarge")
    ann = party.players[0]
    lift(ann, party.table)
    ann.submit(ann.get(party.table), "/cover")
    lift(ann, party.table)
    before = ann.cookies["seat"]
    assert ann.submit(ann.get(party.table), "/pin", pin=PIN).status == 303
    assert ann.get(party.table).my_turn  # whoever has set it looks on
    ann.submit(ann.get(party.table), "/cover")
    ann.cookies["seat"] = before
    assert covered(ann.get(party.table))
    types(ann, party.table, PIN)
    assert ann.submit(ann.get(party.table), "/suspend").status == 303
    assert ann.post(f"{party.table}/uncover", [("key", "u" * 32), ("seat", "0")]).status == 303
    aside = ann.cookies["seat"]
    assert ann.submit(ann.get(party.table), "/ready").status == 303
    ann.cookies["seat"] = aside
    assert covered(ann.get(party.table))


def test_it_can_be_changed_and_taken_away_by_whoever_is_looking(party: Party) -> None:
    ann = party.players[0]
    types(ann, party.table, PIN)
    assert ann.submit(ann.get(party.table), "/pin", pin="2222").status == 303
    ann.submit(ann.get(party.table), "/cover")
    assert types(ann, party.table, PIN).status == 403
    assert types(ann, party.table, "2222").status == 303
    page = ann.get(party.table)
    away = [form for form in page.forms if form.action.endswith("/pin")][-1]
    assert ann.post(f"{party.table}/pin", away.filled()).status == 303
    ann.submit(ann.get(party.table), "/cover")
    assert lift(ann, party.table).my_turn


def test_a_forgotten_one_is_asked_for_no_more_a_day_after_all_could_read_that(
    party: Party, clock: Clock
) -> None:
    ann = party.players[0]
    page = ann.get(party.table)
    assert ann.submit(page, "/forgotten").status == 303
    page = ann.get(party.table)
    assert "'s PIN as forgotten. It is removed on" in page.words
    must_be_sound(page)
    clock.at += FORGOTTEN - 1
    assert types(ann, party.table, "").status == 403
    clock.at += 1
    page = ann.get(party.table)
    assert 'name="pin"' not in page.text
    assert lift(ann, party.table).my_turn


def test_whoever_knows_it_ends_that(party: Party, clock: Clock) -> None:
    ann = party.players[0]
    ann.submit(ann.get(party.table), "/forgotten")
    clock.at += FORGOTTEN - 60
    assert types(ann, party.table, PIN).status == 303
    ann.submit(ann.get(party.table), "/cover")
    clock.at += 2 * FORGOTTEN
    assert "'s PIN as forgotten. It is removed on" not in ann.get(party.table).words
    assert types(ann, party.table, "").status == 403


def test_put_aside_nobody_types_a_pin_nor_sees_or_writes_anothers_notes(party: Party) -> None:
    ann = party.players[0]
    types(ann, party.table, PIN)
    ann.submit(ann.get(party.table), "/note", note="Ben is at K9")
    assert ann.submit(ann.get(party.table), "/suspend").status == 303
    page = ann.get(party.table)
    assert "Ben is at K9" not in page.text
    assert not page.has_form("/note")
    with party.house.unchanged():
        for form, why in (("pin", "table.suspended"), ("note", "table.suspended")):
            fields = [("key", "k" * 32 + ".seat0"), ("pin", ""), ("note", "x")]
            assert token(ann.post(f"{party.table}/{form}", fields)) == why
    assert ann.submit(page, "/ready").status == 303
    assert covered(ann.get(party.table)) or ann.get(party.table).my_turn
    ann.submit(ann.get(party.table), "/cover") if ann.get(party.table).has_form("/cover") else None
    assert types(ann, party.table, "0000").status == 403
    assert types(ann, party.table, PIN).status == 303


def test_the_next_game_of_the_same_people_asks_for_it_too(house: House, clock: Clock) -> None:
    party = together(house, "rps", "2")
    ann = party.players[0]
    ann.submit(lift(ann, party.table), "/pin", pin=PIN)
    ann.submit(ann.get(party.table), "/turn", move="throw rock")
    page = lift(ann, party.table, 1)
    over = ann.follow(ann.submit(page, "/turn", move="throw paper"))
    again = ann.follow(ann.submit(over, "/rematch"))
    assert covered(again)
    chairs = house.referee.views.status(again.table.removeprefix("/g/")).chairs
    assert [chair.pin is not None for chair in chairs] == [False, True]


def test_where_nothing_is_hidden_or_everybody_has_a_device_there_is_no_pin(house: House) -> None:
    for party in (house.fleet(), together(house, "chess", "")):
        who = party.players[0]
        assert not who.get(party.table).has_form("/pin")
    who = house.fleet().players[0]
    table = who.start("strifebarge", seats="2").table
    house.visitor().join(table)
    refused = who.post(f"{table}/pin", [("key", "k" * 32), ("pin", PIN)])
    assert (refused.status, token(refused)) == (409, "table.not_passed")
