"""Measure what games that misbehave cost the tables beside them: `python -m benchmarks.unruly`.

Two people play StrifeBarge, one move after the other, while at other tables one game after the other goes
wrong.  Writes its table into benchmarks/RESULTS.md.  Takes some minutes.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from statistics import quantiles
from time import perf_counter, sleep
from typing import NamedTuple

from benchmarks.load import Client
from benchmarks.playing import fire, new_game
from benchmarks.results import UNRULY, replace_part
from benchmarks.waiting import to_move
from tests.servers.conftest import GENEROUS
from tests.servers.test_unruly_games import GAMES, Table
from tests.support.servers import Site
from tests.support.visitor import Unanswered

SECONDS = 30  # of moves, beside each
REST = 0.5  # seconds between two games that go wrong
# What goes wrong, in the words of the game for tests; None: nothing.
WAYS = {
    None: "nothing",
    "loop": "an endless loop",
    "refuse_loops": "an endless loop in a page",
    "memory_list": "all the memory there is",
    "recursion": "endless recursion",
    "base": "an exception that ends programs",
    "template_raises": "a template that fails",
    "loop_in_c": "an endless loop in C, for which a worker has to end",
}


class Beside(NamedTuple):
    """How long moves took beside something, in seconds, and how often it went wrong meanwhile."""

    what: str
    half: float
    nearly_all: float
    longest: float
    times: int


def main() -> None:
    results = []
    for way, what in WAYS.items():
        with Site(**GENEROUS, GAMES=GAMES) as site, going_wrong(site, way) as times:
            took = moves_beside(site)
            parts = quantiles(took, n=100, method="inclusive")
            results.append(Beside(what, parts[49], parts[98], max(took), len(times)))
            print(results[-1], flush=True)
    replace_part(UNRULY, tell_unruly(results))


@contextmanager
def going_wrong(site: Site, way: str | None) -> Iterator[list[float]]:
    """Let one game after the other go wrong; yields the times at which they began to."""
    enough, times = threading.Event(), list[float]()

    def go() -> None:
        while not enough.is_set():
            with suppress(Unanswered):
                table = Table(site)
                times.append(perf_counter())
                table.move(f"do {way}")
                for player in table.players:
                    player.get(table.path)
            enough.wait(REST)

    thread = threading.Thread(target=go)
    if way:
        thread.start()
    try:
        yield times
    finally:
        enough.set()
        if way:
            thread.join()


def moves_beside(site: Site) -> list[float]:
    """Return the seconds from the press on a shot until the next page is there, however often it is asked."""
    took: list[float] = []
    ends = perf_counter() + SECONDS
    while perf_counter() < ends:
        table, people = new_game(site, sea="open")
        for turn in range(40):
            began = perf_counter()
            patiently_fire(table, people, turn * 7)
            took.append(perf_counter() - began)
    return took


def patiently_fire(table: str, people: list[Client], choice: int) -> None:
    """Read whose turn it is, and move; again where the worker has ended meanwhile."""
    while True:
        try:
            fire(table, *to_move(table, people), choice)
            return
        except (OSError, EOFError, RuntimeError, ValueError):
            for person in people:
                person.connection.close()
            sleep(0.02)


def tell_unruly(results: list[Beside]) -> Iterator[str]:
    """Yield the lines of the table."""
    yield "Made by `python -m benchmarks.unruly`: two players read their pages and move, one move after"
    yield f"the other for {SECONDS} seconds, while at other tables games go wrong, {REST:g} seconds after"
    yield "each other, at a site of two workers on the same cores. A game has two seconds of processor;"
    yield "a worker that a loop in C holds is ended after three and a half."
    yield ""
    yield "| beside | how often | a move: half | 99 of 100 | the longest |"
    yield "|---|---|---|---|---|"
    for each in results:
        waits = " | ".join(f"{1000 * wait:.1f} ms" for wait in (each.half, each.nearly_all, each.longest))
        yield f"| {each.what} | {each.times} | {waits} |"


if __name__ == "__main__":
    main()
