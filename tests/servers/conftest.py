"""A site under gunicorn with two workers, on SQLite and on PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.servers.books import Books
from tests.support.servers import Postgres, Site
from tests.support.visitor import Remote

GENEROUS = {"WORKERS": "2", "THREADS": "64", "LIMIT_CREATE": "9999", "LIMIT_CODES": "9999"}
BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@contextmanager
def on_a_database(request: pytest.FixtureRequest, **settings: str) -> Iterator[Site]:
    """A site on the kind of database that the fixture asks for by its parameter."""
    if request.param == "sqlite":
        with Site(**settings) as running:
            running.settings["DATABASE_URL"] = f"sqlite:///{running.data / 'strifebarge.db'}"
            yield running
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    name = postgres.create()
    with Site(**settings, DATABASE_URL=postgres.url(name)) as running:
        yield running
    postgres.drop(name)


@pytest.fixture(scope="module", params=BOTH)
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """The site that the tests of one file share, once on each database."""
    with on_a_database(request, **GENEROUS) as running:
        yield running


@pytest.fixture
def books(site: Site) -> Iterator[Books]:
    with Books(site.settings["DATABASE_URL"]) as open_books:
        yield open_books


@pytest.fixture
def visitor(site: Site) -> Callable[[], Remote]:
    """Somebody new to the site, each time it is called."""
    return lambda: Remote(site.port)
