"""When something is not as usual, the page says what happened, and has one button to go on with."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from strifebarge.tables.model.ports import Busy
from tests.support.visitor import Page
from tests.web.house import House
from tests.web.markup import elements, main, must_be_sound, text


def button(page: Page) -> str:
    """What the only button of the page says."""
    [element] = [
        each for each in elements(main(must_be_sound(page))) if "btn" in each.get("class", "").split()
    ]
    return text(element)


class Broken(Exception):
    """What nobody has thought of."""


@pytest.fixture
def breaking(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Makes a function of the site break, before or after it has done its work."""
    house.app.testing = False

    def wrap(owner: Any, name: str, why: Exception, after: bool = False) -> None:
        whole = getattr(owner, name)

        def breaks(*args: Any, **how: Any) -> Any:
            if after:
                whole(*args, **how)
            raise why

        monkeypatch.setattr(owner, name, breaks)

    return wrap


@pytest.mark.parametrize("after", [False, True], ids=["before the move", "after it"])
def test_a_fault_of_ours_says_truly_whether_the_move_was_played(house, breaking, monkeypatch, after):
    party = house.fleet()
    mover = party.to_move()
    page = mover.get(party.table)
    breaking(house.referee, "carry_out", Broken(), after)
    answer = mover.submit(page, "/turn", page.form("/turn").moves[0])
    assert answer.status == 500
    assert ("Your move was played." in answer.words) is after
    assert ("Your move wasn't played." in answer.words) is not after
    assert house.referee.views.status(party.code).position.number == after
    assert button(answer) == "Back to the game"
    assert party.table in answer.seen.links
    assert answer.token == answer.headers["X-Request-ID"]
    assert answer.token in answer.words
    monkeypatch.undo()
    assert mover.submit(page, "/turn", page.form("/turn").moves[0]).status == 303
    assert house.referee.views.status(party.code).position.number == 1


def test_where_that_cannot_be_seen_the_page_says_so(house, breaking):
    party = house.fleet()
    mover = party.to_move()
    page = mover.get(party.table)
    breaking(house.referee, "carry_out", Broken())
    breaking(house.referee.store, "receipt", Broken())
    answer = mover.submit(page, "/turn", page.form("/turn").moves[0])
    assert answer.status == 500
    assert "We don't know if it worked." in answer.words
    assert "it counts only once" in answer.words


def test_a_fault_while_only_looking_says_that_nothing_was_lost(house, breaking):
    party = house.fleet()
    breaking(house.referee.views, "show", Broken())
    answer = party.players[0].get(party.table)
    assert answer.status == 500
    assert "Our fault. Nothing is lost." in answer.words
    assert button(answer) == "Back to the game"


def test_a_busy_servers_page_sends_the_same_form_once_more(house, breaking, monkeypatch):
    party = house.fleet()
    mover = party.to_move()
    page = mover.get(party.table)
    wanted = page.form("/turn").moves[3]
    breaking(house.referee, "carry_out", Busy())
    busy = mover.submit(page, "/turn", wanted)
    assert (busy.status, busy.headers["Retry-After"]) == (503, "2")
    assert button(busy) == "Try again"
    monkeypatch.undo()
    for _ in range(2):
        assert mover.submit(busy, "/turn").status == 303
    assert house.referee.views.status(party.code).position.number == 1
    assert wanted.value.split()[1] in mover.get(f"{party.table}/log").words


def test_a_page_the_busy_server_could_not_show_is_asked_for_again(house, breaking):
    party = house.fleet()
    breaking(house.referee.views, "show", Busy())
    busy = house.visitor().get(f"{party.table}?pick=a1&n=2")
    assert busy.status == 503
    assert button(busy) == "Try again"
    assert f"{party.table}?pick=a1&n=2" in busy.seen.links


