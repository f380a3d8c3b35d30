"""Several machines are one site: on a PostgreSQL with a standby, by a pooler, and with Redis between them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from random import Random
from time import monotonic

import pytest
from sqlalchemy import Connection, Engine, text

from strifebarge.lib.busy import Busy
from strifebarge.settings import read
from strifebarge.store.db import engine as store
from strifebarge.store.db.engine import engine_for, reading, writing
from tests.conftest import need
from tests.servers.books import Books
from tests.servers.cluster import Cluster, lateness
from tests.servers.ledger import Ledger
from tests.servers.test_killed import moves_of_bots, must_agree, play_while_killed, retried
from tests.support.servers import Bouncer, Postgres

pytestmark = [pytest.mark.servers, pytest.mark.postgres]

Using = AbstractContextManager[Connection]

MANY_BOTS = {"BOTS_PER_PERSON": "9999", "BOTS_PER_SITE": "9999", "LIMIT_BOTS": "9999"}
LATE = 5.0  # seconds that viewers may be late while there is no Redis
FEW = 4  # moves that are made without it at least


def played_while_things_are_lost(
    folder: Path, pooled: bool, moves: int, losses: int, **settings: str
) -> Ledger:
    """Play at two machines while whatever they need is lost, one thing after another, in an order of chance.

    All that was accepted must be in the last primary then, once.
    """
    with Cluster(pooled, **settings) as cluster:
        ledger = Ledger(folder / "ledger.jsonl")
        order = shuffled(cluster.losses(), Random(3))

        def lose(chance: Random) -> None:
            cluster.lose(next(order), chance, ledger)

        with_bots = settings.get("BOTS") == "on"
        try:
            play_while_killed(cluster.sites, ledger, moves, losses, lose, with_bots)
        finally:
            cluster.report()
        with Books(cluster.books) as books:
            must_agree(ledger, books)
            assert not with_bots or moves_of_bots(ledger, books)
    return ledger


def shuffled(names: Iterable[str], chance: Random) -> Iterator[str]:
    """Yield names without end: each once in every round."""
    names_in_order = [*names]
    while True:
        yield from chance.sample(names_in_order, len(names_in_order))


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("pooled", "settings", "losses"),
    [(False, {}, 6), (True, {}, 7), (True, {"BOTS": "on", **MANY_BOTS}, 16)],
    ids=["direct", "pooled", "pooled with bots"],
)
def test_everybodys_page_is_right_again_whatever_is_lost_under_load(
    tmp_path: Path, pooled: bool, settings: dict[str, str], losses: int
) -> None:
    """Each thing is lost once, and with bots twice, so that games of theirs have come to an end."""
    ledger = played_while_things_are_lost(tmp_path, pooled, 300, losses, **settings)
    assert retried(ledger), "no loss ever hit a move on its way: the test has no teeth"
    assert not ledger.faults, ledger.faults[0].text


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
@pytest.mark.parametrize(("moves", "losses"), [(20_000, 300)])
def test_twenty_thousand_moves_survive_losses_of_all_there_is(
    tmp_path: Path, moves: int, losses: int
) -> None:
    """Bots play too; of all that is lost they, hubs, Redis and the primary each are the eighth part."""
    ledger = played_while_things_are_lost(tmp_path, True, moves, losses, BOTS="on", **MANY_BOTS)
    assert not ledger.faults, ledger.faults[0].text


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seconds", [5, pytest.param(60, marks=pytest.mark.slow)])
def test_without_redis_moves_go_on_and_viewers_are_told_a_little_later(tmp_path: Path, seconds: int) -> None:
    chance = Random(11)
    with Cluster(pooled=False) as cluster, closing(Ledger(tmp_path / "ledger.jsonl")) as ledger:
        lateness(cluster.sites, ledger, chance)
        late: list[float] = []
        with cluster.without_redis(chance) as sites:
            end = monotonic() + seconds
            while monotonic() < end or len(late) < FEW:
                late.append(lateness(sites, ledger, chance))
        lateness(cluster.sites, ledger, chance)
        print(f"{len(late)} moves without Redis, told at the latest after {max(late):.1f} s")
        assert sorted(late)[len(late) // 2] < LATE
        with Books(cluster.books) as books:
            must_agree(ledger, books)


@contextmanager
def through_one_connection(folder: Path, postgres: Postgres) -> Iterator[str]:
    """Yield the address of a new database by a pooler, which has but one connection to it."""
    name = postgres.create()
    with need(lambda: Bouncer(postgres)) as bouncer:
        bouncer.connections = 1
        bouncer.stop()
        bouncer.start()
        yield read(
            {
                "STRIFEBARGE_DATA": str(folder),
                "STRIFEBARGE_DATABASE_URL": bouncer.url(name),
                "STRIFEBARGE_DATABASE_DIRECT": postgres.url(name),
            }
        ).database_url
    postgres.drop(name)


@pytest.mark.parametrize("use", [reading, writing])
def test_a_machine_that_falls_silent_in_a_transaction_keeps_no_connection_of_the_pooler(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, use: Callable[[Engine], Using]
) -> None:
    monkeypatch.setattr(store, "MOST_SILENT", 0.2)
    with through_one_connection(tmp_path, postgres) as url:
        silent, other = engine_for(url, 2), engine_for(url, 2)
        heard: list[object] = []

        def fall_silent() -> None:
            with use(silent) as connection:
                assert [*connection.execute(text("SELECT 1"))] == [(1,)]
                with reading(other) as next_one:
                    heard.extend(next_one.execute(text("SELECT 2")))
                connection.execute(text("SELECT 1"))

        with pytest.raises(Busy):
            fall_silent()
        assert heard == [(2,)]
        with use(silent) as connection:
            assert [*connection.execute(text("SELECT 3"))] == [(3,)]
        silent.dispose()
        other.dispose()


def test_nothing_is_set_for_the_next_user_of_a_pooled_connection(tmp_path: Path, postgres: Postgres) -> None:
    ask = text("SELECT current_setting('statement_timeout'), current_setting('transaction_read_only')")
    with through_one_connection(tmp_path, postgres) as url:  # each transaction has that of the one before
        pooled = engine_for(url, 2)
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
