"""Fixtures for what a test may need of the world: databases, Redis, a browser.

A program that is not on the machine means that its tests are left out, with a line that says why; with
STRIFEBARGE_TEST_REQUIRE=all, as in continuous integration, they fail instead.
"""

import gc
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest

from strifebarge.store.migrations import upgrade
from tests.support.routes import compile_routes_once
from tests.support.seeds import VARIABLE, apart, begin, seed, seed_referees, shuffle
from tests.support.servers import ROOT, Postgres, Redis, Server, Unavailable, find_chromium
from tests.support.targets import mark_named, mark_targets, reasons

Needed = TypeVar("Needed")

COLLECT_AFTER = (200_000, 50, 50)  # objects, and collections of the younger: a tenth of the time went there
HOUR = 3600  # seconds that what is marked slow may take, on a machine that has much else to do


# The same examples in every run that names no seed, and none that is a matter of how fast the machine is.
hypothesis.settings.register_profile(
    "strifebarge",
    derandomize=VARIABLE not in os.environ,
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("strifebarge")


def pytest_configure(config: pytest.Config) -> None:
    """Settings and data folder of the person who runs the tests do not reach the tests."""
    for name in list(os.environ):
        if name.startswith("STRIFEBARGE_") and not name.startswith("STRIFEBARGE_TEST_"):
            del os.environ[name]
    if Path("strifebarge.toml").exists():  # which a site that a test starts would read
        raise pytest.UsageError("strifebarge.toml must not be in this folder while tests run.")
    seed_referees()
    keep_bytecode()
    compile_routes_once()
    gc.set_threshold(*COLLECT_AFTER)


def keep_bytecode() -> None:
    """Let the processes that tests start find what was compiled before: they are many, and start quicker."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(ROOT / ".pytest_cache" / "compiled")


def pytest_report_header() -> str:
    return f"seed of what tests draw, and with {VARIABLE} of their order: {seed()}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mark_targets(items)
    if any("::" in name for name in config.args):
        mark_named(items)
    places = shuffle(item.nodeid for item in items)
    items.sort(key=lambda item: places[item.nodeid])
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(HOUR))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    Server.forbidden = "" if reasons(item) or item.get_closest_marker("slow") else item.nodeid
    begin(item.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> object:
    if fixturedef.scope == "function":
        return (yield)
    with apart(f"{request.node.nodeid} {fixturedef.argname} {request.param_index}"):
        return (yield)


def need(make: Callable[[], Needed]) -> Needed:
    """What `make` makes; without the program for it the test is left out, or fails where all are required."""
    try:
        return make()
    except Unavailable as why:
        if os.environ.get("STRIFEBARGE_TEST_REQUIRE") == "all":
            pytest.fail(f"required, but {why}", pytrace=False)
        pytest.skip(str(why))


@pytest.fixture(scope="session", autouse=True)
def no_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing a test does may land in a real data folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("xdg-data")))
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The cluster that the tests of this process share; for one of a test's own, use the class."""
    with need(Postgres) as server:
        yield server


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file that is up to date and holds nothing, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "strifebarge.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres: Postgres) -> str:
    """The name of a PostgreSQL database that is up to date and holds nothing, to be copied."""
    name = postgres.create()
    upgrade(postgres.url(name))
    return name


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The URL of an empty PostgreSQL database, this test's alone."""
    name = postgres.create()
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The URL of an SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path / 'strifebarge.db'}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database's URL: the test runs once on SQLite and once on PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture
def sqlite_ready(migrated: Path, tmp_path: Path) -> str:
    """The URL of an SQLite file that is up to date."""
    return f"sqlite:///{shutil.copy(migrated, tmp_path / 'ready.db')}"


@pytest.fixture
def postgres_ready(postgres: Postgres, migrated_postgres: str) -> Iterator[str]:
    """The URL of a PostgreSQL database that is up to date."""
    name = postgres.create(migrated_postgres)
    yield postgres.url(name)
    postgres.drop(name)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def ready_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database that is up to date: the test runs once on SQLite and once on PostgreSQL."""
    return str(request.getfixturevalue(f"{request.param}_ready"))


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    """The Redis that the tests of this process share."""
    with need(Redis) as server:
        yield server


@pytest.fixture
def redis_url(redis_server: Redis) -> str:
    """The URL of an empty Redis."""
    redis_server.empty()
    return redis_server.url


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The path of a Chromium to drive; as root it must be told --no-sandbox."""
    return need(find_chromium)
