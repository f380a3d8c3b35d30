"""Every game is played to its end in every way that people play, each by one player, from the first page on.

Forms without scripts, the keyboard alone, what a screen reader is told, and a text browser; the text view by
itself is in tests/web/page/test_textview.py.  The others at the table are quick.  The games are short ones
that were found beforehand, since the site has the chance of those.
"""

import json
import re
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator

from strifebarge.rules import Action
from strifebarge.rules.notation import tag, write
from strifebarge.rules.schema import usual_seats
from strifebarge.tables.library.library import Library
from tests.browser.conftest import Gather, People
from tests.browser.party import MOVES, PICKS, with_friends
from tests.browser.test_keyboard import FAR
from tests.conftest import need
from tests.support.browser import DESKTOP, Person
from tests.support.servers import Site
from tests.support.short import short_game
from tests.support.terminal import TextBrowser, find_w3m
from tests.support.visitor import Remote

TITLES = {title.slug: title for title in Library()}
EVERY_GAME = pytest.mark.parametrize("slug", TITLES)


class Way(Protocol):
    """How somebody plays."""

    def start(self, title: str) -> str:
        """From the first page to a table of this game; the page's address there."""

    def look(self) -> None:
        """What has happened meanwhile?"""

    def play(self, action: Action) -> None:
        """Do this, from a page where it is on offer."""

    def read(self) -> str:
        """All that can be read on the page."""

    def rematch(self) -> None:
        """Once more, from the page of the result."""


@pytest.fixture
def come(people_of: Gather, dealt: Site) -> People:
    return people_of(dealt)


def must_play(way: Way, site: Site, slug: str) -> None:
    """The first seat is played this way, the others by plain requests; to the end, and once more."""
    title = TITLES[slug]
    address = way.start(title.title)
    table = re.search(r"/g/\w+", address)[0]
    others = [Remote(site.port) for _ in range(usual_seats(title.rules) - 1)]
    for other in others:
        other.join(table)
    for step in short_game(title.rules):
        if step.seat:
            answer = others[step.seat - 1].move(table, write(step.action))
            assert answer.status == 303, answer.words
        else:
            way.look()
            assert "Your turn." in way.read()
            way.play(step.action)
    way.look()
    read = way.read()
    assert "Game over." in read
    result = others[0].get(table) if others else None
    assert result is None or result.over
    way.rematch()
    assert "Waiting for" in way.read()


# -- by forms -----------------------------------------------------------------------


