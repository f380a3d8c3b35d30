"""What axe finds wrong with any page, in any state, on a phone and at a desk, by day and by night: nothing.

Every scene is looked at on a phone and at a desk, once by day and once by night; the next the other way
round.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.scenes import CHAPTERS, Scene, dress, site
from tests.support.browser import DESKTOP, PHONE
from tests.support.servers import Site

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def fixed() -> Iterator[Site]:
    with site() as running:
        yield running


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_axe_finds_nothing(browser, fixed, chapter, people_of):
    found = []
    schemes = ["light", "dark"]
    for scene in CHAPTERS[chapter](people_of(fixed, javascript=True, alive=False)):
        for size, scheme in zip((PHONE, DESKTOP), schemes, strict=True):
            dress(scene.person, size, scheme)
            scene.person.must_fit()
            for each in Axe().run(scene.person.page, options=rules(scene)).response["violations"]:
                where = f"{scene.name} {size.width} {scheme}: {each['id']} ({each['help']})"
                found += [where, *(f"    {node['html'][:200]}" for node in each["nodes"])]
        dress(scene.person, PHONE, "light")
        schemes.reverse()
    assert not found, "\n".join(found)


def rules(scene: Scene) -> dict[str, Any]:
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
