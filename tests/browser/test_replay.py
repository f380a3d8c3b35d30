"""A game looked through like a film: by slider, button, keys, links and swipes."""

import re
from random import Random
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.party import Party, any_of, visitor
from tests.browser.test_script import LISTEN
from tests.support.browser import LARGE_PHONE, Person

MOVES = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]

# A finger goes from right to left over the board.
SWIPE = """() => {
    const target = document.querySelector("#board");
    const at = (clientX) => [new Touch({identifier: 1, target, clientX, clientY: 200})];
    const send = (name, touches, changedTouches) => target.dispatchEvent(
        new TouchEvent(name, {bubbles: true, touches, changedTouches}));
    send("touchstart", at(300), at(300));
    send("touchend", [], at(200));
}"""


def game_of_chess(host: Person, other: Person) -> str:
    """Six moves of chess; return the address of the table."""
    party = Party([host, other]).sit("Chess")
    players = [visitor(each) for each in party.friends]
    for number, move in enumerate(MOVES):
        assert players[number % 2].move(urlsplit(party.link).path, f"move {move}").status == 303
    return party.link


@pytest.fixture
def host(person):
    """Somebody at the second move of a game of chess of six moves, which they came to from its table."""
    host = person(javascript=True, size=LARGE_PHONE)
    host.open(f"{game_of_chess(host, person())}/at/2")
    return host


def must_be_at(person: Person, number: int) -> None:
    """The address, the words and the slider all say so."""
    expect(person.page.locator("#turn")).to_have_text(f"Move {number} of 6")
    expect(person.page.locator("#reel")).to_have_value(f"{number}")
    expect(person.page.locator("#reel")).to_have_attribute("aria-valuetext", f"Move {number} of 6")
    expect(person.page).to_have_url(re.compile(rf"/at/{number}$"))


def test_keys_slider_button_and_links_lead_through_a_game_in_place(host):
    page = host.page
    page.evaluate("window.mark = 1")
    board, steps = page.locator("#board"), page.evaluate("history.length")
    box = board.bounding_box()
    for key, number in [("ArrowRight", 3), ("End", 6), ("ArrowLeft", 5), ("Home", 0), ("ArrowRight", 1)]:
        page.keyboard.press(key)
        must_be_at(host, number)
    page.locator("#reel").fill("4")
    must_be_at(host, 4)
    page.locator("#reel").press("ArrowRight")
    must_be_at(host, 5)
    expect(page.locator("#reel")).to_be_focused()
    page.get_by_role("link", name="Previous").click()
    must_be_at(host, 4)
    expect(page.get_by_role("link", name="Previous")).to_be_focused()
    page.get_by_role("link", name="Next").click(click_count=2)
    must_be_at(host, 6)
    expect(page.locator(".saying")).to_be_focused()  # there is no next one
    assert board.bounding_box() == box
    assert page.evaluate("[window.mark, history.length]") == [1, steps]
    page.go_back()
    expect(page.locator(".saying #turn")).not_to_contain_text("Move")  # the table, from which they came


def test_a_game_plays_by_itself_to_its_end_and_is_told_once(host):
    page = host.page
    page.locator("#speed").select_option("4×")
    page.evaluate(LISTEN)
    page.get_by_role("button", name="Play the moves").click()
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    must_be_at(host, 6)
    page.wait_for_function("() => heard.length")
    assert page.evaluate("heard") == ["Move 6 of 6 Guest Golf played a6."]
    page.locator(".saying").press("Space")  # once more, from the beginning, and stopped there
    expect(page.locator("#turn")).to_have_text("Move 0 of 6")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")


def test_positions_are_asked_for_a_few_at_a_time_and_once(host):
    page = host.page
    page.wait_for_function(
        "performance.getEntriesByType('resource').filter(each => /at/.test(each.name)).length > 3"
    )
    for key, number in [("ArrowRight", 3), ("Home", 0), ("End", 6), ("ArrowLeft", 5)]:
        page.keyboard.press(key)
        must_be_at(host, number)
    requests = [each for each in host.asked if "/at/" in each]
    assert len(requests) <= 2 + 7  # the page twice, and each position once
    page.route("**/at/*", lambda route: route.abort())
    page.evaluate("Date.now = () => 1e14")  # what was read is old
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#reel")).to_have_value("5")  # nobody answers
    page.unroute("**/at/*")
    page.keyboard.press("ArrowLeft")
    must_be_at(host, 4)


def test_a_record_is_a_film_too_and_swiped(person):
    party = Party([person(), person()]).sit("Rock-Paper-Scissors")
    party.hurry(any_of(Random(5)))
    address = party.host.page.locator("a[href*='/r/']").first.get_attribute("href")
    reader = person(javascript=True, size=LARGE_PHONE)
    reader.open(f"{address}/at/0")
    reader.page.evaluate(SWIPE)
    expect(reader.page).to_have_url(re.compile(r"/r/\w+/at/1$"))
    assert reader.see("#reel[max]")


def test_without_a_script_there_are_links_and_nothing_that_does_nothing(person):
    host = person()
    host.open(f"{game_of_chess(host, person())}/at/1")
    for dead in ("#reel", "#play", "#speed"):
        expect(host.page.locator(dead)).to_be_hidden()
    for name, number in [("Next", 2), ("Previous", 1), ("First", 0), ("Last", 6)]:
        host.follow(name)
        assert host.page.url.endswith(f"/at/{number}#board")