class ByForms:
    """A pointer, and links and buttons to press with it; no scripts."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page = person.page

    def start(self, title: str) -> str:
        self.person.open("/")
        self.go(self.page.get_by_role("button", name=with_friends(title), exact=True))
        return self.page.url

    def look(self) -> None:
        again = self.page.locator("p.refresh a")
        if again.count():
            self.go(again)

    def play(self, action: Action) -> None:
        """Its button; or its fields filled in; or its button after something was picked up."""
        button = self.button(action)
        fields = {name: self.page.locator(f"{MOVES} [name={name}]") for name in action.__struct_fields__}
        if not button.count() and not (fields and all(each.count() for each in fields.values())):
            self.pick(action)
        if button.count():
            self.unfold(button)
            return self.go(button)
        for name, field in fields.items():
            self.fill(field, str(getattr(action, name)))
        sent = self.page.locator(
            f"{MOVES} button[name=do][value={tag(type(action))}], "
            f"{MOVES}:has(input[name=do][value={tag(type(action))}]) button"
        )
        self.go(sent.first)

    def read(self) -> str:
        return self.person.read("main")

    def rematch(self) -> None:
        self.go(self.page.get_by_role("button", name="Rematch", exact=True))

    # How it is done:

    def button(self, action: Action) -> Locator:
        return self.page.locator(f"{MOVES} button[name=move][value={json.dumps(write(action))}]")

    def pick(self, action: Action) -> None:
        """Pick up what the action is done with, where that is how it is done."""
        values = [str(getattr(action, name)) for name in action.__struct_fields__]
        for link in self.page.locator(PICKS).all():
            [picked] = parse_qs(urlsplit(link.get_attribute("href") or "").query)["pick"]
            if any(value == picked or (value.startswith(picked) and len(picked) > 1) for value in values):
                self.take_up(link)
                return self.button(action).wait_for(state="attached")

    def take_up(self, link: Locator) -> None:
        self.go(link)

    def unfold(self, button: Locator) -> None:
        """Open the sheet that holds a button."""
        summary = button.locator("xpath=ancestor::details[not(@open)]/summary")
        if not button.is_visible() and summary.count():
            self.open(summary.first)

    def open(self, summary: Locator) -> None:
        summary.click()

    def go(self, where: Locator) -> None:
        self.person.press(where)

    def fill(self, field: Locator, value: str) -> None:
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


@EVERY_GAME
def test_by_forms_without_javascript(come: People, dealt: Site, slug: str) -> None:
    must_play(ByForms(come()), dealt, slug)


# -- by keyboard --------------------------------------------------------------------


FOCUS = """target => {
    const here = document.activeElement;
    if (!here || here === document.body) return null;
    const box = here.getBoundingClientRect(), style = getComputedStyle(here);
    return {
        there: here === target,
        tag: here.tagName,
        what: here.outerHTML.slice(0, 120),
        box: [box.left, box.top, box.right, box.bottom],
        ring: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
    };
}"""


class ByKeyboard(ByForms):
    """Tab, Enter, and what is typed; wherever one is, it can be seen."""

    def __init__(self, person: Person) -> None:
        super().__init__(person)
        self.keyboard = person.page.keyboard

    def go(self, where: Locator) -> None:
        self.tab_to(where)
        with self.person.arriving():
            self.keyboard.press("Enter")

    def open(self, summary: Locator) -> None:
        self.tab_to(summary)
        self.keyboard.press("Enter")

    def fill(self, field: Locator, value: str) -> None:
        self.tab_to(field)
        self.keyboard.type(value)

    def tab_to(self, target: Locator) -> None:
        for _ in range(FAR):
            self.keyboard.press("Tab")
            here = target.evaluate(FOCUS)
            self.must_be_seen(here)
            if here and here["there"]:
                return
        raise AssertionError(f"Tab never comes to {target} at {self.page.url}")

    def must_be_seen(self, here: dict[str, Any] | None) -> None:
        """What has the focus has a ring, and lies in the window."""
        if here is None or here["tag"] == "IFRAME":
            return  # the browser's own frame, or a page within the page that rings its own links
        left, top, right, bottom = here["box"]
        assert here["ring"] >= 2, here["what"]
        assert 0 <= (left + right) / 2 <= DESKTOP.width, here["what"]
        assert 0 <= (top + bottom) / 2 <= DESKTOP.height or bottom - top > DESKTOP.height, here["what"]


@EVERY_GAME
def test_by_keyboard_alone(come: People, dealt: Site, slug: str) -> None:
    must_play(ByKeyboard(come(size=DESKTOP)), dealt, slug)


# -- by what a screen reader is told ------------------------------------------------


FIELDS = {"textbox", "spinbutton"}


class ByHearing:
    """The browser's accessibility tree: roles and names, and nothing of how it looks or is made."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.tree = person.context.new_cdp_session(person.page)
        self.tree.send("Accessibility.enable")

    def start(self, title: str) -> str:
        self.person.open("/")
        self.activate("button", with_friends(title))
        return self.value("textbox", "Link")

    def look(self) -> None:
        if again := self.named("link", "Refresh"):
            self.enter(again[0])

    def play(self, action: Action, picked: bool = False) -> None:
        """The button whose name says so, or ends so; if need be after a link whose name it has in it; or the
        first fields there are, where that can be typed.
        """
        phrase = str(action.words).casefold()
        heard = self.heard()
        for sheet in (None, *(node for node in heard if node["role"].startswith("DisclosureTriangle"))):
            if sheet:
                if sheet["handle"] not in [node["handle"] for node in heard]:
                    continue  # it was in a tab that another has closed
                self.focus(sheet)
                self.person.page.keyboard.press("Enter")
                heard = self.heard()
            for node in heard:
                if node["role"] == "button" and node["name"].casefold().endswith(phrase):
                    return self.enter(node)
        named = (node for node in heard if node["role"] == "link" and node["name"].casefold() in phrase)
        link = next((node for node in named if len(node["name"]) > 2), None)
        if link and not picked:
            self.enter(link)
            return self.play(action, picked=True)
        values = [str(getattr(action, name)) for name in action.__struct_fields__]
        fields = (node for node in heard if node["role"] in FIELDS)  # talk and notes come later
        for value, field in zip(values, fields, strict=False):
            self.focus(field)
            self.person.page.keyboard.type(value)
        self.enter(field)

    def read(self) -> str:
        return " ".join(node["name"] for node in self.heard() if node["role"] == "StaticText")

    def rematch(self) -> None:
        self.activate("button", "Rematch")

    # How it is done:

    def heard(self) -> list[dict[str, Any]]:
        """Everything that is read out, in order: role, name, value, and a handle to activate it by."""
        nodes = self.tree.send("Accessibility.getFullAXTree")["nodes"]
        return [
            {
                "role": node["role"]["value"],
                "name": " ".join(node.get("name", {}).get("value", "").split()),
                "value": node.get("value", {}).get("value", ""),
                "handle": node.get("backendDOMNodeId"),
            }
            for node in nodes
            if not node["ignored"]
        ]

    def named(self, role: str, name: str) -> list[dict[str, Any]]:
        label = name.casefold()
        return [node for node in self.heard() if (node["role"], node["name"].casefold()) == (role, label)]

    def activate(self, role: str, name: str) -> None:
        element = self.named(role, name)
        assert element, f"no {role} is called {name}: {self.read()}"
        self.enter(element[0])

    def enter(self, node: dict[str, Any]) -> None:
        self.focus(node)
        with self.person.arriving():
            self.person.page.keyboard.press("Enter")

    def value(self, role: str, name: str) -> str:
        [element] = self.named(role, name)
        return str(element["value"])

    def focus(self, node: dict[str, Any]) -> None:
        self.tree.send("DOM.focus", {"backendNodeId": node["handle"]})


