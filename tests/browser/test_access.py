"""What axe finds wrong with any page, in any state, at any width, by day and by night: nothing.

Every scene is looked at once, in another window than the one before it, by day or by night.  The slow walks
look at each in four windows: there the first look asks everything, the others what may differ between
windows and lights, and the next scene begins in the other light.
"""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import cycle, islice
from typing import Any, Literal
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Gather
from tests.browser.scenes import CHAPTERS, TITLES, Scene, dress, site
from tests.support.browser import DESKTOP, LARGE_PHONE, PHONE, TABLET, Person, Size
from tests.support.servers import Site
from tests.support.targets import first

AXE = Axe().axe_script
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BY_WINDOW = ["target-size", "scrollable-region-focusable"]
BY_LIGHT = ["color-contrast", "link-in-text-block"]
WINDOWS = [PHONE, LARGE_PHONE, TABLET, DESKTOP]
Light = Literal["light", "dark"]
LIGHTS: list[Light] = ["light", "dark"] * 2 + ["dark", "light"] * 2
# What is wrong, and nothing of all the rest that axe could tell: for a sea of cells that is most of the time.
ASK = """how => axe.run(document, how).then(({violations}) =>
    violations.map(({id, help, nodes}) => [id, help, nodes.map(({html}) => html.slice(0, 200))]))"""

# Without scripts each game once, whose pages then hold the frame that waits, and with them everything else;
# the other way round is slow, since few pages know the difference.
BRIEFLY = [(chapter, chapter not in TITLES) for chapter in CHAPTERS]
ALL_ROUND = [(chapter, scripts) for scripts in (True, False) for chapter in CHAPTERS]
CLOSES_THE_DOOR = "my-games"  # where somebody guesses codes, and this machine's address is let in no more


@pytest.fixture(scope="module")
def fixed() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.fixture
def place(chapter: str, request: pytest.FixtureRequest) -> Iterator[Site]:
    """The site where a chapter is walked through, with chance of its own: one for all with open doors."""
    if chapter == CLOSES_THE_DOOR:
        with site() as running:
            yield running
        return
    shared: Site = request.getfixturevalue("fixed")
    urlopen(Request(f"{shared.url}/chance/{quote(request.node.name)}", method="POST")).close()
    yield shared


def kind(given: str) -> str:
    """Return what a chapter is about: pages of every game, pages of one game, or those around them."""
    if given.endswith("False"):
        return "all games"
    return "one game" if first(given) in TITLES else "around"


@pytest.mark.parametrize(("chapter", "javascript"), BRIEFLY)
def test_axe_finds_nothing(browser, place, chapter, javascript, people_of):
    ways = cycle(zip(2 * WINDOWS, LIGHTS, strict=True))
    faults: list[str] = []
    for scene in walk(place, chapter, javascript, people_of):
        faults += looked_at(scene, islice(ways, 1))
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.parametrize(("chapter", "javascript"), ALL_ROUND)
def test_axe_finds_nothing_in_any_window(browser, place, chapter, javascript, people_of):
    lights: Iterator[Light] = cycle(["light", "dark", "dark", "light", "dark"])
    faults: list[str] = []
    for scene in walk(place, chapter, javascript, people_of):
        faults += looked_at(scene, zip(WINDOWS, lights, strict=False))
    assert not faults, "\n".join(faults)


def walk(site: Site, chapter: str, javascript: bool, people_of: Gather) -> Iterator[Scene]:
    """A chapter's scenes, each while axe can look at it."""
    for scene in CHAPTERS[chapter](people_of(site, javascript=javascript, alive=False)):
        with nullcontext() if javascript else scene.person.scripted():
            scene.person.page.evaluate(AXE)
            yield scene
            dress(scene.person, PHONE, "light")


def looked_at(scene: Scene, ways: Iterable[tuple[Size, Light]]) -> list[str]:
    """What is wrong with a scene in these windows."""
    faults: list[str] = []
    seen: set[str] = set()
    for window, light in ways:
        dress(scene.person, window, light)
        scene.person.must_fit()
        rules = only(BY_WINDOW + (BY_LIGHT if light not in seen else [])) if seen else everything(scene)
        seen.add(light)
        faults += wrong(scene.person, rules, f"{scene.name} {window.width} {light}")
    return faults


def wrong(person: Person, rules: dict[str, Any], where: str) -> list[str]:
    faults: list[str] = []
    for rule, help, nodes in person.page.evaluate(ASK, {**rules, "resultTypes": ["violations"]}):
        faults += [f"{where}: {rule} ({help})", *(f"    {node}" for node in nodes)]
    return faults


def only(rules: list[str]) -> dict[str, Any]:
    return {"runOnly": {"type": "rule", "values": rules}}


def everything(scene: Scene) -> dict[str, Any]:
    """All, and how large things to press are.

    But the frame that waits where there is no JavaScript does renew itself: it holds nothing that could be
    lost, and a link in it stops that.  Nor is it a page of its own: it has no heading and no landmarks.
    """
    chosen = {"target-size": {"enabled": True}}
    if scene.name.startswith("status-"):
        renewal = ["meta-refresh", "meta-refresh-no-exceptions"]
        pages_only = ["page-has-heading-one", "landmark-one-main", "region"]
        chosen |= {rule: {"enabled": False} for rule in (*renewal, *pages_only)}
    return {"runOnly": {"type": "tag", "values": TAGS}, "rules": chosen}
