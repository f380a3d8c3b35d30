"""One browser and one site for all these tests of a process; to each test, people of its own."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import Chromium, Person, that_keeps_pages
from tests.support.servers import Site

People = Callable[..., Person]
Gather = Callable[..., People]


@pytest.fixture(scope="package")
def site() -> Iterator[Site]:
    """The site as it is run, with two workers.  Everybody comes from one address here."""
    with Site(WORKERS="2", LIMIT_CREATE="9999", LIMIT_SIGN_IN="9999") as running:
        yield running


@pytest.fixture(scope="package")
def dealt() -> Iterator[Site]:
    """The same, where every game has the chance for which a short game is known."""
    run = ("-m", "gunicorn", "tests.browser.dealt:app")
    with Site(arguments=run, WORKERS="1", LIMIT_CREATE="9999", LIMIT_CODES="9999") as running:
        yield running


@pytest.fixture(scope="package")
def browser(chromium_path: str) -> Iterator[Browser]:
    with Chromium(chromium_path) as running:
        yield running


@pytest.fixture
def people_of(browser: Browser) -> Iterator[Gather]:
    """Who makes people for a site; at the end of the test none of them may have met with trouble."""
    came: list[Person] = []

    def people(site: Site, by: Browser = browser, **always: object) -> People:
        def come(**how: object) -> Person:
            came.append(Person(by, site.url, **{**always, **how}))
            return came[-1]

        return come

    yield people
    troubles = [trouble for each in came for trouble in each.troubles]
    for each in came:
        each.close()
    assert not troubles


@pytest.fixture
def person(people_of: Gather, site: Site) -> People:
    """Makes people at the site."""
    return people_of(site)


@pytest.fixture(scope="package")
def whole_browser(browser: Browser) -> Iterator[Browser]:
    keeping = that_keeps_pages(browser)
    yield keeping
    keeping.close()


@pytest.fixture
def keeper(people_of: Gather, whole_browser: Browser, site: Site) -> People:
    """Makes people whose browser shows a page they go back to as they left it."""
    return people_of(site, whole_browser)
