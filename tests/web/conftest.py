"""A site on SQLite: one for each file of tests, or one of a test's own."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import Any

import pytest

import games
from tests.web.house import House, OpenHouse, Party, Wall, copied, opened
from tests.web.town import URL, Town

AUTHORS = Path(__file__).parents[1] / "servers" / "authors"


@pytest.fixture(scope="module")
def house(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    with opened(copied(migrated, folder), folder) as site:
        yield site


@pytest.fixture(scope="module")
def party(house: House) -> Party:
    """A game in the midst of it, that no test may move; a file that needs another party has its own."""
    return house.fleet()


@pytest.fixture
def open_house(migrated: Path, tmp_path: Path) -> Iterator[OpenHouse]:
    """Opens a site of the test's own, with its own settings."""
    with ExitStack() as stack:

        def build(**settings: Any) -> House:
            return stack.enter_context(opened(copied(migrated, tmp_path), tmp_path, **settings))

        yield build


@pytest.fixture
def unruly_house(open_house: OpenHouse) -> Iterator[House]:
    """A site that has the game which fails as one wants it to."""
    before = list(games.__path__)
    yield open_house(games=(AUTHORS,))
    games.__path__[:] = before
    for name in [name for name in sys.modules if name.startswith("games.unruly")]:
        del sys.modules[name]
    vars(games).pop("unruly", None)


@pytest.fixture
def town(open_house: OpenHouse) -> Town:
    """A site that sends notices."""
    return Town(open_house(public_url=URL, secure=False, smtp_url="smtp://localhost:1"))


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def timed(open_house: OpenHouse, wall: Wall) -> House:
    """A site of the test's own, by its `wall`."""
    house = open_house()
    house.referee.now = wall  # type: ignore[method-assign]
    return house


@pytest.fixture
def clock(house: House) -> Wall:
    """From now on the time at all tables of the house, for a test to let pass."""
    house.referee.now = wall = Wall(time())  # type: ignore[method-assign]
    return wall
