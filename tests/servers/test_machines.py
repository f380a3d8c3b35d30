"""Several machines are one site: on a PostgreSQL with a standby, by a pooler, and with Redis between them."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from strifebarge.settings import read
from strifebarge.store.engine import engine_for, reading, writing
from tests.conftest import need
from tests.servers.books import Books
from tests.servers.conftest import GENEROUS
from tests.servers.test_killed import must_agree, play_while_killed, retried
from tests.support.servers import LOOPBACK, Bouncer, Postgres, Redis, Site, Standby

pytestmark = [pytest.mark.servers, pytest.mark.postgres]

KEYS = {"SECRET_KEYS": "the same key on all machines", **GENEROUS}


@contextmanager
def machines(number: int, **shared: str) -> Iterator[list[Site]]:
    """Run sites with the same settings, each with a hub and a folder of its own."""
    with ExitStack() as stack:
        yield [stack.enter_context(Site(**KEYS, **shared)) for _ in range(number)]


def kill_one(sites: list[Site], others: list[Callable[[], None]]) -> Callable[[Random], None]:
    """Return what kills a machine, a worker, a hub or one of the other servers, and starts it again."""

    def kill(chance: Random) -> None:
        site = chance.choice(sites)
        alone = [*site.workers(), *([site.hub] if site.hub else [])]
        kind = chance.random()
        if kind < 0.3 and others:
            chance.choice(others)()
        elif kind < 0.6 and alone:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(alone), signal.SIGKILL)
        else:
            site.kill()
            site.start()

    return kill


def restarted(server: Redis | Bouncer) -> Callable[[], None]:
    """Return what kills a server and starts it again at the same address."""

    def restart() -> None:
        server.kill()
        server.start()

    return restart


@contextmanager
def with_a_standby() -> Iterator[tuple[Postgres, Standby]]:
    with need(lambda: Postgres(durable=True)) as primary, Standby(primary) as standby:
        yield primary, standby


@pytest.mark.timeout(900)
def test_a_standby_takes_the_place_of_a_primary_that_dies_under_load(tmp_path: Path) -> None:
    """Before and after it machines, workers, hubs and Redis are killed."""
    with with_a_standby() as (primary, standby), need(Redis) as redis:
        name = primary.create()
        hosts = f"{LOOPBACK}:{primary.port},{LOOPBACK}:{standby.port}"
        with machines(2, DATABASE_URL=f"postgresql://postgres@{hosts}/{name}", REDIS_URL=redis.url) as sites:
            kill_any = kill_one(sites, [restarted(redis)])
            kills = iter(range(100))

            def kill(chance: Random) -> None:
                if next(kills) == 4:
                    primary.kill()
                    standby.promote()
                else:
                    kill_any(chance)

            ledger = play_while_killed(sites, tmp_path, moves=300, kills=9, kill=kill)
        with Books(standby.url(name)) as books:
            must_agree(ledger, books)
    assert retried(ledger), "no kill ever hit a move on its way: the test has no teeth"
    assert not ledger.faults, ledger.faults[0].text


@pytest.mark.timeout(900)
def test_two_machines_play_through_a_pooler_that_is_killed(tmp_path: Path, postgres: Postgres) -> None:
    name = postgres.create()
    with need(lambda: Bouncer(postgres)) as bouncer:
        addresses = {"DATABASE_URL": bouncer.url(name), "DATABASE_DIRECT": postgres.url(name)}
        with machines(2, **addresses) as sites:
            kill = kill_one(sites, [restarted(bouncer)])
            ledger = play_while_killed(sites, tmp_path, moves=200, kills=6, kill=kill)
    with Books(postgres.url(name)) as books:
        must_agree(ledger, books)
    postgres.drop(name)
    assert not ledger.faults, ledger.faults[0].text


def test_nothing_is_set_for_the_next_user_of_a_pooled_connection(tmp_path: Path, postgres: Postgres) -> None:
    name = postgres.create()
    ask = text("SELECT current_setting('statement_timeout'), current_setting('transaction_read_only')")
    with need(lambda: Bouncer(postgres)) as bouncer:
        bouncer.connections = 1  # so that each transaction has the connection of the one before
        bouncer.stop()
        bouncer.start()
        settings = read(
            {
                "STRIFEBARGE_DATA": str(tmp_path),
                "STRIFEBARGE_DATABASE_URL": bouncer.url(name),
                "STRIFEBARGE_DATABASE_DIRECT": postgres.url(name),
            }
        )
        pooled = engine_for(settings.database_url, 2)
        with writing(pooled) as connection:
            connection.execute(text("CREATE TABLE written (here int)"))
            assert [*connection.execute(ask)] == [("5s", "off")]
        for _ in range(7):  # more often than the driver waits until it prepares a statement
            with reading(pooled) as connection:
                assert [*connection.execute(ask)] == [("0", "on")]
        with pytest.raises(Exception, match="read-only"), reading(pooled) as connection:
            connection.execute(text("INSERT INTO written VALUES (1)"))
        with writing(pooled) as connection:
            assert [*connection.execute(ask)] == [("5s", "off")]
            assert [*connection.execute(text("SELECT * FROM written"))] == []
        pooled.dispose()
    postgres.drop(name)
