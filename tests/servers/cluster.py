"""Two machines on a database with a standby, by a pooler, with Redis between them; each of these may be lost.

Each machine is a network namespace, so that its cable may be cut too.  A loss is a context: in it all else
goes on alone, and after it all is as before.
"""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from random import Random
from time import monotonic
from typing import Self

from tests.conftest import need
from tests.servers.conftest import GENEROUS
from tests.servers.ledger import Ledger, Player
from tests.servers.test_killed import TABLES, Balanced
from tests.support.networks import Network
from tests.support.servers import LOOPBACK, Bouncer, Postgres, Redis, Site, Standby, wait_for
from tests.support.streams import listening
from tests.support.visitor import Remote, Unanswered

KEYS = {"SECRET_KEYS": "the same key on all machines", **GENEROUS}
SOON = 5.0  # seconds until somebody who looks gives up
PROMISED = 5.0  # seconds after which everybody's page is right again, if the machine does nothing else
PROMOTED = 10.0  # the same where a standby is promoted
BOUND = 90.0  # seconds after which it must be, however much else these have to do

Loss = Callable[[Random], AbstractContextManager[Sequence[Site]]]


class Pair:
    """A primary and its synchronous standby, which takes its place when it dies and gets one of its own."""

    def __init__(self, address: str = LOOPBACK) -> None:
        self.left = ExitStack()  # the servers to be closed
        self.primary = self.left.enter_context(need(lambda: Postgres(durable=True, address=address)))
        self.standby = self.left.enter_context(Standby(self.primary))
        self.hosts = ",".join(f"{address}:{each.port}" for each in (self.primary, self.standby))

    def fail_over(self) -> Postgres:
        """Kill the primary and promote the standby; return the dead one."""
        dead, self.primary = self.primary, self.standby
        dead.kill()
        self.primary.run("ALTER SYSTEM RESET synchronous_standby_names")  # which came with the copy
        self.primary.promote()
        return dead

    def follow(self, dead: Postgres) -> None:
        """Let a new standby follow the primary, at the address of a dead one."""
        self.standby = Standby(self.primary)
        self.standby.port = dead.port
        self.left.enter_context(self.standby)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.left.close()


class Cluster:
    """The whole of it, from entering the `with` until leaving it; `recoveries` says how long each took."""

    def __init__(self, pooled: bool, **settings: str):
        self.pooled, self.settings = pooled, settings
        self.left = ExitStack()
        self.sites: list[Site] = []
        self.recoveries: list[tuple[str, float]] = []  # from what, and seconds

    def __enter__(self) -> Self:
        with ExitStack() as sites:
            network = need(Network(2).__enter__)
            sites.callback(network.close)
            self.pair = sites.enter_context(Pair(network.here))
            self.redis = sites.enter_context(need(lambda: Redis(network.here)))
            self.bouncer = sites.enter_context(need(lambda: Bouncer(self.pair.primary)))
            self.database = self.pair.primary.create()
            for machine in network.machines:
                self.sites.append(sites.enter_context(Site(machine=machine, **self.shared())))
            self.left = sites.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.left.close()

    def shared(self) -> dict[str, str]:
        """The settings of all machines."""
        direct = f"postgresql://postgres@{self.pair.hosts}/{self.database}"
        pooled = {"DATABASE_URL": self.bouncer.url(self.database), "DATABASE_DIRECT": direct}
        database = pooled if self.pooled else {"DATABASE_URL": direct}
        return {**KEYS, "REDIS_URL": self.redis.url, **database, **self.settings}

    @property
    def books(self) -> str:
        """The address of the database as it is now."""
        return self.pair.primary.url(self.database)

    # -- what may be lost --------------------------------------------------------------

    def losses(self) -> dict[str, Loss]:
        """What may be lost, each by its name."""
        losses = {
            "a machine": self.without_a_machine,
            "a worker": self.without(lambda site: site.workers()),
            "a hub": self.without(lambda site: [site.hub]),
            "Redis": self.without_redis,
            "the primary": self.without_the_primary,
            "a cable": self.without_a_cable,
        }
        if self.pooled:
            losses["the pooler"] = self.without_the_pooler
        if self.settings.get("BOTS") == "on":
            losses["the bots"] = self.without(lambda site: [site.bots])
        return losses

    @contextmanager
    def without_a_machine(self, chance: Random) -> Iterator[Sequence[Site]]:
        lost = chance.choice(self.sites)
        lost.kill()
        yield self.but(lost)
        lost.start()

    @contextmanager
    def without_a_cable(self, chance: Random) -> Iterator[Sequence[Site]]:
        lost = chance.choice(self.sites)
        assert lost.machine
        lost.machine.cut()
        try:
            yield self.but(lost)
        finally:
            lost.machine.mend()  # else players would wait for it after a test has failed

    @contextmanager
    def without_redis(self, chance: Random) -> Iterator[Sequence[Site]]:
        self.redis.kill()
        yield self.sites
        self.redis.start()

    @contextmanager
    def without_the_primary(self, chance: Random) -> Iterator[Sequence[Site]]:
        """The standby is promoted, and the pooler led to it."""
        dead = self.pair.fail_over()
        if self.pooled:
            self.bouncer.postgres = self.pair.primary
            self.without_the_pooler(chance)
        yield self.sites
        self.pair.follow(dead)

    def without_the_pooler(self, chance: Random) -> AbstractContextManager[Sequence[Site]]:
        """Nothing goes on without one, so what watches over it starts it at once."""
        self.bouncer.kill()
        self.bouncer.start()
        return nullcontext(self.sites)

    def without(self, processes: Callable[[Site], list[int]]) -> Loss:
        """Return what kills one of these processes of a machine, which starts another by itself."""

        def kill(chance: Random) -> AbstractContextManager[Sequence[Site]]:
            victims = processes(chance.choice(self.sites))
            with suppress(ProcessLookupError):
                if any(victims):
                    os.kill(chance.choice(victims), signal.SIGKILL)
            return nullcontext(self.sites)

        return kill

    def but(self, lost: Site) -> list[Site]:
        return [site for site in self.sites if site is not lost]

    # -- until all is right again ------------------------------------------------------

    def lose(self, name: str, chance: Random, ledger: Ledger) -> None:
        """Lose something, and wait until everybody's page is right: without it, and with it again."""
        newest_moves, begun = newest(ledger), monotonic()
        with self.losses()[name](chance) as left:
            self.recover(f"without {name}", left, newest_moves, begun, chance, ledger)
        newest_moves, begun = newest(ledger), monotonic()
        self.recover(f"with {name} again", self.sites, newest_moves, begun, chance, ledger)

    def recover(
        self,
        after: str,
        sites: Sequence[Site],
        newest_moves: dict[str, int],
        begun: float,
        chance: Random,
        ledger: Ledger,
    ) -> None:
        """Wait until these machines show no page that is older than what was known, and tell of new moves."""
        wait_for(lambda: all_show(sites, newest_moves), BOUND, f"{after}, that pages are right")
        wait_for(lambda: is_current(sites, ledger, chance), BOUND, f"{after}, that pages are told of a move")
        self.recoveries.append((after, monotonic() - begun))

    def report(self) -> None:
        """Print how long recoveries took, by what was lost, and how many took longer than is promised."""
        late = 0
        for after in sorted({after for after, _ in self.recoveries}):
            took = sorted(seconds for each, seconds in self.recoveries if each == after)
            late += sum(seconds > promised(after) for seconds in took)
            print(f"{len(took):5} {after:24} {took[len(took) // 2]:5.1f} s, at most {took[-1]:5.1f} s")
        print(f"{len(self.recoveries)} recoveries, {late} of them took longer than is promised")


