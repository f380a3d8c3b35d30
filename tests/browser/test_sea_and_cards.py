"""What must be seen to decide is seen on a phone without scrolling: one's own ships, one's own cards."""

from tests.browser.conftest import People
from tests.browser.party import Party
from tests.support.browser import LARGE_PHONE, Person

BAR = ".stage > .saying"
EDGES = "each => (({top, bottom, left, right}) => [top, bottom, left, right])(each.getBoundingClientRect())"


def edges(person: Person, selector: str) -> list[float]:
    """Return top, bottom, left and right of the first thing in the window."""
    found: list[float] = person.page.locator(selector).first.evaluate(EDGES)
    return found


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
