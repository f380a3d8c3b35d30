"""Everything by keyboard alone: what Tab comes to can be seen, and games are played by it."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import People
from tests.browser.party import (
    FOLDED,
    MOVES,
    PICKS,
    PLAYABLE,
    Party,
    look_again,
    over,
    to_move,
    wanted,
    with_friends,
)
from tests.browser.test_play import SEATS, TITLES
from tests.support.browser import PHONE, Person

FAR = 250  # no way by Tab is longer than this
ROUNDS = 3  # moves of a game that would go on for long; others play whole ones

FOCUSED = """() => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    const box = here.getBoundingClientRect(), style = getComputedStyle(here);
    return {
        what: here.outerHTML.slice(0, 120),
        kind: here.tagName + here.className,
        box: [box.left, box.top, box.right, box.bottom],
        ring: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    };
}"""


def tab_to(person: Person, target: Locator) -> None:
    """Tab, as often as it takes."""
    for _ in range(FAR):
        if target.evaluate("each => each === document.activeElement"):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {target} at {person.page.url}")


def enter(person: Person, target: Locator, status: int = 200) -> None:
    tab_to(person, target)
    with person.arriving(status):
        person.page.keyboard.press("Enter")


def unfold(person: Person, summary: Locator) -> None:
    """Open a tab or a sheet."""
    tab_to(person, summary)
    person.page.keyboard.press("Enter")


def choose(person: Person, chance: Random) -> None:
    """Some button among the first, perhaps after a pick or in a sheet; or boxes ticked, and sent."""
    for _ in range(20):
        ways = person.page.locator(f"{PLAYABLE}, {PICKS}")
        number = ways.count()
        folded = person.page.locator(FOLDED)
        if not number and folded.count():
            unfold(person, folded.first)
            continue
        if not number:
            break
        way = ways.nth(chance.randrange(min(number, 12)))
        moves = way.evaluate("each => each.tagName === 'BUTTON'")
        enter(person, way)
        if moves:
            return
    for box in person.page.locator(f"{MOVES} input[type=checkbox]").all()[: wanted(person)]:
        tab_to(person, box)
        person.page.keyboard.press("Space")
    enter(person, person.page.locator(f"{MOVES} button:not([name=move])").first)


@pytest.mark.slow  # test_every_way.py has one player of each game do so
@pytest.mark.parametrize("slug", TITLES)
def test_a_game_is_played_by_keyboard_alone(person, slug):
    party = Party([person() for _ in range(SEATS[slug])])
    host = party.host
    host.open("/")
    enter(host, host.page.get_by_role("button", name=with_friends(TITLES[slug]), exact=True))
    field = host.page.get_by_label("Link", exact=True)
    tab_to(host, field)
    for friend in party.friends[1:]:
        friend.open(field.input_value())
        enter(friend, friend.page.locator(".join button"))
    chance = Random(slug)
    for _ in range(ROUNDS):
        mover = party.mover()
        if mover is None:
            break
        choose(mover, chance)
    leave_by_keyboard(party)
    enter(host, host.page.get_by_role("link", name="Replay from the start"))
    enter(host, host.page.get_by_role("link", name="Back to the game"))
    enter(host, host.page.get_by_role("button", name="Rematch"))


def leave_by_keyboard(party: Party) -> None:
    for each in party.friends:
        look_again(each)
        if not over(each):
            unfold(each, each.page.locator("#tab-table > summary"))
            enter(each, each.page.get_by_role("link", name="Leave …"))
            enter(each, each.page.get_by_role("button", name="Leave for good"))
    for each in party.friends:
        look_again(each)
        assert over(each)


def test_a_block_of_the_mirrow_is_picked_up_and_put_back_without_leaving_the_page(person):
    page = Party([person(javascript=True), person(javascript=True)]).sit(TITLES["mirrow"]).mover().page
    block = page.locator("#board a[href*='pick=']:visible").first
    address, name = page.url, block.get_attribute("href")
    block.press("Enter")
    back = page.get_by_role("link", name="Put block")
    expect(back).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"#board a[href='{name}']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(back).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(f"#board a[href='{name}']")).to_be_focused()
    assert page.url == address


def test_a_replay_without_scripts_goes_on_where_the_keyboard_was(person: Any) -> None:
    party = Party([person(), person()]).sit("Chess")
    party.give_up()
    host = party.host
    host.follow("Replay from the start")
    enter(host, host.page.get_by_role("link", name="Next"))
    assert "Move 1 of" in host.read("#turn")
    for _ in range(3):
        host.page.keyboard.press("Tab")
        if host.page.locator(".bar :focus").count():
            return
    raise AssertionError(host.page.evaluate(FOCUSED))


def test_a_shot_is_fired_by_typing_its_square(person):
    party = Party([person(), person()]).sit("StrifeBarge")
    host = party.host
    square = host.page.locator(PLAYABLE).last.inner_text()
    tab_to(host, host.page.get_by_label("Square"))
    host.page.keyboard.type(square.lower())
    with host.arriving():
        host.page.keyboard.press("Enter")
    assert not to_move(host)
    assert square in host.read("ul.log")


def test_the_sea_can_be_skipped(person):
    host = Party([person(), person()]).sit("StrifeBarge").host
    tab_to(host, host.page.get_by_role("link", name="Skip the sea"))
    host.page.keyboard.press("Enter")
    host.page.keyboard.press("Tab")
    assert host.page.evaluate("document.activeElement.closest('.sea') === null")


# -- where one is -------------------------------------------------------------------

Opener = Callable[[People], Person]


def landing(person: People) -> Person:
    each = person(size=PHONE)
    each.open("/")
    return each


def options(person: People) -> Person:
    each = landing(person)
    each.follow("Options for StrifeBarge")
    return each


def table(title: str, seats: int = 2, **options: str) -> Opener:
    return lambda person: Party([person() for _ in range(seats)]).sit(title, **options).host


def waiting(person: People) -> Person:
    each = person()
    Party([each]).start("StrifeBarge")
    return each


PAGES: dict[str, Opener] = {
    "landing": landing,
    "options": options,
    "waiting": waiting,
    "salvo": table("StrifeBarge", salvo="true"),
    **{slug: table(title, SEATS[slug]) for slug, title in TITLES.items()},
}


@pytest.mark.parametrize("opener", PAGES.values(), ids=PAGES)
def test_wherever_tab_comes_to_can_be_seen(person, opener):
    each = opener(person)
    each.reload()
    seen = set()
    for stop in stops(each):
        left, top, right, bottom = stop["box"]
        assert left < right <= PHONE.width + 1, stop["what"]
        assert left >= -1, stop["what"]
        assert 0 <= (top + bottom) / 2 <= PHONE.height or bottom - top > PHONE.height, stop["what"]
        if stop["kind"] not in seen and not stop["kind"].startswith("IFRAME"):
            seen.add(stop["kind"])
            assert stop["ring"] >= 2, stop["what"]
            assert looks_different(each, stop["box"]), stop["what"]


def stops(person: Person, most: int = 45) -> Iterator[dict[str, Any]]:
    """Where Tab leads from the top of the page, until it is at the end."""
    for _ in range(most):
        person.page.keyboard.press("Tab")
        stop = person.page.evaluate(FOCUSED)
        if stop is None:
            return
        yield stop


def looks_different(person: Person, box: list[float]) -> bool:
    """Whether what has the focus is drawn otherwise than without it."""
    left, top = max(0, box[0] - 6), max(0, box[1] - 6)
    right, bottom = min(PHONE.width, box[2] + 6), min(PHONE.height, box[3] + 6)
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    focused = person.page.screenshot(clip=clip)
    person.page.evaluate("document.activeElement.blur()")
    return focused != person.page.screenshot(clip=clip)


@pytest.mark.parametrize("page", ["landing", "waiting", "strifebarge"])
def test_the_first_stop_skips_to_the_content(person, page):
    each = PAGES[page](person)
    each.reload()
    each.page.keyboard.press("Tab")
    assert each.page.evaluate("document.activeElement.textContent") == "Skip to content"
    each.page.keyboard.press("Enter")
    each.page.keyboard.press("Tab")
    assert each.page.evaluate("document.activeElement.closest('main') !== null")
