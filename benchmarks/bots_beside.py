"""Measure how long people wait while bots play beside them: `nice python -m benchmarks.bots_beside`.

The same site is measured in turns: without the process that plays its bots, with it, and beside a program
that only counts, as often as bots think and with their priority.  So what else the machine does falls on all
alike, and what bots cost beyond a busy core can be told.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.rounds import processor_seconds
from benchmarks.waiting import Wait, moves, wait_of
from strifebarge.bots.player.worker import NICENESS
from strifebarge.services import Services
from tests.support.bots import BotsAlone, services_of
from tests.support.servers import Site, wait_for
from tests.support.visitor import Remote

TOURNAMENTS = 5  # of bots alone: the only games in which no person is waited for
BOTS = 8  # in each of them
GAMES = TOURNAMENTS * BOTS // 2
ROUNDS = 10
TIMES = 160  # moves of people in each round
COUNTING = f"""
import os, time
os.nice({NICENESS})
while True:
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    time.sleep(0.15)
"""
WARM = 10  # moves of bots in each round until people are measured
SITE: dict[str, Any] = {
    "WORKERS": "2",
    "LIMIT_CREATE": "9999",
    "LIMIT_CODES": "9999",
    "BOTS": "apart",
    "TICK": "1",
}


def main() -> None:
    with Site(**SITE) as site, services_of(site) as services:
        for _ in range(TOURNAMENTS):
            begin_a_tournament(site)
        without, beside, counting = list[float](), list[float](), list[float]()
        total = used = 0.0
        for _ in range(ROUNDS):
            without += moves(site, TIMES)
            with BotsAlone(**{**SITE, "DATA": str(site.data)}) as bots:
                began = moves_of_bots(services)
                wait_for(lambda: moves_of_bots(services) > began + WARM, 120, "moves of bots")  # noqa: B023
                before, used_before = moves_of_bots(services), processor_seconds(bots)
                beside += moves(site, TIMES)
                used += processor_seconds(bots) - used_before
                total += moves_of_bots(services) - before
            with a_busy_core():
                counting += moves(site, TIMES)
        tell(wait_of("A move of people, without bots", without))
        tell(wait_of(f"The same beside {GAMES} games of bots", beside))
        tell(wait_of("The same beside a program that only counts", counting))
        print(f"Bots made {total:.0f} moves meanwhile, in {1000 * used / max(1, total):.0f} ms of processor.")


def begin_a_tournament(site: Site) -> None:
    """Begin a round robin of StrifeBarge in which medium bots alone play."""
    host, new = Remote(site.port), "/tournaments/new/strifebarge"
    answer = host.submit(host.get(new), new, name="Cup", pace="days-3", format="round-robin")
    path = answer.headers["Location"].replace(site.url, "")
    for form, fields in (("/bots", {"level": "medium", "count": str(BOTS)}), ("/start", {})):
        answer = host.submit(host.get(path), form, None, **fields)
        if answer.status != 303:
            raise RuntimeError(f"{path}{form} answers {answer.status}")


@contextmanager
def a_busy_core() -> Iterator[None]:
    """Let a program count while this block runs: a tenth of a second at a time, as a bot thinks."""
    with subprocess.Popen([sys.executable, "-c", COUNTING]) as program:  # noqa: S603 - our own
        try:
            yield
        finally:
            program.kill()


def moves_of_bots(services: Services) -> int:
    """Return how many moves have been made in the games of bots so far."""
    tables = [services.referee.store.table(code) for code in services.referee.store.running()]
    return sum(table.position.number for table in tables if table.with_bots)


def tell(wait: Wait) -> None:
    parts = (wait.half, wait.most, wait.nearly_all)
    print(wait.what, *(f"{1000 * part:.1f} ms" for part in parts), "(median, 95 %, 99 %)")


if __name__ == "__main__":
    main()