@EVERY_GAME
def test_by_the_accessibility_tree_alone(come: People, dealt: Site, slug: str) -> None:
    must_play(ByHearing(come()), dealt, slug)


# -- in a text browser --------------------------------------------------------------


class InATextBrowser:
    """w3m in a terminal, and the text version of the table."""

    def __init__(self, browser: TextBrowser) -> None:
        self.browser = browser

    def start(self, title: str) -> str:
        self.browser.press(with_friends(title))
        address = self.browser.read_address()
        self.browser.press("Text version")
        return address

    def look(self) -> None:
        if "Refresh" in self.browser.words:
            self.browser.press("Refresh")

    def play(self, action: Action) -> None:
        self.browser.type("You typed", write(action))

    def read(self) -> str:
        return " ".join(self.browser.words.split())

    def rematch(self) -> None:
        self.browser.press("Rematch")


@EVERY_GAME
def test_in_a_text_browser(dealt: Site, slug: str, tmp_path: Path) -> None:
    need(find_w3m)
    with TextBrowser(dealt.url, tmp_path) as browser:
        must_play(InATextBrowser(browser), dealt, slug)


HEARD = """all => all.map((each) => {
    const copy = each.cloneNode(true);
    copy.querySelectorAll("[aria-hidden]").forEach((hidden) => hidden.remove());
    return copy.textContent.replace(/\\s+/g, " ").trim();
})"""


@EVERY_GAME
def test_a_text_browser_and_a_screen_reader_read_each_plate_once(
    come: People, dealt: Site, slug: str, tmp_path: Path
) -> None:
    need(find_w3m)
    players = [Remote(dealt.port) for _ in range(usual_seats(TITLES[slug].rules))]
    table = players[0].start(slug).table
    for other in players[1:]:
        other.join(table)
    for step in short_game(TITLES[slug].rules)[:3]:
        players[step.seat].move(table, write(step.action))
    watching = come()
    watching.open(table)
    heard = watching.page.locator(".plate").evaluate_all(HEARD)
    assert len(heard) == len(players)
    with TextBrowser(dealt.url, tmp_path) as browser:
        browser.open(table)
        read = " ".join(browser.words.split())
    assert [plate for plate in heard if plate not in read] == []
