"""What a copy of somebody's session has seen or made ends with a new password, and with all other devices."""

from urllib.parse import urlsplit

import pytest

from tests.notifications.test_push import Browser
from tests.support.visitor import Local
from tests.web.account.test_push import Town, addresses, service, town
from tests.web.house import token
from tests.web.signing import PASSWORD, code_of, new_password, page_of, planted, session, sign_up, take

__all__ = ["service", "town"]  # fixtures
LATER = 601.0  # seconds after which a proof is too old


def feed_of(who: Local) -> str:
    return urlsplit(str(who.get("/notices").seen.ids["atom"]["value"])).path


def sign_out_others(who: Local) -> None:
    form = next(each for each in who.get("/me/devices").forms if ("device", "others") in each.fields)
    assert who.post("/me/devices", form.filled(proof=PASSWORD)).status == 303


def change(who: Local) -> None:
    assert new_password(who, PASSWORD, "another whale").status == 303


WAYS = {"a new password": change, "all others signed out": sign_out_others}


@pytest.mark.parametrize(("login", "way"), [*(("ann", way) for way in WAYS), ("", "all others signed out")])
def test_nothing_outlasts_it(town: Town, way: str, login: str) -> None:
    owner, house = town.house.visitor(), town.house
    table = owner.start("chess", name="Ann").table
    if login:
        assert sign_up(owner, login).status == 303
    assert owner.submit(owner.get("/notices"), "/notices/feed").status == 303
    assert owner.submit(owner.get("/me/link"), "/me/link").status == 303
    hook = [("way", "ntfy"), ("place", "https://ntfy.example.org/secret-topic")]
    assert owner.post("/notices/add", [("key", "n" * 32), *hook]).status == 303
    copy, device = planted(house, session(owner)), house.visitor()
    feed, link = feed_of(copy), urlsplit(str(copy.get("/me/link").seen.ids["link"]["value"]))
    seat = urlsplit(str(copy.get(f"{table}/company").seen.ids["link-beside"]["value"]))
    assert town.asks(copy, Browser()).status == 303
    assert take(device, code_of(copy)).status == 303
    unused = code_of(copy)
    stranger = house.visitor()
    assert stranger.get(f"{seat.path}?{seat.query}").status == 200
    WAYS[way](owner)
    assert stranger.get(feed).status == stranger.get(feed.replace(".atom", ".ics")).status == 404
    assert stranger.get(f"{link.path}?{link.query}").status == 410
    assert stranger.get(f"{seat.path}?{seat.query}").status == 410
    assert token(take(stranger, unused)) == "who.wrong_code"
    assert page_of(copy) == page_of(device) == ""
    # What was added with a proof stays: the owner sees it listed.
    assert [row[2] for row in addresses(town)] == (["ntfy"] if login else [])
    assert page_of(owner) != ""
    assert stranger.get(feed_of(owner)).status == 200


def test_addresses_of_feed_and_calendar_are_shown_after_a_proof_alone(town: Town) -> None:
    owner = town.house.visitor()
    sign_up(owner, "ann")
    assert owner.submit(owner.get("/notices"), "/notices/feed").status == 303
    feed = feed_of(owner)
    town.now += LATER
    page = owner.get("/notices")
    assert "/feed/" not in page.text
    assert "/me/confirm?to=notices" in page.seen.links
    asked = owner.get("/me/confirm?to=notices")
    shown = owner.follow(owner.submit(asked, "/me/confirm", proof=PASSWORD))
    assert (shown.path, feed_of(owner)) == ("/notices", feed)
    assert town.house.visitor().get(feed).status == 200


def test_a_guest_is_shown_them_and_told_that_anybody_here_is(town: Town) -> None:
    guest = town.house.visitor()
    guest.start("rps")
    assert guest.submit(guest.get("/notices"), "/notices/feed").status == 303
    town.now += LATER
    page = guest.get("/notices")
    assert feed_of(guest)
    assert "anyone who uses this browser can do this" in page.words


def test_a_code_for_a_device_is_shown_after_a_proof_alone(town: Town) -> None:
    owner = town.house.visitor()
    sign_up(owner, "ann")
    town.now += LATER - 60
    code = code_of(owner)
    assert code in owner.get("/me/code").text
    town.now += 61
    assert code not in owner.get("/me/code").text
