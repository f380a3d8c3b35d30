"""What chess shows over its board and beside it: the pieces a pawn may become, and digits that turn red."""

import pytest

from tests.browser.conftest import People
from tests.browser.party import Party
from tests.support.browser import PHONE, Person

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


def asked(person: People, color: str, file: str, flipped: bool) -> Person:
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
    page = asked(person, color, file, flipped).page
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
