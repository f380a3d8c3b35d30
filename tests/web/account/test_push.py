"""Notices in a browser: asked for by its script, sent by the same post, ended with the browser."""

from base64 import urlsafe_b64decode
from collections.abc import Iterator
from secrets import token_hex

import pytest

from strifebarge.app import dispatcher
from strifebarge.notifications.push import public_key, text_of
from tests.notifications.test_push import Browser
from tests.support.listening import Door, answering
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Party, token
from tests.web.markup import must_be_sound
from tests.web.signing import PASSWORD, code_of, new_password, sign_in, sign_up, take
from tests.web.town import NOON, moves


class Town:
    """A site that reaches a push service on this machine, and a clock of the test's own."""

    def __init__(self, house: House, service: Door):
        self.house, self.service, self.now = house, service, NOON
        house.referee.now = lambda: self.now  # type: ignore[method-assign]
        self.post = dispatcher(house.services, house.app.extensions["settings"])

    def wait(self, seconds: float = 61) -> list[bytes]:
        """Time goes on, the post makes its round; what has come to the push service."""
        self.now += seconds
        self.post(self.now)
        brought, self.service.brought = self.service.brought, []
        return [body for _, _, body in brought]

    def asks(self, who: Local, browser: Browser, path: str = "/some-browser") -> Page:
        """What the page's script sends when its button is pressed."""
        form = next(each for each in who.get("/notices").forms if each.action.endswith("/notices/push"))
        key = text_of(browser.public)
        given = {"endpoint": self.service.url + path, "p256dh": key, "auth": text_of(browser.secret)}
        return who.post("/notices/push", form.filled(**given))


@pytest.fixture
def service() -> Iterator[Door]:
    with answering(Door()) as running:
        yield running


@pytest.fixture
def town(open_house: OpenHouse, service: Door) -> Town:
    return Town(open_house(public_url="http://localhost", secure=False, inner_hooks=True), service)


@pytest.fixture
def party(town: Town) -> Party:
    return town.house.gathered("chess")


def addresses(town: Town) -> list[tuple[object, ...]]:
    return town.house.kept_of("channels")


def test_whose_turn_it_is_is_told_in_the_browser(town: Town, party: Party) -> None:
    black, browser = party.players[1], Browser()
    assert town.asks(black, browser).status == 303
    moves(party, "e4")
    assert town.wait(59) == []
    [body] = town.wait(2)
    assert browser.reads(body)["title"] == "It's your turn in Chess with Guest Foxtrot."
    assert browser.reads(body)["link"] == f"http://localhost{party.table}"
    assert town.wait(86400) == []
    page = black.get("/notices")
    must_be_sound(page)
    assert "(this one)" in page.words
    assert town.service.url not in page.text
    assert not [form for form in page.forms if form.action.endswith("/notices/push")]


def test_without_the_script_the_page_does_not_offer_it(town: Town, party: Party) -> None:
    page = party.players[0].get("/notices")
    must_be_sound(page)
    opening = page.text.partition('action="/notices/push"')[2].partition(">")[0]
    assert opening.endswith(" hidden")
    assert 'value="push"' not in page.text
    refused = party.players[0].post("/notices/add", [("key", "k" * 32), ("way", "push"), ("place", "x")])
    assert refused.token == "table.wrong_way"
    stranger = town.house.visitor().get("/notices")
    assert "/notices/push" not in stranger.text
    assert not [link for link in stranger.seen.links if "push" in link]


@pytest.mark.parametrize("url", [None, "http://games.example.org"])
def test_nor_does_a_site_where_browsers_would_refuse(open_house: OpenHouse, url: str | None) -> None:
    house = open_house(public_url=url, secure=False)
    who = house.visitor()
    who.start("rps")
    assert "/notices/push" not in who.get("/notices").text
    with house.unchanged():
        for path in ("/notices/push", "/notices/push/key"):
            assert who.post(path, [("key", "k" * 32)]).token == "table.wrong_way"


def test_the_key_is_made_once_by_a_form_and_kept_or_that_of_the_settings(
    town: Town, party: Party, open_house: OpenHouse
) -> None:
    assert town.house.kept_of("secrets") == []
    with town.house.unchanged():
        party.players[0].get("/notices")
    keys = {who.post("/notices/push/key", []).text for who in party.players * 2}
    [(name, private)] = town.house.kept_of("secrets")
    assert keys == {public_key(str(private))}
    assert name == "push"
    assert len(urlsafe_b64decode(keys.pop() + "=")) == 65
    assert str(private) not in party.players[0].get("/me/data.json").text
    refused = town.house.visitor().post("/notices/push/key", [])
    assert (refused.status, token(refused)) == (403, "table.nobody")
    own = "x7" + "A" * 41
    other = open_house(public_url="http://localhost", secure=False, push_key=own)
    other_page = other.visitor()
    other_page.start("rps")
    assert other_page.post("/notices/push/key", []).text == public_key(own)


