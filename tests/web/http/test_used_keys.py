"""The key of a form that somebody else has sent makes nobody them."""

from itertools import count
from typing import Any
from urllib.parse import urljoin

import pytest

from tests.support.visitor import Local, Page
from tests.web.house import House
from tests.web.signing import sign_up

numbers = count()


def sent(who: Local, page: Page, ending: str, **more: str) -> tuple[Page, str, list[tuple[str, str]]]:
    """Send a form; return the answer, and the form as it went over the line."""
    form = page.form(ending)
    path, fields = urljoin(page.path, form.action or page.path), form.filled(**more)
    return who.post(path, fields), path, fields


def is_victoria(who: Local) -> bool:
    page = who.get("/me")
    return page.status == 200 and "Victoria" in page.words


@pytest.fixture
def victoria(house: House) -> Local:
    """Somebody with an account."""
    who = house.visitor()
    assert sign_up(who, f"victoria.{next(numbers)}").status == 303
    who.submit(who.get("/me"), "/me/name", name="Victoria")
    assert is_victoria(who)
    return who


@pytest.mark.parametrize("action", ["/new/rps", "/join"])
def test_a_browser_without_a_cookie_that_sends_the_form_of_an_account_holder_stays_a_stranger(
    house: House, victoria: Local, action: str
) -> None:
    page = house.visitor().start("strifebarge", seats="3").table if action == "/join" else "/new/rps"
    answer, path, fields = sent(victoria, victoria.get(page), action)
    assert answer.status == 303, answer.words[:400]
    stranger = house.visitor()
    with house.unchanged():
        again = stranger.post(path, fields)
    assert again.status == 409
    assert "already used" in again.words
    assert not is_victoria(stranger)


def test_a_guest_made_by_a_form_is_safe_once_they_have_more_than_that(house: House) -> None:
    guest = house.visitor()
    answer, path, fields = sent(guest, guest.get("/new/rps"), "/new/rps", name="Victoria")
    assert house.visitor().post(path, fields).location == answer.location  # a second click
    assert sign_up(guest, f"victoria.{next(numbers)}").status == 303
    stranger = house.visitor()
    again = stranger.post(path, fields)
    assert again.status == 409
    assert "already used" in again.words
    assert not is_victoria(stranger)


def test_a_guest_who_plays_elsewhere_too_is_safe(house: House) -> None:
    guest = house.visitor()
    _, path, fields = sent(guest, guest.get("/new/rps"), "/new/rps", name="Victoria")
    guest.start("rps")
    again = house.visitor().post(path, fields)
    assert again.status == 409
    assert "already used" in again.words


def test_no_address_makes_a_stranger_somebody_by_their_used_key(house: House, victoria: Local) -> None:
    answer, _, fields = sent(victoria, victoria.get("/new/rps"), "/new/rps")
    tried = set()
    for rule in house.app.url_map.iter_rules():
        if "POST" in (rule.methods or ()):
            tried.add(rule.endpoint)
            stranger = house.visitor()
            stranger.post(filled(rule, answer.code), fields)
            assert not is_victoria(stranger), rule
    assert len(tried) > 60


def filled(rule: Any, code: str) -> str:
    path = str(rule).replace("<id>", code).replace("<game>", "rps").replace("<what>", "theme")
    path = path.replace("<code>", code).replace("<int:number>", "0").replace("<record>", "0" * 16)
    assert "<" not in path
    return path
