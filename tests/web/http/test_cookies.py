"""The cookie by which a browser is known: out of reach of others, and never one that somebody planted."""

import re

import pytest

from tests.support.visitor import Page
from tests.web.asking import addresses
from tests.web.house import House, OpenHouse, Party


def session_cookies(page: Page) -> list[str]:
    return [line for line in page.headers.get_all("Set-Cookie") if line.split("=")[0].endswith("sb")]


@pytest.mark.parametrize("secure", [False, True])
def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(open_house: OpenHouse, secure: bool) -> None:
    house = open_house(secure=secure)
    who = house.visitor()
    [cookie] = session_cookies(who.submit(who.get("/"), "/new/rps"))
    named, *flags = re.split("; *", cookie)
    assert named.startswith("__Host-sb=" if secure else "sb=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags)
    assert ("Secure" in flags) == secure
    assert not [flag for flag in flags if flag.startswith("Domain")]


def test_whoever_becomes_somebody_by_sitting_down_gets_a_fresh_session(house: House) -> None:
    who = house.visitor()
    who.cookies["sb"] = "x" * 43
    who.start("rps")
    assert who.cookies["sb"] != "x" * 43


def test_a_second_seat_keeps_the_session_or_another_tab_would_lose_the_first(house: House) -> None:
    who = house.visitor()
    first = who.start("rps").table
    other_tab = who.copy()
    who.start("eights")
    assert "(you)" in other_tab.get(first).words
    assert other_tab.cookies == who.cookies


def test_a_session_id_that_somebody_planted_is_not_taken_over(house: House) -> None:
    planted = "planted-" + "x" * 35
    who = house.visitor()
    who.cookies["sb"] = planted
    table = who.start("rps").table
    assert who.cookies["sb"] != planted
    thief = house.visitor()
    thief.cookies["sb"] = planted
    assert "(you)" not in thief.get(table).words
    assert "No games yet" in thief.get("/games").words


def test_looking_never_makes_a_session(house: House, party: Party) -> None:
    player = party.players[0]
    for path in addresses(house, "GET", party.code):
        for who in (house.visitor(), player):
            assert not session_cookies(who.get(path)), path