def test_a_browser_that_is_gone_is_forgotten_and_one_in_trouble_is_tried_again(
    town: Town, party: Party
) -> None:
    black = party.players[1]
    town.asks(black, Browser())
    town.service.answer = 503
    moves(party, "e4")
    assert len(town.wait()) == 1
    assert "answered with an error: 503" in black.get("/notices").words
    town.service.answer = 410
    assert len(town.wait(61)) == 1
    assert addresses(town) == []
    town.service.answer = 201
    assert town.wait(86400) == []


def test_a_browser_brings_its_time_zone(town: Town, party: Party) -> None:
    black, browser = party.players[1], Browser()
    form = next(each for each in black.get("/notices").forms if each.action.endswith("/notices/push"))
    given = {"endpoint": f"{town.service.url}/some-browser", "p256dh": text_of(browser.public)}
    given |= {"auth": text_of(browser.secret)}
    with town.house.unchanged():
        assert token(black.post("/notices/push", form.filled(**given, zone="Atlantis"))) == "table.wrong_zone"
    assert black.post("/notices/push", form.filled(**given, zone="Asia/Tokyo")).status == 303
    assert "in Asia/Tokyo." in black.get("/notices").words


def test_the_same_browser_has_one_address_also_when_it_gives_another(town: Town, party: Party) -> None:
    black, browser = party.players[1], Browser()
    form = next(each for each in black.get("/notices").forms if each.action.endswith("/notices/push"))
    town.asks(black, browser)
    for path in ("/some-browser", "/renewed"):
        fields = {"endpoint": town.service.url + path, "p256dh": text_of(browser.public)}
        fields |= {"auth": text_of(browser.secret), "key": token_hex(16)}
        assert black.post("/notices/push", form.filled(**fields)).status == 303
        assert len(addresses(town)) == 1
    assert f"{town.service.url}/renewed" in str(addresses(town))


@pytest.mark.parametrize("how", ["out", "others", "password", "erased", "taken away", "somebody else"])
def test_a_browser_that_is_signed_out_hears_nothing_more(town: Town, party: Party, how: str) -> None:
    black, other = party.players[1], town.house.visitor()
    login = f"push.{how.replace(' ', '.')}"
    sign_up(black, login)
    sign_in(other, login)
    town.asks(other, Browser())
    assert len(addresses(town)) == 1
    match how:
        case "out":
            other.submit(other.get("/me/out"), "/me/out")
        case "others":
            form = next(
                each for each in black.get("/me/devices").forms if ("device", "others") in each.fields
            )
            black.post("/me/devices", form.filled())
        case "password":
            assert new_password(black, PASSWORD, "another whale").status == 303
        case "erased":
            black.submit(black.get("/me/erase"), "/me/erase", sure="yes", password=PASSWORD)
        case "taken away":
            other.submit(other.get("/notices"), "/notices/remove")
        case "somebody else":
            third = town.house.visitor()
            third.start("rps")
            take(other, code_of(third))
    assert addresses(town) == []
    if how != "erased":
        moves(party, "e4")
        assert town.wait() == []


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"endpoint": "ftp://x"}, "table.wrong_hook"),
        ({"endpoint": ""}, "table.wrong_hook"),
        ({"p256dh": "x"}, "table.wrong_browser"),
        ({"auth": "x"}, "table.wrong_browser"),
        ({"auth": "\0"}, "table.wrong_browser"),
    ],
)
def test_what_no_browser_says_is_not_kept(
    town: Town, party: Party, changed: dict[str, str], why: str
) -> None:
    browser = Browser()
    fields = {"key": "k" * 32, "endpoint": f"{town.service.url}/x", "p256dh": text_of(browser.public)}
    fields |= {"auth": text_of(browser.secret)} | changed
    with town.house.unchanged():
        refused = party.players[0].post("/notices/push", [*fields.items()])
        assert (refused.status, refused.token) == (422, why)


def test_the_worker_is_small_served_at_the_top_and_loads_nothing(town: Town) -> None:
    answer = town.house.visitor().get("/worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert answer.headers.get("Set-Cookie") is None
    assert len(answer.body) < 2000
    for word in ("fetch", "import", "caches"):
        assert word not in answer.text
