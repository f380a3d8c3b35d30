"""A device that is passed round, in a real browser: what one has seen, the next never sees again."""

from random import Random

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.party import PLAYABLE, START, at_random, more_options, over
from tests.support.browser import Person

SCRIPTS = pytest.mark.parametrize("javascript", [False, True], ids=["no script", "script"])


def begin(person: Person, game: str = "Crazy Eights", slug: str = "eights") -> None:
    """Ann and Ben at one device."""
    person.open(f"/new/{slug}")
    more_options(person)
    person.page.get_by_label("Devices").select_option("one")
    person.page.get_by_label("Your name").fill("Ann")
    person.page.get_by_label("Other players at this device").fill("Ben")
    person.press(person.page.locator(START))


def lift(person: Person, name: str) -> set[str]:
    """Say that one is looking: one click; the cards in one's hand."""
    before = person.clicks
    person.press(f"I'm {name}, show my page")
    assert person.clicks == before + 1
    return held(person)


def held(person: Person) -> set[str]:
    return {" ".join(card.split()) for card in person.page.locator(".hand > li").all_inner_texts()}


def back(person: Person) -> None:
    """By the button; a page that was kept is there at once, without being loaded."""
    person.page.go_back(wait_until="commit")
    if person.page.url != "about:blank":  # before the first page
        expect(person.page.locator("footer")).to_be_visible()


def pass_on(person: Person) -> None:
    """Play or draw until the device is to be passed on."""
    for _ in range(10):
        if person.see("form[action$='/uncover']"):
            return
        person.press(person.page.locator(PLAYABLE).first)


@SCRIPTS
def test_back_shows_nothing_of_whoever_played_before(keeper: People, javascript: bool) -> None:
    device = keeper(javascript=javascript)
    begin(device)
    assert device.see("form[action$='/uncover']")
    assert not held(device)
    mine = lift(device, "Ann")
    assert len(mine) >= 5
    table = device.page.url.partition("?")[0].partition("#")[0]
    device.open(f"{table}/at/0")
    device.open(f"{table}/log")
    device.open(table)
    pass_on(device)
    for _ in range(6):
        if device.page.evaluate("history.length") < 2:
            break
        back(device)
        if device.page.url == "about:blank":
            break
        assert not held(device), "somebody else's hand"
        assert not device.page.locator("details, main").filter(has_text="Your hand").count()
    device.open(table)
    theirs = lift(device, "Ben")
    assert theirs
    for _ in range(8):
        back(device)
        now = held(device)
        assert not now or now == theirs
        if device.page.url.endswith("/new/eights"):
            break
    device.open(table)
    device.reload()
    assert held(device) == theirs
    assert "Your hand" in device.page.content()


def test_a_page_this_browser_would_keep_is_thrown_away_when_the_device_is_passed_on(keeper: People) -> None:
    """That it keeps pages at all is looked at first, or else this would prove nothing."""
    device = keeper(javascript=True, alive=False)
    begin(device)
    lift(device, "Ann")
    device.page.evaluate("window.kept = true")
    device.open("/about")
    back(device)
    assert device.page.evaluate("window.kept === true"), "this browser does not keep pages"
    pass_on(device)
    back(device)
    assert not device.page.evaluate("window.kept === true")
    assert not held(device)


def test_a_whole_game_is_played_at_one_device_with_one_click_for_each_handing_over(person: People) -> None:
    device = person()
    begin(device, "Rock-Paper-Scissors", "rps")
    choose = at_random(Random(1))
    for _ in range(40):
        if over(device):
            break
        if device.see("form[action$='/uncover']"):
            device.press(device.page.locator("form[action$='/uncover'] button").first)
        else:
            choose(device)
    assert over(device)