@pytest.mark.parametrize("path", ["/nowhere", "/g/ZZZZZZZZ", "/g/ZZ", "/g/ZZZZZZZZ/quit"])
def test_an_address_of_nothing_says_where_to_turn(house, path):
    page = house.visitor().get(path)
    assert page.status == 404
    assert "There's no game here. The link may be incomplete. Ask for a new link" in page.words
    assert button(page) == "Start a game"


@pytest.mark.parametrize("path", ["/at/99", "/from/99", "/nothing", "/sheet/99"])
def test_who_sits_there_is_led_back_from_an_address_of_nothing_below_a_table(house, path):
    party = house.fleet()
    page, strange = (who.get(f"{party.table}{path}") for who in (party.players[1], house.visitor()))
    assert (page.status, strange.status) == (404, 404)
    assert (button(page), button(strange)) == ("Back to the game", "Start a game")
    assert "Ask for a new link" not in page.words


def test_who_may_not_do_something_at_their_table_is_led_back(house):
    party = house.fleet()
    page, strange = (who.get(f"{party.table}/lost") for who in (party.players[1], house.visitor()))
    assert (page.status, strange.status) == (403, 403)
    assert (button(page), button(strange)) == ("Back to the game", "All games")


def test_a_link_that_is_used_up_is_gone(house):
    party = house.fleet()
    gone = house.visitor().get(f"{party.table}/seat?t=old")
    assert gone.status == 410
    assert button(gone) == "Back to the game"


def test_who_goes_too_fast_is_told_how_long_to_wait(open_house):
    house = open_house(limit_create=1)
    visitor = house.visitor()
    form = visitor.get("/new/rps")
    assert visitor.submit(form, "/new/rps").status == 303
    slower = visitor.submit(visitor.get("/new/rps"), "/new/rps")
    assert slower.status == 429
    assert f"Try again in {slower.headers['Retry-After']} seconds." in slower.words
    assert button(slower) == "All games"


def test_a_site_that_saves_space_shows_everything_and_takes_nothing(open_house):
    party = open_house().fleet()
    mover = party.to_move()
    page = mover.get(party.table)
    party.house.app.extensions["settings"] = settings = saving(party.house)
    assert settings.read_only
    with party.house.unchanged():
        for path in ("/", "/games", party.table, f"{party.table}/at/0"):
            assert "You can watch games, but not play" in mover.get(path).words
        for ending, where in (("/turn", page), ("/new/rps", mover.get("/"))):
            refused = mover.submit(where, ending)
            assert refused.status == 503
            assert refused.token == "web.read_only"
            assert (refused.headers["Retry-After"], refused.has_form("/turn")) == ("600", where is page)
        assert mover.submit(mover.get("/about"), "/prefer", theme="dark").status == 303
        assert mover.post("/code", [("code", party.code)]).status == 303


def saving(house: House) -> Any:
    import msgspec

    return msgspec.structs.replace(house.app.extensions["settings"], read_only=True)


def test_a_telephone_finds_what_it_needs_to_keep_the_site_among_its_apps(house):
    page = house.visitor().get("/")
    assert '<link rel="manifest" href="/site.webmanifest">' in page.text
    about = json.loads(house.visitor().get("/site.webmanifest").body)
    assert about["name"] == "StrifeBarge"
    assert house.visitor().get(about["start_url"]).status == 200
    for icon in about["icons"]:
        answer = house.visitor().get(icon["src"])
        assert (answer.status, answer.headers["Content-Type"]) == (200, icon["type"])


def test_times_are_told_from_now_and_exactly_too(house, monkeypatch):
    host = house.visitor()
    host.start("rps")
    began = house.referee.now()
    for later, words in (
        (5, "just now"),
        (61, "1 minute ago"),
        (7300, "2 hours ago"),
        (3 * 86400, "3 days ago"),
    ):
        monkeypatch.setattr(house.referee, "now", lambda past=later: began + past)
        page = host.get("/games")
        [time] = [each for each in elements(must_be_sound(page)) if each.tag == "time"]
        assert text(time) == words
        assert time.get("title", "").endswith("UTC")
