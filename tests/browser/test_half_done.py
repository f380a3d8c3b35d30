"""News of a table keep what a player has half done there, in every game."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Gather
from tests.browser.party import MOVES, SLUGS, Party, visitor
from tests.support.browser import DESKTOP, LARGE_PHONE, Size
from tests.support.servers import Site
from tests.support.visitor import Remote

SEATS = {"7 Startups": 3}
OPTIONS = {"StrifeBarge": {"salvo": "true"}}  # with boxes to tick

# All that is somebody's own on the page, and not the site's: what could be picked or played, is filled in,
# open, scrolled and has the focus.
STATE = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const name = (each) => each.id || each.getAttribute("name") || each.className;
    const focus = document.activeElement;
    const scrolls = (each) => /auto|scroll/.test(getComputedStyle(each).overflow);
    return {
        picks: all("#board a[href*='pick=']").map((each) => each.search),
        moves: all("#board button[name=move]").map((each) => each.value),
        fields: all("main :is(input:not([type=hidden]), textarea)")
            .filter((each) => each.value !== each.defaultValue || each.checked !== each.defaultChecked)
            .map((each) => [name(each), each.value, each.selectionStart, each.selectionEnd]),
        open: all("details[open] > summary").map((each) => each.innerText.replace(/\\d+/g, "").trim()),
        scrolled: all("main *").filter((each) => (each.scrollLeft || each.scrollTop) && scrolls(each))
            .map((each) => [name(each), each.scrollLeft, each.scrollTop]),
        focus: [focus.tagName, name(focus), focus.value, focus.search],
        dialog: all("dialog[open]").length,
    };
}"""

# -- what a player has half done --------------------------------------------------------


def pick(page: Page) -> None:
    """Pick up the last thing that can be."""
    links = page.locator("#board a[href*='pick=']:visible")
    if links.count():
        with page.expect_response("**pick=**"):
            links.last.click()


def tick(page: Page) -> None:
    for box in page.locator(f"{MOVES} input[type=checkbox]").all()[3:5]:
        box.check()


def type_in(page: Page, selector: str, text: str) -> None:
    for field in page.locator(f"{selector}:visible").all()[:1]:
        field.fill(text)
        field.evaluate("each => each.setSelectionRange(1, 3)")


def choose_and_talk(page: Page) -> None:
    pick(page)
    tick(page)
    page.locator("#tab-chat > summary").click()
    page.locator("#tab-chat form details summary").click()
    type_in(page, "#say", "half a sen")


def type_a_move(page: Page) -> None:
    type_in(page, f"{MOVES} input:not([type])", "half")
    page.locator(".bar .how").click()
    page.locator("dialog[open]").wait_for()


def open_all(page: Page) -> None:
    """Another tab and what is in it, and what opens over the board; and close what is open at first."""
    page.locator("#tab-table > summary").click()
    for summary in page.locator("#tab-table details > summary:visible").all():
        summary.click()
    for summary in page.locator("#board summary:visible").all()[-1:]:
        summary.click()


def scroll(page: Page) -> None:
    """Everything that can be, by a little; with the focus on a link in the menu."""
    page.locator("#tab-table > summary").click()
    page.locator("#tab-table a[href$='/quit']").evaluate("each => each.focus({ preventScroll: true })")
    page.evaluate("""() => document.querySelectorAll("main *").forEach((each) => each.scrollBy(9, 9))""")


ACTS = [choose_and_talk, type_a_move, open_all, scroll]

# -- what happens meanwhile -------------------------------------------------------------


def somebody_talks(friend: Remote, table: str) -> None:
    friend.submit(friend.get(table), "/say", text="Take your time.")


def somebody_wants_to_suspend(friend: Remote, table: str) -> None:
    friend.submit(friend.get(table), "/suspend", suspend="yes")


def somebody_moves_too(friend: Remote, table: str) -> None:
    """Where all choose at once, so that it is no other question."""
    page = friend.get(table)
    if page.my_turn and (moves := page.form("/turn").moves):
        friend.submit(page, "/turn", moves[0])


def somebody_leaves(friend: Remote, table: str) -> None:
    leaving = next(link for link in friend.get(table).seen.links if link.endswith("/quit"))
    friend.submit(friend.get(leaving), "/quit", how="free")


NEWS = [somebody_talks, somebody_wants_to_suspend, somebody_moves_too, somebody_leaves]


@pytest.mark.parametrize("size", [DESKTOP, LARGE_PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
@pytest.mark.parametrize("title", sorted(SLUGS, key=str.lower))
def test_news_leave_what_is_half_done_as_it_is(
    people_of: Gather, dealt: Site, title: str, act: Callable[[Page], None], size: Size
) -> None:
    come = people_of(dealt)
    friends = [come(javascript=True, size=size), *(come() for _ in range(SEATS.get(title, 2) - 1))]
    party = Party(friends).sit(title, **OPTIONS.get(title, {}))
    host, table = friends[0], party.link.removeprefix(friends[0].address)
    page = host.page
    act(page)
    before = page.evaluate(STATE)
    for each in NEWS:
        version = page.locator("#live").get_attribute("data-version")
        each(visitor(friends[1]), table)
        if visitor(host).get(table).seen.ids["live"]["data-version"] != version:
            page.wait_for_selector(f'#live:not([data-version="{version}"])', state="attached")
        assert page.evaluate(STATE) == before, each.__name__
