"""A site on SQLite: one for each file of tests, or one of a test's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from strifebarge.store.migrations import upgrade
from tests.web.house import House, Wall, copied, opened


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database that is up to date, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "house.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="module")
def house(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    with opened(copied(migrated, folder), folder) as site:
        yield site


@pytest.fixture
def open_house(migrated: Path, tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Opens a site of the test's own, with its own settings."""
    with ExitStack() as stack:

        def build(**settings: Any) -> House:
            return stack.enter_context(opened(copied(migrated, tmp_path), tmp_path, **settings))

        yield build


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def timed(open_house: Callable[..., House], wall: Wall) -> House:
    """A site of the test's own, with the clock on the wall."""
    house = open_house()
    house.referee.now = wall
    return house
