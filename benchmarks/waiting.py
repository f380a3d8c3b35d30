"""Measure how long people wait, one at a time at an otherwise idle site: median and 95th percentile."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import NamedTuple

from benchmarks.cold import play_up_to
from benchmarks.load import Client
from benchmarks.opponents import MOVES_A_SECOND, others_moves
from benchmarks.playing import fire, may_fire, new_game
from benchmarks.programs import ProgramGame
from strifebarge.rules.chance import Chance
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from tests.support import forms
from tests.support.servers import Site

TIMES = 300
LONG = 300  # moves of the long game


class Wait(NamedTuple):
    """How long something takes, in seconds: the median, and the 95th and 99th percentile."""

    what: str
    half: float
    most: float
    nearly_all: float


def wait_of(what: str, took: list[float]) -> Wait:
    """Return the wait that these measurements, in seconds, come to."""
    parts = quantiles(took, n=100, method="inclusive")
    return Wait(what, parts[49], parts[94], parts[98])


def how_long(what: str, do: Callable[[], object]) -> Wait:
    """Measure something many times, after it has been done a few times unmeasured."""
    for _ in range(20):  # until all that is made once is made
        do()
    return wait_of(what, [timed(do) for _ in range(TIMES)])


def timed(do: Callable[[], object]) -> float:
    """Return the seconds that something takes."""
    began = perf_counter()
    do()
    return perf_counter() - began


def waits(site: Site) -> list[Wait]:
    """Measure all that people wait for at a site."""
    stranger, chance = Client(site.port), Random(12)
    table, player = long_game(site)
    return [
        how_long("Landing page", lambda: must(stranger, "/")),
        wait_of("A move: its POST, the 303 and the next page, 18 x 18", moves(site, TIMES // 2)),
        wait_of("The same by JSON-RPC: table.move, and table.state", moves_of_programs(site, TIMES // 2)),
        how_long(
            f"Any position of a game of {LONG} moves, six captains on 42 x 42",
            lambda: must(player, f"{table}/at/{chance.randrange(LONG + 1)}"),
        ),
        wait_of(f"Another's move on one's page, at {MOVES_A_SECOND} moves a second", others_moves(site)),
        wait_of("The same, with a stream that tells of it", others_moves(site, by_stream=True)),
    ]


def must(client: Client, path: str) -> None:
    """Get a page.  Raises RuntimeError for any answer but 200."""
    status, _, _ = client.get(path)
    if status != 200:
        raise RuntimeError(f"{path} answers {status}")


# -- a move ------------------------------------------------------------------------


def moves(site: Site, times: int) -> list[float]:
    """Return the seconds from the press on a shot until the next page is there; in games of 40 moves."""
    took: list[float] = []
    while len(took) < times:
        table, people = new_game(site, sea="open")
        for turn in range(40):
            person, page = to_move(table, people)
            took.append(timed(lambda: fire(table, person, page, turn * 7)))  # noqa: B023 - done at once
    return took


def moves_of_programs(site: Site, times: int) -> list[float]:
    """Return the seconds from the call of a move until the state after it is there."""
    took, game = list[float](), ProgramGame(site)
    while len(took) < times:
        game.be_ready()
        took.append(timed(game.move))
        game.refresh()
    return took


def to_move(table: str, people: list[Client]) -> tuple[Client, str]:
    """Return the player whose turn it is, and their page."""
    for person in people:
        page = person.get(table)[2]
        if may_fire(page):
            return person, page
    raise RuntimeError("it is nobody's turn")


# -- a long game -------------------------------------------------------------------


def long_game(site: Site) -> tuple[str, Client]:
    """Make a game of LONG moves without the site's pages; return its path and one of its players."""
    table, people = new_game(site, seats=6, sea="open")
    store = Store(engine_for(f"sqlite:///{Path(site.data) / 'strifebarge.db'}", 2))
    referee, id = forms.a_referee(store, Library()), table.removeprefix("/g/")
    players = [str(chair.player) for chair in referee.views.status(id).chairs]
    play_up_to(referee, id, players, LONG, Chance("long"))
    if referee.views.status(id).position.number < LONG:
        raise RuntimeError("the long game ended before its time")
    store.tables.engine.dispose()
    return table, people[0]
