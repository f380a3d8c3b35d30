"""`python -m benchmarks.scaling`: how many machines a crowd needs, and what breaks first; by a model.

What cannot be measured on one small machine is reckoned from what was (`Costs`, from RESULTS.md), and the
waits are simulated: machines that judge moves and make pages, and one PostgreSQL that keeps them, many of
them in one flush of its disk and its standby's.  Prints the tables of docs/scaling.md.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import ceil
from random import Random
from typing import NamedTuple


class Costs(NamedTuple):
    """Costs on the machine that RESULTS.md was made on."""

    turn: float = 0.028  # seconds of a site's processor: a move, both players' pages, a share of a start
    post: float = 0.0065  # of these, the move itself
    page: float = 0.0015  # a page that is kept already
    database: float = 0.0102  # seconds of PostgreSQL's processor for a turn
    log: float = 6_100  # bytes of PostgreSQL's write-ahead log for a turn
    row: float = 355  # bytes that a move takes in the database, with its index
    stream: float = 1_100  # bytes of a hub's memory for each stream


class Crowd(NamedTuple):
    """People who are there at once, and what they do."""

    people: int  # at once
    tables: int  # open, most of them for days
    playing: float = 0.6  # of the people; the others look round
    thinks: float = 30.0  # seconds between two moves of a person who plays
    reads: float = 15.0  # seconds between two pages of a person who looks round
    days: float = 1.0  # between two moves at a table of the slow kind

    @property
    def turns(self) -> float:
        """Moves a second."""
        return self.people * self.playing / self.thinks + self.tables / (self.days * 86_400)

    @property
    def pages(self) -> float:
        """Pages a second, besides those of moves."""
        return self.people * (1 - self.playing) / self.reads


class Kit(NamedTuple):
    """The machines that can be had: their cores, and what they cost."""

    cores: int = 8
    euros: float = 65.0  # a month for such a machine, of dedicated cores (2026, mid-priced)
    database_cores: int = 32
    database_euros: float = 400.0  # a month, with NVMe disks
    busy: float = 0.6  # of the processors may be in use in the busiest hour
    flush: float = 0.0015  # seconds until a commit is on both disks, primary's and standby's


class Plan(NamedTuple):
    """The machines for a crowd."""

    sites: int
    databases: int
    used: float  # of one primary's cores
    log: float  # bytes a second
    year: float  # bytes a year of moves
    hub: float  # bytes of each hub's memory
    euros: float  # a month


def plan(crowd: Crowd, costs: Costs, kit: Kit) -> Plan:
    """Return the machines that a crowd needs, with one to spare, a primary and two standbys."""
    cores = (crowd.turns * costs.turn + crowd.pages * costs.page) / kit.busy
    sites = ceil(cores / kit.cores) + 1
    used = crowd.turns * costs.database / kit.database_cores
    return Plan(
        sites,
        3,
        used,
        crowd.turns * costs.log,
        crowd.turns * costs.row * 86_400 * 365 * 0.5,  # the busiest hour has twice the average
        crowd.people * costs.stream / sites,
        sites * kit.euros + 3 * kit.database_euros + 2 * kit.euros,  # two more for Redis and balancing
    )


class Disk:
    """A disk that takes `flush` seconds to keep all commits that wait for it, one flush after the other."""

    def __init__(self, flush: float):
        self.flush = flush
        self.ends = 0.0  # of the flush that runs
        self.follows = False  # whether commits wait for another

    def kept(self, at: float) -> float:
        """Return when a commit is kept that comes at this time, later than the one before."""
        if self.follows and at >= self.ends:
            self.ends, self.follows = self.ends + self.flush, False
        if at >= self.ends:
            self.ends = at + self.flush
            return self.ends
        self.follows = True
        return self.ends + self.flush


def simulated_waits(
    crowd: Crowd, costs: Costs, kit: Kit, sites: int, moves: int = 40_000
) -> tuple[float, float]:
    """Return the seconds that half of the moves, and 99 of 100, take until they are kept, by a simulation.

    A move is judged by a core of a machine, which makes pages too, and written by one of the database's.
    """
    chance = Random(2026)
    pages = (crowd.turns * (costs.turn - costs.post) + crowd.pages * costs.page) / (sites * kit.cores)
    judging = costs.post / max(1 - pages, 0.01)  # by a core that makes pages as well
    cores, writers, disk = [0.0] * (sites * kit.cores), [0.0] * kit.database_cores, Disk(kit.flush)
    now, written = 0.0, []
    for _ in range(moves):
        now += chance.expovariate(crowd.turns)
        judged = max(now, heappop(cores)) + chance.gammavariate(4, judging / 4)
        heappush(cores, judged)
        done = max(judged, heappop(writers)) + chance.gammavariate(4, costs.database / 4)
        heappush(writers, done)
        written.append((done, now))
    delays = sorted(disk.kept(done) - came for done, came in sorted(written))
    return delays[len(delays) // 2], delays[len(delays) * 99 // 100]


def machines_needed(costs: Costs, kit: Kit) -> Iterator[str]:
    """Yield the table of crowds with the machines that they need."""
    yield (
        "| people at once | open tables | moves a second | pages a second | machines | of one primary "
        "| log | a year | each hub | a month |"
    )
    yield "|---" * 10 + "|"
    for crowd in CROWDS:
        plans = plan(crowd, costs, kit)
        yield (
            f"| {crowd.people:,} | {crowd.tables:,} | {crowd.turns:,.0f} | {crowd.pages:,.0f} | "
            f"{plans.sites} | {plans.used:.0%} | {plans.log / 1e6:.1f} MB/s | {plans.year / 1e12:.2f} TB | "
            f"{plans.hub / 1e6:.0f} MB | €{plans.euros:,.0f} |"
        )


def waits_of(costs: Costs, kit: Kit) -> Iterator[str]:
    """Yield the table of how long moves take, with more machines and with fewer."""
    yield "| people at once | machines | half of the moves | 99 of 100 |"
    yield "|---" * 4 + "|"
    for crowd in CROWDS[2:]:
        needed = plan(crowd, costs, kit).sites
        for sites in (ceil(needed * 0.5), ceil(needed * 0.6), needed, 2 * needed):
            half, most = simulated_waits(crowd, costs, kit, sites)
            yield f"| {crowd.people:,} | {sites} | {_ms(half)} | {_ms(most)} |"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.0f} ms" if seconds < 5 else "without end"


CROWDS = [
    Crowd(1_000, 10_000),
    Crowd(10_000, 100_000),
    Crowd(100_000, 1_000_000),
    Crowd(1_000_000, 10_000_000),
]


def lines() -> Iterator[str]:
    """Yield the tables of docs/scaling.md."""
    yield from machines_needed(Costs(), Kit())
    yield ""
    yield from waits_of(Costs(), Kit())


if __name__ == "__main__":
    print("\n".join(lines()))
