"""After a busy day a worker has not more memory than a small machine can give it."""

from pathlib import Path

import pytest

from tests.servers.busy_day import Day, memory_of
from tests.support.servers import Site
from tests.web.asking import addresses
from tests.web.house import copied, opened

MOST = 150_000  # kilobytes in memory, those included that it shares with others
SETTINGS = {"WORKERS": "1", "TRUSTED_PROXIES": "1", "LIMIT_CREATE": "9999", "LIMIT_SIGN_IN": "9999"}

pytestmark = pytest.mark.servers


def everywhere(migrated: Path, folder: Path) -> list[tuple[str, str]]:
    """Every method and address of the site."""
    with opened(copied(migrated, folder), folder) as house:
        return [(method, path) for method in ("GET", "POST") for path in addresses(house, method, "AAAA0000")]


@pytest.mark.slow
def test_after_a_busy_day_a_worker_is_as_small_as_is_said(migrated: Path, tmp_path: Path) -> None:
    paths = everywhere(migrated, tmp_path)
    with Site(**SETTINGS) as site:
        [worker] = site.workers()
        day, sizes = Day(site), {}
        for what, do, numbers in (
            ("50 sign-ups", day.sign_up, range(50)),
            ("400 games", day.play, range(400)),
            ("40 imports", day.bring, range(40)),
            ("3000 odd requests", lambda number: day.send_anything(paths, number), range(3000)),
            ("50 more sign-ups", day.sign_up, range(50, 100)),
        ):
            day.all(do, numbers)
            sizes[what] = memory_of(worker)["Rss"]
        print(sizes)
        assert max(sizes.values()) < MOST, sizes
        assert "Traceback" not in site.log()
        assert site.workers() == [worker]


def test_a_worker_gives_back_what_sign_ups_took() -> None:
    with Site(**SETTINGS) as site:
        [worker] = site.workers()
        day = Day(site)
        day.all(day.sign_up, range(8))
        before = memory_of(worker)["Rss"]
        day.all(day.sign_up, range(8, 24))
        assert memory_of(worker)["Rss"] - before < 19 * 1024, "kilobytes: less than one hash takes"
        assert memory_of(worker)["Rss"] < MOST
