"""A site whose interface is called."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import open_house  # noqa: F401 - a fixture
from tests.web.house import House, copied, opened

MANY = 99999


@pytest.fixture(scope="module")
def house(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("interface")
    with opened(copied(migrated, folder), folder, limit_api=MANY, limit_bots=9999) as site:
        yield site
