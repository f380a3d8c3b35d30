"""A newcomer's walk: each game from the landing page to its result, in six windows.

One player has a browser, the others are quick.  At every move the board lies where it lay, and all that a
player needs is within the first screen.
"""

import os
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator

from strifebarge.rules import Action
from strifebarge.rules.notation import write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.browser.conftest import Gather, People
from tests.browser.party import visitor
from tests.browser.test_every_way import ByForms
from tests.support.browser import Person, Size
from tests.support.servers import Site
from tests.support.short import short_game
from tests.support.visitor import Remote

TITLES = {title.slug: title for title in Library()}
WINDOWS = [
    *(Size(390, 844), Size(844, 390), Size(320, 640)),
    *(Size(768, 1024), Size(1280, 800), Size(1920, 1080)),
]
PICTURES = os.environ.get("WALK_PICTURES", "")  # a folder for a picture of every fourth page; "" for none


class Needed(NamedTuple):
    """What is needed on the page of a game, beside what all games have: as selectors."""

    own: str
    last: str


# The words beside the turn tell the last move in every game, and on these boards it is seen in these places.
NEEDED = {
    "chess": Needed(".chess .man.w", ".chess .last"),
    "eights": Needed(".eights .hand[data-row] .pc", ".eights .pile figure:first-child .pc"),
    "mirrow": Needed(".fleet .block, .orders > li", ".news li:last-child"),
    "rps": Needed(".duel > li, .rps .rp", ".duel > li"),
    "startups": Needed(".own p, .cards > li > details > summary > b", ".news li:last-child"),
    "strifebarge": Needed(".ship.mine", ".sea .last"),
}
ALWAYS = "#turn, .bar .how"
BELOW = ".plate.below, #tab-chat > summary"
# Boards that need more than the height of the smallest window: what of one's own is seen there at once.
SMALLEST = Size(320, 640)
TALL = {
    "mirrow": ".chart",
    "startups": ".own p, .cards > li:nth-child(-n + 3)",
    "strifebarge": ".ship.mine",
}

BOX = "each => { const {x, y, width, height} = each.getBoundingClientRect(); return [x, y, width, height]; }"
# What of these is not wholly in the window, or in the middle covered by what stays in its place.
UNSEEN = """selector => [...document.querySelectorAll(selector)].filter(each => {
    const {left, top, right, bottom} = each.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return true;
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const over = there?.closest(".saying, .bar, .top, details .opened, .scroll, .side, .plate, #board");
    const home = each.closest(".saying, .bar, .top, details .opened, .scroll, .side, .plate, #board");
    return over !== home && !over?.contains(home) && !home?.contains(over);
}).map(each => each.outerHTML.slice(0, 150))"""
FOCUS = """() => {
    const {top, bottom} = document.activeElement.getBoundingClientRect();
    const home = document.activeElement.closest("#board, .saying, .bar, .more");
    return home && top < innerHeight && bottom > 0 ? "" : document.activeElement.outerHTML.slice(0, 150);
}"""
# How much of what the bar says is hidden in it, in pixels.
UNSAID = "each => Math.max(0, each.scrollHeight - each.clientHeight - 1)"
SHOWN = "version => document.getElementById('live').dataset.version === version"


class Newcomer(ByForms):
    """Somebody at a browser who wants to see what they need without scrolling, and the board where it was."""

    def __init__(self, person: Person, slug: str, size: Size, name: str) -> None:
        super().__init__(person)
        self.slug = slug
        self.size = size
        self.name = name
        self.board: list[float] | None = None  # where it lay at the first move
        self.seen = 0
        self.found: list[str] = []

    def look(self) -> None:
        """What has happened meanwhile is before them: by itself, where scripts run."""
        if self.person.alive:
            quick = visitor(self.person)
            now = quick.get(self.page.url.removeprefix(self.person.address))
            self.page.wait_for_function(SHOWN, arg=now.seen.ids["live"]["data-version"])
            self.person.must_fit()
        else:
            super().look()
        self.must_see()

    def play(self, action: Action) -> None:
        if not self.button(action).count():
            self.pick(action)
        super().play(action)
        if self.person.alive:
            unfocused = self.page.evaluate(FOCUS)
            if unfocused:
                self.found.append(f"{self.seen} focus {unfocused}")
        self.must_see()

    def take_up(self, link: Locator) -> None:
        link.click()  # the page may stay

    def needed(self) -> list[str]:
        """Return selectors of what has to be in the window."""
        if self.slug not in NEEDED:  # of a board that nobody has drawn for this size, the words beside it
            return [ALWAYS, ".news li:last-child"]
        own, last = NEEDED[self.slug]
        if self.size == SMALLEST and self.slug in TALL:
            return [ALWAYS, TALL[self.slug], last]
        return [ALWAYS, BELOW, own, last]

    def must_see(self) -> None:
        """The board has not moved, and all that is needed is in the window."""
        self.seen += 1
        if PICTURES and self.seen % 4 == 2:
            self.page.screenshot(path=Path(PICTURES) / f"{self.name}-{self.seen:02}.png")
        if self.person.see("section.result"):
            return
        board = self.page.locator("#board").evaluate(BOX)
        if self.board is None:
            self.board = board
        if board != self.board:
            self.found.append(f"{self.seen} board {self.board} -> {board}")
        unsaid = self.page.locator(".saying").evaluate(UNSAID)
        if unsaid:
            self.found.append(f"{self.seen} unsaid {unsaid}: {self.person.read('.saying')}")
        for selector in self.needed():
            unseen = self.page.evaluate(UNSEEN, selector)
            if unseen:
                self.found.append(f"{self.seen} unseen {selector}: {len(unseen)} {unseen[:1]}")


def walks() -> list[Any]:
    """Each game in each window once; each of them meets light and dark, with scripts and without."""
    paths = []
    for (i, size), (j, slug) in product(enumerate(WINDOWS), enumerate(TITLES)):
        scheme, scripts = list(product(("light", "dark"), (False, True)))[(i + j) % 4]
        name = f"{slug}-{size.width}x{size.height}-{scheme}-{'scripts' if scripts else 'plain'}"
        paths.append(pytest.param(slug, size, scheme, scripts, id=name))
    return paths


@pytest.fixture
def come(people_of: Gather, dealt: Site) -> People:
    return people_of(dealt)


@pytest.mark.timeout(900)  # on a machine that has much else to do
@pytest.mark.parametrize(("slug", "size", "scheme", "scripts"), walks())
def test_a_game_is_walked_through(come: People, dealt: Site, slug, size, scheme, scripts, request) -> None:
    rules = TITLES[slug].rules
    person = come(size=size, javascript=scripts)
    person.page.emulate_media(color_scheme=scheme)
    newcomer = Newcomer(person, slug, size, request.node.callspec.id)
    table = "/" + "/".join(newcomer.start(TITLES[slug].title).split("/")[3:5]).partition("?")[0]
    others = [Remote(dealt.port) for _ in range(usual_seats(rules) - 1)]
    for other in others:
        other.join(table)
    for step in short_game(rules):
        if step.seat:
            answer = others[step.seat - 1].move(table, write(step.action))
            assert answer.status == 303, answer.words
        else:
            newcomer.look()
            newcomer.play(step.action)
    newcomer.look()
    assert person.see("section.result")
    assert not newcomer.found, "\n".join(newcomer.found)
