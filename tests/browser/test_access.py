"""What axe finds wrong with any page, in any state, on a phone and at a desk, by day and by night: nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.scenes import CHAPTERS, Scene, site
from tests.support.browser import DESKTOP, PHONE
from tests.support.servers import Site

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def fixed() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_axe_finds_nothing(browser, fixed, chapter, people_of):
    found = {}
    for scene in CHAPTERS[chapter](people_of(fixed, javascript=True)):
        for where, violations in looked_at(scene):
            for each in violations:
                nodes = found.setdefault(f"{each['id']} ({each['help']})", set())
                nodes.update(f"{where}: {node['html'][:160]}" for node in each["nodes"])
    assert not found, "\n".join(f"{rule}\n  " + "\n  ".join(sorted(nodes)) for rule, nodes in found.items())


def looked_at(scene: Scene) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Where a page was looked at, and what was found there; it must fit, too."""
    page = scene.person.page
    for size in PHONE, DESKTOP:
        page.set_viewport_size({"width": size.width, "height": size.height})
        scene.person.must_fit()
        for scheme in "light", "dark":
            page.emulate_media(color_scheme=scheme)
            yield f"{scene.name} {size.width} {scheme}", Axe().run(page, options=rules(scene)).response["violations"]
    page.set_viewport_size({"width": PHONE.width, "height": PHONE.height})
    page.emulate_media(color_scheme="light")


def rules(scene: Scene) -> dict[str, Any]:
    """All, and how large things to press are.

    But the frame that waits where there is no JavaScript does renew itself: it holds nothing that could be
    lost, and a link in it stops that.  It is no page of its own either, so it has neither heading nor landmark.
    """
    chosen = {"target-size": {"enabled": True}}
    if scene.name.startswith("status-"):
        frame = ["meta-refresh", "meta-refresh-no-exceptions", "page-has-heading-one", "landmark-one-main", "region"]
        chosen |= {rule: {"enabled": False} for rule in frame}
    return {"runOnly": {"type": "tag", "values": TAGS}, "rules": chosen}
