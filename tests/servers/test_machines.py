"""Several machines are one site: on a PostgreSQL with a standby, by a pooler, and with Redis between them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from strifebarge.settings import read
from strifebarge.store.engine import engine_for, reading, writing
from tests.conftest import need
from tests.servers.books import Books
from tests.servers.conftest import GENEROUS
from tests.servers.ledger import Ledger
from tests.servers.test_killed import kill_some, must_agree, play_while_killed, retried
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
        if others and chance.random() < 0.3:
            chance.choice(others)()
        else:
            kill_some(chance.choice(sites), chance, alone=0.43)

    return kill


def restarted(server: Redis | Bouncer) -> Callable[[], None]:
    """Return what kills a server and starts it again at the same address."""

    def restart() -> None:
        server.kill()
        server.start()

    return restart


class Pair:
    """A primary and its synchronous standby, which takes its place when it dies and gets one of its own."""

    def __init__(self) -> None:
        self.left = ExitStack()  # the servers to be closed
        self.primary = self.left.enter_context(need(lambda: Postgres(durable=True)))
        self.standby = self.left.enter_context(Standby(self.primary))
        self.hosts = ",".join(f"{LOOPBACK}:{each.port}" for each in (self.primary, self.standby))

    def fail_over(self) -> None:
        """Kill the primary, promote the standby, and let a new one follow at the primary's address."""
        dead, self.primary = self.primary, self.standby
        dead.kill()
        self.primary.run("ALTER SYSTEM RESET synchronous_standby_names")  # which came with the copy
        self.primary.promote()
        self.standby = Standby(self.primary)
        self.standby.port = dead.port
        self.left.enter_context(self.standby)

    def __enter__(self) -> "Pair":
        return self

    def __exit__(self, *_: object) -> None:
        self.left.close()


def played_with_a_standby(folder: Path, moves: int, kills: int, every: int) -> Ledger:
    """Play at two machines while they, workers, hubs and Redis are killed, and now and then the primary.

    All that was accepted must be in the last primary then.
    """
    with Pair() as pair, need(Redis) as redis:
        name = pair.primary.create()
        url = f"postgresql://postgres@{pair.hosts}/{name}"
        with machines(2, DATABASE_URL=url, REDIS_URL=redis.url) as sites:
            kill_any = kill_one(sites, [restarted(redis)])
            numbers = count(1)

            def kill(chance: Random) -> None:
                if next(numbers) % every:
                    kill_any(chance)
                else:
                    pair.fail_over()

            ledger = play_while_killed(sites, folder, moves, kills, kill)
        with Books(pair.primary.url(name)) as books:
            must_agree(ledger, books)
    return ledger


@pytest.mark.timeout(900)
def test_a_standby_takes_the_place_of_a_primary_that_dies_under_load(tmp_path: Path) -> None:
    ledger = played_with_a_standby(tmp_path, moves=300, kills=9, every=4)
    assert retried(ledger), "no kill ever hit a move on its way: the test has no teeth"
    assert not ledger.faults, ledger.faults[0].text


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_twenty_thousand_moves_survive_kills_of_machines_redis_and_primaries(tmp_path: Path) -> None:
    played_with_a_standby(tmp_path, moves=20_000, kills=300, every=20)


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
