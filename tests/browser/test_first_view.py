"""What a page costs a first visitor, and how soon it can be read over a poor connection."""

import pytest

from strifebarge.rules.notation import write
from strifebarge.tables.library.library import Library
from tests.browser.conftest import People
from tests.browser.party import Party, visitor
from tests.browser.scenes import SEATS, TITLES
from tests.support.browser import PHONE, Person, Size
from tests.support.short import short_game

MOST = 6  # requests for a page and all it needs
SOON = 2500  # milliseconds, nearly all of which are the connection's
TRIES = 3  # first visits: a busy machine may be late in painting, but not each time
BYTES = 50_000  # a second
POOR = {"offline": False, "latency": 400, "downloadThroughput": BYTES, "uploadThroughput": BYTES}
SHORT_PHONE = Size(360, 640)
FIRST_MOVES = 9
WAYS = "button[name=move]:not([aria-disabled]), a[href*='pick='], input[type=checkbox], details > summary"
# Whether one of these is in the window, and what stays in its place does not cover it.
IN_SIGHT = """selectors => [...document.querySelectorAll("form.moves-form")].some(form =>
    [...form.querySelectorAll(selectors)].some(each => {
        const {left, top, right, bottom} = each.getBoundingClientRect();
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= innerHeight && seen && (each.contains(seen) || seen.contains(each));
    }))"""
PAINTED = """() => new Promise(seen => new PerformanceObserver(
    (all) => all.getEntriesByName("first-contentful-paint").forEach((each) => seen(each.startTime))
).observe({type: "paint", buffered: true}))"""


@pytest.fixture(scope="module")
def addresses(browser, dealt) -> dict[str, str]:
    """The front page, a table to join, and a table of each game that is being played."""
    paths = {"landing": "/"}
    for slug, title in TITLES.items():
        people = [Person(browser, dealt.url) for _ in range(SEATS[slug])]
        party = Party(people)
        if slug == "strifebarge":
            party.start(title)
            paths["join"] = party.link
        paths[slug] = party.sit(title).link
        for each in people:
            each.close()
    return paths


PAGES = ["landing", "join", *TITLES]


@pytest.mark.parametrize("slug", TITLES)
def test_on_a_small_phone_the_one_button_is_in_sight(people_of, dealt, slug: str) -> None:
    come: People = people_of(dealt)
    host, friend = come(), come()
    Party([host]).start(TITLES[slug], pace="days-3", afterwards="rated")
    friend.open("/")
    assert_in_sight(friend, ".tiles button")
    friend.open(host.page.url)
    assert_in_sight(friend, ".join button")


def assert_in_sight(person: Person, selector: str) -> None:
    """It is in the window, and the bar of a table's page does not cover it."""
    box = person.page.locator(selector).first.bounding_box()
    assert box
    bar = person.page.locator(".saying")
    seen = bar.bounding_box()["y"] if bar.count() else PHONE.height
    assert box["y"] + box["height"] <= seen


@pytest.mark.parametrize("slug", TITLES)
def test_on_a_phone_whoever_is_to_move_sees_something_to_press(people_of, dealt, slug: str) -> None:
    """At each of the first moves of a game, without scrolling."""
    come: People = people_of(dealt)
    friends = [come(size=SHORT_PHONE) for _ in range(SEATS[slug])]
    table = Party(friends).sit(TITLES[slug]).link.removeprefix(dealt.url)
    for step in short_game(Library()[slug].rules)[:FIRST_MOVES]:
        mover = friends[step.seat]
        mover.open(table)
        assert mover.page.evaluate(IN_SIGHT, WAYS), write(step.action)
        assert visitor(mover).move(table, write(step.action)).status == 303


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("javascript", [False, True], ids=["plain", "scripted"])
def test_a_first_visit_costs_few_requests(people_of, dealt, addresses, name: str, javascript: bool) -> None:
    come: People = people_of(dealt)
    stranger = come(javascript=javascript, alive=False)
    stranger.page.goto(addresses[name], wait_until="load")
    requests = [each.url for each in stranger.sent if not each.url.startswith("data:")]
    assert len(requests) <= MOST, requests


@pytest.mark.parametrize("name", PAGES)
def test_over_a_poor_connection_a_page_can_soon_be_read(people_of, dealt, addresses, name: str) -> None:
    come: People = people_of(dealt)
    strangers = (come(javascript=True, alive=False) for _ in range(TRIES))
    assert any(painted(stranger, addresses[name]) <= SOON for stranger in strangers)


def painted(stranger: Person, address: str) -> float:
    """Return after how many milliseconds the first visit shows something, over a poor connection."""
    devtools = stranger.context.new_cdp_session(stranger.page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", POOR)
    stranger.page.goto(address, wait_until="commit")
    return float(stranger.page.evaluate(PAINTED))
