"""The bridge between the hubs of several machines, by Redis and by PostgreSQL: also where these go away."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from strifebarge.live import bridge as bridges
from strifebarge.live.bridge import Bridge, PostgresBridge, RedisBridge, bridge_for
from strifebarge.live.messages import Message, SignedOut, TableChanged
from strifebarge.settings import Settings
from strifebarge.store.db.address import parameters
from strifebarge.tables.view.news import News
from tests.conftest import need
from tests.support.servers import Postgres, Redis

SOON = 20.0  # seconds, on a machine with much else to do
KEYS = ("a key You needn't wait any longer",)


def changed(number: int) -> TableChanged:
    return TableChanged(News("T", number, str(number), {"ann": f"{number}+0f"}))


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON):
        while not condition():
            await asyncio.sleep(0.01)


class Two:
    """Two bridges, and what has come over each."""

    def __init__(self, make: Callable[[Callable[[Message], None]], Bridge]):
        self.came: list[list[Message]] = [[], []]
        self.bridges = [make(came.append) for came in self.came]

    async def connected(self) -> None:
        """Come back once what is sent comes over: nobody says when a bridge stands."""
        for sender, came in zip(self.bridges, reversed(self.came), strict=True):
            while changed(0) not in came:
                sender.send(changed(0))
                await asyncio.sleep(0.05)
        for came in self.came:
            came.clear()

    async def must_work(self) -> None:
        await asyncio.wait_for(self.connected(), SOON)
        one, other = self.bridges
        wanted = [changed(number) for number in range(1, 301)]
        for each in wanted:
            one.send(each)
        other.send(SignedOut("ann", "phone"))
        await until(lambda: wanted[-1] in self.came[1] and SignedOut("ann", "phone") in self.came[0])
        assert [each for each in self.came[1] if each != changed(0)] == wanted
        assert not [each for each in self.came[0] if each in wanted]  # one's own do not come back


async def tried(two: Two, *steps: Callable[[], object]) -> None:
    running = [asyncio.create_task(each.run()) for each in two.bridges]
    try:
        await two.must_work()
        for step in steps:
            await asyncio.to_thread(step)
            await two.must_work()
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


@pytest.fixture(autouse=True)
def no_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridges, "REST", 0.1)


@pytest.mark.redis
def test_by_redis_each_hub_learns_what_the_other_was_told_also_after_redis_was_away() -> None:
    with need(Redis) as redis:

        def restart() -> None:
            redis.kill()
            redis.start()

        asyncio.run(tried(Two(lambda took: RedisBridge(redis.url, "channel", took)), restart))


@pytest.mark.postgres
def test_by_postgres_each_hub_learns_what_the_other_was_told(postgres: Postgres) -> None:
    url = postgres.url("postgres").replace("+psycopg", "")
    asyncio.run(tried(Two(lambda took: PostgresBridge(url, "channel", took))))


@pytest.mark.postgres
def test_by_postgres_also_after_it_was_away() -> None:
    with need(Postgres) as own:

        def restart() -> None:
            own.kill()
            own.start()

        url = own.url("postgres").replace("+psycopg", "")
        asyncio.run(tried(Two(lambda took: PostgresBridge(url, "channel", took)), restart))


def test_a_file_of_sqlite_needs_no_bridge_and_keys_name_the_channel(tmp_path: Path) -> None:
    def made(**more: str) -> Bridge | None:
        return bridge_for(Settings(data=tmp_path, secret_keys=KEYS, **more), lambda message: None)

    async def look() -> None:
        assert made() is None
        assert made(redis_url="redis://host") is None
        plain = made(database_url="postgresql://host/name")
        assert isinstance(plain, PostgresBridge)
        assert parameters(plain.url) == {"host": "host", "dbname": "name"}
        other = made(database_url="postgresql://host/name", redis_url="redis://host")
        assert isinstance(other, RedisBridge)
        assert plain.channel == other.channel

    asyncio.run(look())
