"""What must be seen to decide is seen on a phone without scrolling: one's own ships, one's own cards."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import People
from tests.browser.party import Party, look_again, visitor
from tests.support.browser import LARGE_PHONE, PHONE, Person, Size

BAR = ".stage > .saying"
HAND = ".hand[data-row]"
DRAWN = 8  # cards
EDGES = "each => (({top, bottom, left, right}) => [top, bottom, left, right])(each.getBoundingClientRect())"


def edges(person: Person, selector: str) -> list[float]:
    """Return top, bottom, left and right of the first thing in the window."""
    distances: list[float] = person.page.locator(selector).first.evaluate(EDGES)
    return distances


def test_on_a_phone_a_sea_of_two_fills_the_window_with_the_own_fleet_above_the_bar(person: People) -> None:
    host, friend = person(size=LARGE_PHONE), person()
    Party([host, friend]).sit("StrifeBarge")
    top, bottom, left, right = edges(host, ".sea")
    assert right - left > 0.9 * LARGE_PHONE.width
    assert top >= 0
    assert abs((right - left) - (bottom - top)) < 2
    assert edges(host, ".fleet")[1] <= edges(host, BAR)[0]


def test_a_sea_of_eight_begins_at_a_ship_of_ones_own_with_the_whole_of_it_beneath(person: People) -> None:
    friends = [person(size=LARGE_PHONE), *(person() for _ in range(7))]
    Party(friends).sit("StrifeBarge", 8)
    host = friends[0]
    frame = edges(host, ".waters .scroll")
    ships = [each.evaluate(EDGES) for each in host.page.locator(".ship.mine").all()]
    assert any(frame[0] <= ship[0] < frame[1] and frame[2] <= ship[2] < frame[3] for ship in ships), (
        ships,
        frame,
    )
    assert max(edges(host, part)[1] for part in (".overview", ".fleet")) <= edges(host, BAR)[0]


def test_on_a_phone_the_pile_and_the_whole_hand_are_above_the_bar(person: People) -> None:
    friends = [person(size=LARGE_PHONE), person(), person()]
    Party(friends).sit("Crazy Eights", 3)
    for part in (".rivals", ".pile", ".hand[data-row]"):
        top, bottom, left, right = edges(friends[0], part)
        assert 0 <= top < bottom <= edges(friends[0], BAR)[0], part
        assert 0 <= left < right <= LARGE_PHONE.width, part


@pytest.mark.parametrize("size", [PHONE, Size(320, 640)], ids=lambda size: f"{size.width}x{size.height}")
@pytest.mark.parametrize("seats", [2, 5])
def test_on_a_small_phone_each_card_of_a_large_hand_is_come_to(person: People, seats, size) -> None:
    """By Tab while they are to play; by the keys that scroll while they wait."""
    friends = [person(size=size), *(person() for _ in range(seats - 1))]
    Party(friends).sit("Crazy Eights", seats, draw="by_hand")
    host, table = friends[0], urlsplit(friends[0].page.url).path
    quick = visitor(host)
    for _ in range(DRAWN):
        assert quick.move(table, "draw").status == 303
    look_again(host)
    cards = host.page.locator(f"{HAND} button")
    assert cards.count() > DRAWN
    cards.first.focus()
    must_be_in_the_hand(host, f"{HAND} li:first-child")
    for _ in range(cards.count() - 1):
        host.page.keyboard.press("Tab")
        must_be_in_the_hand(host, f"{HAND} li:has(:focus)")
    while quick.get(table).my_turn:
        page = quick.get(table)
        quick.submit(page, "/turn", move=page.form("/turn").moves[-1].value)
    look_again(host)
    host.page.get_by_role("group", name="Your hand").focus()
    host.page.keyboard.press("End")
    must_be_in_the_hand(host, f"{HAND} li:last-child")


def must_be_in_the_hand(person: Person, card: str) -> None:
    """The card is seen as a whole in its scrolling box, and that lies above the bar."""
    expect(person.page.locator(card)).to_be_in_viewport(ratio=0.99)
    assert edges(person, ".rows")[1] <= edges(person, BAR)[0]
