"""`python -m benchmarks.machines`: turns a second of two machines against one; writes a part of RESULTS.md.

Each machine is a site of its own, all of whose processes together have the same small share of a processor (a
control group of Linux, so this needs root).  PostgreSQL, Redis and the players have the rest.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

import psycopg

from benchmarks.load import Client, rate
from benchmarks.playing import new_game, playing
from benchmarks.results import MACHINES, replace_part
from benchmarks.rounds import Figure, process_seconds, processor_seconds
from strifebarge.store.db.address import parameters
from tests.support.servers import Postgres, Redis, Site, children

SHARE = 0.25  # of a processor, for each machine
PERIOD = 100_000  # microseconds in which the share is counted
ROUNDS, WARM_UP = 5, 1
IDLE = 10  # seconds in which nobody plays, to know what goes on then
GAMES, EACH = 12, 4  # played at once by each machine, and turns of each in a round
SETTINGS = {
    **dict.fromkeys(("LIMIT_CREATE", "LIMIT_CODES"), "9999"),
    "SECRET_KEYS": "the same key on all machines",
    "WORKERS": "2",
}


class Share:
    """A control group whose processes together have a share of a processor: of version 1 or 2."""

    def __init__(self, name: str, share: float):
        root = Path("/sys/fs/cgroup")
        old = (root / "cpu").is_dir()
        self.folder = (root / "cpu" if old else root) / name
        self.folder.mkdir()
        quota = int(share * PERIOD)
        limits = (
            {"cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": quota}
            if old
            else {"cpu.max": f"{quota} {PERIOD}"}
        )
        for file, value in limits.items():
            (self.folder / file).write_text(str(value))

    def close(self) -> None:
        """Take the group away, once its processes have ended."""
        self.folder.rmdir()


class Machine(Site):
    """A site whose processes are in a group from their start on."""

    def __init__(self, share: Share, **settings: str):
        self.share = share
        super().__init__(**settings)

    def command(self) -> Sequence[str]:
        joins = f'echo $$ > {self.share.folder}/cgroup.procs && exec "$@"'
        return ["sh", "-c", joins, "sh", *super().command()]


class Rig(NamedTuple):
    """Machines on one database and one Redis."""

    postgres: Postgres
    name: str  # of the database
    sites: list[Machine]


@contextmanager
def rig(number: int) -> Iterator[Rig]:
    """Run machines."""
    with Postgres(durable=True) as postgres, Redis() as redis, ExitStack() as stack:
        name = postgres.create()
        shared = {"DATABASE_URL": postgres.url(name), "REDIS_URL": redis.url, **SETTINGS}
        figures = []
        for each in range(number):
            share = Share(f"strifebarge-benchmark-{os.getpid()}-{each}", SHARE)
            stack.callback(share.close)
            figures.append(stack.enter_context(Machine(share, **shared)))
        yield Rig(postgres, name, figures)


def turns_a_second(sites: Sequence[Machine]) -> float:
    """Return how many turns GAMES games at each machine make a second, all at once."""
    games = [new_game(site, sea="open") for site in sites for _ in range(GAMES)]
    return EACH * rate(len(games), 1, lambda nth: lambda: _must_play(*games[nth]))


def _must_play(table: str, people: list[Client]) -> None:
    if playing(table, people, EACH) < EACH:
        raise RuntimeError("a game ended before its time")


SPENT = """
SELECT pg_current_wal_lsn() - '0/0'::pg_lsn, pg_total_relation_size('moves'),
    pg_database_size(current_database()), (SELECT count(*) FROM moves)
"""


class Spent(NamedTuple):
    """Totals of what has been spent so far."""

    of_sites: float  # seconds of processor
    of_postgres: float
    log: float  # bytes of PostgreSQL's write-ahead log
    moves: float  # bytes that moves take in the database, with their indexes
    tables: float  # and all else
    turns: float  # which are in the database
    at: float  # seconds on the clock

    @classmethod
    def by(cls, rig: Rig) -> "Spent":
        """Look what a rig has spent."""
        with psycopg.connect(**parameters(rig.postgres.url(rig.name))) as connection:  # type: ignore[arg-type]
            spent = connection.execute(SPENT).fetchone() or (0, 0, 0, 0)
            log, moves, whole, turns = map(float, spent)
        backends = sum(map(process_seconds, children(rig.postgres.pid)))
        return cls(
            sum(map(processor_seconds, rig.sites)), backends, log, moves, whole - moves, turns, perf_counter()
        )

    def since(self, before: "Spent") -> "Spent":
        """Return what was spent since then."""
        return Spent(*[now - then for now, then in zip(self, before, strict=True)])

    def for_each(self, number: float) -> "Spent":
        """Return what was spent for each of a number of turns or seconds."""
        return Spent(*[each / number for each in self])


def main() -> None:
    """Measure in rounds, one machine and then both."""
    one, two = [], []
    with rig(2) as used:
        began = Spent.by(used)
        sleep(IDLE)
        idle = Spent.by(used).since(began).for_each(IDLE)
        for number in range(WARM_UP + ROUNDS):
            if number == WARM_UP:
                before = Spent.by(used)
            rounds = turns_a_second(used.sites[:1]), turns_a_second(used.sites)
            if number >= WARM_UP:
                one.append(rounds[0])
                two.append(rounds[1])
        spent = Spent.by(used).since(before)
    ratio = Figure.of([both / single for single, both in zip(one, two, strict=True)])
    print(replace_part(MACHINES, _lines(Figure.of(one), Figure.of(two), ratio, spent, idle)))


def _lines(one: Figure, two: Figure, ratio: Figure, spent: Spent, idle: Spent) -> Iterator[str]:
    yield f"Made by `python -m benchmarks.machines`: each machine has {SHARE:.0%} of a processor;"
    yield f"PostgreSQL, Redis and the players have the rest. {GAMES} games at once on each, by forms."
    yield from ("", "| machines | turns a second | ratio |", "|---|---|---|")
    yield f"| 1 | {one} | 1.00 |"
    yield f"| 2 | {two} | {ratio} |"
    yield ""
    each = spent.for_each(spent.turns)
    site = (spent.of_sites - idle.of_sites * spent.at) / spent.turns
    postgres = (spent.of_postgres - idle.of_postgres * spent.at) / spent.turns
    yield f"A turn, with its share of beginning a game of {EACH} turns, took {1000 * site:.1f} ms of the"
    log = f"{each.log / 1000:.1f} KB of its log"
    yield f"machines' processors, {1000 * postgres:.1f} ms of PostgreSQL's, and {log}."
    yield f"While nobody plays the machines take {idle.of_sites:.1%} of a processor, and PostgreSQL"
    yield f"{idle.of_postgres:.1%}."
    yield f"In the database a move takes {each.moves:.0f} bytes, and a game with its people"
    yield f"{EACH * each.tables / 1000:.1f} KB besides."


if __name__ == "__main__":
    main()
