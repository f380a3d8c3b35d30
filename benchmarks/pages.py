"""`python -m benchmarks.pages [PAGE ...]`: what pages cost the site in CPU, in one process, on SQLite.

Milliseconds of processor time for each request, against those of a page that says hello.  Medians of rounds
in which all take turns, for the machine may be busy.
"""

import statistics
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

from benchmarks.hello import app as hello
from benchmarks.profile_requests import Players
from benchmarks.trace_move import must_be_accepted, site_in_this_process
from tests.support.visitor import Local

ROUNDS = 40
EACH = 5  # requests of one kind in a round
WARM_UP = 3  # rounds that do not count


class Meter:
    """A WSGI application that adds up the processor time it takes to answer."""

    def __init__(self, answer: Callable[..., Any]):
        self.answer, self.spent = answer, 0.0

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        begun = process_time()
        body = b"".join(self.answer(environ, start_response))
        self.spent += process_time() - begun
        return [body]

    def measured(self, do: Callable[[], object]) -> float:
        """Return the milliseconds that the application took to answer what is asked meanwhile."""
        before = self.spent
        do()
        return 1000 * (self.spent - before)


def kinds(players: Players) -> dict[str, Callable[[], object]]:
    """Return what is measured by its name: each asks for one page."""
    first, stranger = players.people[0], Local(players.people[0].app, "10.0.0.9")
    return {
        "page": players.page,
        "spectator": lambda: stranger.get(players.table),
        "text": lambda: first.get(f"{players.table}?view=text"),
        "board": lambda: first.get(f"{players.table}?view=board"),
        "history": lambda: first.get(f"{players.table}/at/4"),
        "status": lambda: first.get(f"{players.table}/status"),
        "version": lambda: first.get(f"{players.table}/version"),
        "games": lambda: first.get("/games"),
        "landing": lambda: first.get("/"),
        "landing, stranger": lambda: stranger.get("/"),
    }


def after_a_move(players: Players, meter: Meter) -> float:
    """Move, and return what the first page takes after that of the player who did not move."""
    for who, other in (players.people, players.people[::-1]):
        page = who.get(players.table)
        if page.has_form("/turn"):
            must_be_accepted(who.submit(page, "/turn", page.form("/turn").moves[0]))
            return meter.measured(partial(other.get, players.table))
    players._begin()
    return after_a_move(players, meter)


def main(wanted: list[str]) -> None:
    samples: dict[str, list[float]] = defaultdict(list)
    with site_in_this_process() as people:
        app = people[0].app
        meter = app.wsgi_app = Meter(app.wsgi_app)  # type: ignore[method-assign, assignment]
        greeting = Meter(hello.wsgi_app)
        hello.wsgi_app = greeting  # type: ignore[method-assign, assignment]
        client = hello.test_client()
        players = Players(people)
        for _ in range(8):
            after_a_move(players, meter)
        for number in range(ROUNDS + WARM_UP):
            times = {"hello": [greeting.measured(lambda: client.get("/")) for _ in range(EACH)]}
            for name, ask in kinds(players).items():
                if not wanted or name in wanted:
                    times[name] = [meter.measured(ask) for _ in range(EACH)]
            if not wanted or "first" in wanted:
                times["first after a move"] = [after_a_move(players, meter) for _ in range(EACH)]
            if number >= WARM_UP:
                for name, each in times.items():
                    samples[name] += each
    base = statistics.median(samples["hello"])
    for name, each in samples.items():
        middle = statistics.median(each)
        print(f"{name:20} {middle:6.2f} ms  {base / middle:5.2f} of hello")


if __name__ == "__main__":
    main(sys.argv[1:])
