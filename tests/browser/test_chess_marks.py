"""What chess shows round its board: what a pawn may become, clocks in digits, a bar with room for all."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import Gather, People
from tests.browser.party import Party, visitor
from tests.support.browser import DESKTOP, LARGE_PHONE, PHONE, Person, Size
from tests.support.servers import Site

LEAST = 44  # pixels of what a finger has to hit
PAWNS = "8/P6P/8/1k6/6K1/8/p6p/8 {} - - 0 1"
SPAN = "each => (({left, top, right, bottom}) => [left, top, right, bottom])(each.getBoundingClientRect())"
ON_TOP = """each => {
    const {left, top, width, height} = each.getBoundingClientRect();
    return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
INK = "each => getComputedStyle(each).color"
GROUND = "each => getComputedStyle(each).backgroundColor"
RED = "() => getComputedStyle(document.documentElement).getPropertyValue('--red').trim().toUpperCase()"
RUN = """time => {
    time.dateTime = new Date(Date.parse(document.getElementById("live").dataset.at) + 25000).toISOString();
}"""


LOW_PHONE = Size(667, 375)
LANGUAGES = pytest.mark.parametrize("language", ["en", "de"])
WINDOWS = pytest.mark.parametrize(
    "size", [PHONE, LARGE_PHONE, LOW_PHONE, DESKTOP], ids=["320", "390", "667", "1280"]
)
SIDEWAYS = "each => each.scrollWidth - each.clientWidth"
COVERED = "all => all.filter(each => !(" + ON_TOP + ")(each)).map(each => each.textContent.trim())"
AGAIN = "Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1"


def promoting(person: People, color: str, file: str, flipped: bool) -> Person:
    """Return the player to move on a small phone, who is asked what the pawn of a file becomes."""
    sides = [person(size=PHONE), person(size=PHONE)]
    Party(sides).sit("Chess", start="position", position=PAWNS.format(color))
    mover = sides["wb".index(color)]
    if flipped:
        mover.page.locator(".flip").click()
    start, end = ("7", "8") if color == "w" else ("2", "1")
    mover.page.locator(f".chess a[href*='pick={file}{start}']").first.click()
    mover.page.locator(f".chess a[href*='pick={file}{start}{file}{end}']").first.click()
    return mover


@pytest.mark.parametrize("flipped", [False, True], ids=["own-below", "own-above"])
@pytest.mark.parametrize("file", ["a", "h"])
@pytest.mark.parametrize("color", ["w", "b"])
def test_what_a_pawn_becomes_is_asked_on_its_square_with_room_for_a_finger(
    person: People, color: str, file: str, flipped: bool
) -> None:
    page = promoting(person, color, file, flipped).page
    end = "8" if color == "w" else "1"
    buttons = page.locator(".becomes button").all()
    assert [str(each.get_attribute("value"))[-1] for each in buttons] == list("qrbn")
    square = page.locator("td:has(> .becomes)").evaluate(SPAN)
    queen = buttons[0].evaluate(SPAN)
    assert queen[0] < (square[0] + square[2]) / 2 < queen[2], f"{file}{end}"
    assert queen[1] < (square[1] + square[3]) / 2 < queen[3], f"{file}{end}"
    for each in buttons:
        left, top, right, bottom = each.evaluate(SPAN)
        assert min(right - left, bottom - top) >= LEAST
        assert left >= 0
        assert top >= 0
        assert right <= PHONE.width
        assert bottom <= PHONE.height
        assert each.evaluate(ON_TOP)


def in_hex(color: str) -> str:
    """Return `rgb(1, 2, 3)` as `#010203`."""
    parts = color.removeprefix("rgb(").removesuffix(")").split(",")
    return "#" + "".join(f"{int(each):02X}" for each in parts)


def test_a_clock_with_little_time_is_red(person: People) -> None:
    host = person(javascript=True, alive=False)
    Party([host, person()]).sit("Chess", pace="clock-5-3")
    page = host.page
    digits = page.locator(".plate.below .digits")
    red = page.evaluate(RED)
    assert page.locator(".digits .few").count() == 0
    assert red not in (in_hex(digits.evaluate(INK)), in_hex(digits.evaluate(GROUND)))
    digits.locator("time").evaluate(RUN)
    page.locator(".plate.below .few").wait_for()
    assert in_hex(digits.evaluate(GROUND)) == red
    assert page.locator(".plate:not(.below) .few").count() == 0


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE, DESKTOP], ids=["320", "390", "1280"])
def test_clocks_stand_in_digits_beside_the_board(person: People, size: Size) -> None:
    host = person(size=size)
    Party([host, person()]).sit("Chess", pace="clock-5-3")
    board = host.page.locator("#board").bounding_box()
    above, below = host.page.locator(".plate .digits").all()
    assert all(re.fullmatch(r"[45]:\d\d", each.inner_text().strip()) for each in (above, below))
    assert all(each.evaluate(ON_TOP) for each in (above, below))
    assert 0 <= board["y"] - bottom_of(above) < LEAST
    assert 0 <= below.bounding_box()["y"] - bottom_of(host.page.locator("#board")) < LEAST


def bottom_of(each: Locator) -> float:
    box = each.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


# -- the bar -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def with_bots() -> Iterator[Site]:
    """A site with bots, who are slow to come."""
    with Site(WORKERS="1", BOTS="apart", LIMIT_CREATE="9999") as running:
        yield running


def reading(person: Person, language: str) -> None:
    person.context.add_cookies([{"name": "lang", "value": language, "url": person.address}])


def must_have_room(person: Person) -> None:
    """All of the bar can be pressed without scrolling in it; the button for what is typed, once one types."""
    bar = person.page.locator(".bar")
    assert bar.evaluate(SIDEWAYS) == 0
    assert bar.locator(".btn:not(.notation *)").evaluate_all(COVERED) == []
    bar.locator("#notation").focus()
    assert bar.evaluate(SIDEWAYS) == 0
    assert bar.locator(".notation .btn").evaluate(ON_TOP)


@LANGUAGES
@WINDOWS
def test_all_of_the_bar_can_be_pressed_beside_a_hint(
    people_of: Gather, with_bots: Site, language: str, size: Size
) -> None:
    host = people_of(with_bots)(size=size)
    reading(host, language)
    host.open("/rules/chess/how")
    host.press(host.page.locator("form[action='/bots/chess'] button"))
    assert host.see(".bar > .hinting")
    must_have_room(host)


@LANGUAGES
@WINDOWS
def test_all_of_the_bar_can_be_pressed_where_a_draw_is_decided_about(
    person: People, language: str, size: Size
) -> None:
    host, friend = person(), person(size=size)
    reading(friend, language)
    table = Party([host, friend]).sit("Chess").link.removeprefix(host.address)
    sides = [visitor(host), visitor(friend)]
    for move in "offer_draw", "move e4":
        sides[0].move(table, move)
    friend.open(table)
    assert friend.page.locator(".bar .draws").count() == 2
    must_have_room(friend)
    sides[1].move(table, "decline_draw")
    for nth, move in enumerate(AGAIN.split(), 1):
        sides[nth % 2].move(table, f"move {move}")
    friend.open(table)
    assert friend.page.locator(".bar button[value=claim_draw]").count() == 1
    must_have_room(friend)
