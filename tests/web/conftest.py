"""A site on SQLite: one for each file of tests, or one of a test's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.web.house import House, copied, opened


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