def promised(after: str) -> float:
    """Return the seconds within which everybody's page is right again after this loss."""
    return PROMOTED if after == "without the primary" else PROMISED


def newest(ledger: Ledger) -> dict[str, int]:
    """The tables that were begun last, with the versions that somebody has been shown."""
    return dict([*ledger.seen.items()][-len(TABLES) :])


def all_show(sites: Sequence[Site], newest_moves: dict[str, int]) -> bool:
    """Whether each machine shows each table as it was known, or later, to viewers who all look at once."""
    looks = [(site, table, version) for site in sites for table, version in newest_moves.items()]
    with ThreadPoolExecutor(max(1, len(looks))) as viewers:
        return all(viewers.map(lambda look: shows(*look), looks))


def shows(site: Site, table: str, version: int) -> bool:
    """Whether a machine shows a table as it was at a version, or later."""
    with suppress(Unanswered):
        page = Remote.of(site, SOON).get(table)
        return page.status == 200 and page.version >= version
    return False


def is_current(sites: Sequence[Site], ledger: Ledger, chance: Random) -> bool:
    """Whether a move at a new table is told at once to a page that is open on each machine.

    A page whose stream ends opens another one, so that this is tried again.
    """
    with suppress(OSError, AssertionError):
        lateness(sites, ledger, chance)
        return True
    return False


def lateness(sites: Sequence[Site], ledger: Ledger, chance: Random) -> float:
    """Let two begin a game on any of these machines, and one of them move.

    Return the seconds after which pages that are open on each of them had been told of it.
    """
    ann, ben = (Player(ledger, Balanced(sites, chance), chance) for _ in range(2))
    table = ann.start("strifebarge", {"seats": "2"})
    ben.join(table)
    with ExitStack() as streams:
        viewers = [Remote.of(site, SOON) for site in sites]
        watching = [streams.enter_context(listening(viewer, table)) for viewer in viewers]
        for each in watching:
            each.version()
        mover, seat = next((who, seat) for seat, who in enumerate((ann, ben)) if who.show(table).my_turn)
        mover.move(table, seat, mover.show(table))
        moved = monotonic()
        for each in watching:
            each.version()
        return monotonic() - moved
