"""What axe finds wrong with any page, in any state, at any width, by day and by night: nothing.

Every scene is looked at in four windows, in turn by day and by night; the next scene the other way round.
The first look asks everything, the others what may differ between windows and lights.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import cycle
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.scenes import CHAPTERS, TITLES, Scene, dress, site
from tests.support.browser import DESKTOP, LARGE_PHONE, PHONE, TABLET, Person
from tests.support.servers import Site

AXE = Axe().axe_script
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
BY_WINDOW = ["target-size", "scrollable-region-focusable"]
BY_LIGHT = ["color-contrast", "link-in-text-block"]
WINDOWS = [PHONE, LARGE_PHONE, TABLET, DESKTOP]
Light = Literal["light", "dark"]
# What is wrong, and nothing of all the rest that axe could tell: for a sea of cells that is most of the time.
ASK = """how => axe.run(document, how).then(({violations}) =>
    violations.map(({id, help, nodes}) => [id, help, nodes.map(({html}) => html.slice(0, 200))]))"""

# Without scripts each game once, whose pages then hold the frame that waits, and with them everything else;
# the other way round is slow, since few pages know the difference.  The last chapter closes the door.
WALKS = [(chapter, chapter not in TITLES) for chapter in CHAPTERS]
SLOW = [pytest.param(chapter, not scripts, marks=pytest.mark.slow) for chapter, scripts in WALKS]


@pytest.fixture(scope="module")
def fixed() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.mark.parametrize(("chapter", "javascript"), WALKS + SLOW)
def test_axe_finds_nothing(browser, fixed, chapter, javascript, people_of):
    lights: Iterator[Light] = cycle(["light", "dark", "dark", "light", "dark"])
    found: list[str] = []
    for scene in CHAPTERS[chapter](people_of(fixed, javascript=javascript, alive=False)):
        with nullcontext() if javascript else scene.person.scripted():
            found += looked_at(scene, lights)
    assert not found, "\n".join(found)


def looked_at(scene: Scene, lights: Iterator[Light]) -> list[str]:
    """What is wrong with a scene in any window."""
    found: list[str] = []
    seen: set[str] = set()
    scene.person.page.evaluate(AXE)
    for window in WINDOWS:
        light = next(lights)
        dress(scene.person, window, light)
        scene.person.must_fit()
        asked = only(BY_WINDOW + (BY_LIGHT if light not in seen else [])) if seen else everything(scene)
        seen.add(light)
        found += wrong(scene.person, asked, f"{scene.name} {window.width} {light}")
    dress(scene.person, PHONE, "light")
    return found


def wrong(person: Person, asked: dict[str, Any], where: str) -> list[str]:
    told: list[str] = []
    for rule, help, nodes in person.page.evaluate(ASK, {**asked, "resultTypes": ["violations"]}):
        told += [f"{where}: {rule} ({help})", *(f"    {node}" for node in nodes)]
    return told


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
