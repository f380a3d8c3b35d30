"""One browser and one site for all these tests of a process; to each test, visitors of its own."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Chromium, Visitor
from tests.support.servers import Site

Visitors = Callable[..., Visitor]


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    """The site as it is run, with two workers.  Many visitors come from one address here."""
    with Site(WORKERS="2", LIMIT_CREATE="9999") as running:
        yield running


@pytest.fixture(scope="package")
def browser(chromium_path: str) -> Iterator[Browser]:
    with Chromium(chromium_path) as running:
        yield running


@pytest.fixture
def visitor(browser: Browser, site: Site) -> Iterator[Visitors]:
    """Makes visitors; at the end of the test none of them may have met with trouble."""
    came: list[Visitor] = []

    def come(**how: object) -> Visitor:
        came.append(Visitor(browser, site.url, **how))
        return came[-1]

    yield come
    troubles = [trouble for each in came for trouble in each.troubles]
    for each in came:
        each.close()
    assert not troubles
