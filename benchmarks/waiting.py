"""What people wait for, one at a time at a site that has little else to do: half of them, and 95 of 100."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import quantiles
from time import perf_counter, sleep
from typing import NamedTuple

from benchmarks.cold import play_up_to
from benchmarks.load import Client, found
from benchmarks.playing import fire, may_fire, new_game
from strifebarge.rules.chance import Chance
from strifebarge.store.engine import engine_for
from strifebarge.store.store import SqlStore
from strifebarge.table.library import Library
from strifebarge.table.referee import Referee
from tests.support.servers import ROOT, Site

TIMES = 300
LONG = 300  # moves of a long game
TABLES, EACH = 12, 6  # the moves that others see, some tables at a time
SCRIPT = ROOT / "strifebarge/static/live.js"


class Wait(NamedTuple):
    """How long something takes: what half of them do not exceed, and 95 of 100; in seconds."""

    what: str
    half: float
    most: float


def wait_of(what: str, took: list[float]) -> Wait:
    parts = quantiles(took, n=100, method="inclusive")
    return Wait(what, parts[49], parts[94])


def how_long(what: str, do: Callable[[], object]) -> Wait:
    for _ in range(20):  # until all that is made once is made
        do()
    return wait_of(what, [timed(do) for _ in range(TIMES)])


def timed(do: Callable[[], object]) -> float:
    began = perf_counter()
    do()
    return perf_counter() - began


def waits(site: Site) -> list[Wait]:
    stranger, chance = Client(site.port), Random(12)
    table, player = long_game(site)
    period = script_asks_every()
    seen = wait_of(
        f"Another's move on one's page, whose script asks every {period * 1000:.0f} ms",
        others_moves(site, period),
    )
    return [
        how_long("Landing page", lambda: must(stranger, "/")),
        wait_of("A move: its POST, the 303 and the next page, 18 x 18", moves(site, TIMES // 2)),
        how_long(
            f"Any position of a game of {LONG} moves, six captains on 42 x 42",
            lambda: must(player, f"{table}/at/{chance.randrange(LONG + 1)}"),
        ),
        seen,
    ]


def must(client: Client, path: str) -> None:
    status, _, _ = client.get(path)
    if status != 200:
        raise RuntimeError(f"{path} answers {status}")


# -- a move ------------------------------------------------------------------------


def moves(site: Site, times: int) -> list[float]:
    """Seconds from the press on a shot until the page after it is there; games of 40 moves each."""
    took: list[float] = []
    while len(took) < times:
        table, people = new_game(site, sea="open")
        for turn in range(40):
            person, page = to_move(table, people)
            took.append(timed(lambda: fire(table, person, page, turn * 7)))  # noqa: B023 - done at once
    return took


def to_move(table: str, people: list[Client]) -> tuple[Client, str]:
    for person in people:
        page = person.get(table)[2]
        if may_fire(page):
            return person, page
    raise RuntimeError("it is nobody's turn")


# -- a long game -------------------------------------------------------------------


def long_game(site: Site) -> tuple[str, Client]:
    """A game of so many moves, made past the site's pages; its address and one who plays."""
    table, people = new_game(site, seats=6, sea="open")
    store = SqlStore(engine_for(f"sqlite:///{Path(site.data) / 'strifebarge.db'}", 2))
    referee, id = Referee(store, Library()), table.removeprefix("/g/")
    players = [str(chair.player) for chair in referee.status(id).chairs]
    play_up_to(referee, id, players, LONG, Chance("long"))
    if referee.status(id).number < LONG:
        raise RuntimeError("the long game ended before its time")
    store.engine.dispose()
    return table, people[0]


# -- the others' moves -------------------------------------------------------------


def script_asks_every() -> float:
    """Seconds between two questions of a page's script, whether anything has happened."""
    return int(found(r"SOON = (\d+)", SCRIPT.read_text())) / 1000


def others_moves(site: Site, period: float) -> list[float]:
    """Seconds from the press on a shot until the page of the other shows it, as its script goes about it."""
    with ThreadPoolExecutor(TABLES) as several:
        all_took = several.map(lambda seed: watched(site, period, seed), range(TABLES))
        return [one for took in all_took for one in took]


def watched(site: Site, period: float, seed: int) -> list[float]:
    chance, took = Random(seed), []
    table, people = new_game(site, sea="open")
    for turn in range(EACH):
        mover, page = to_move(table, people)
        other = next(person for person in people if person is not mover)
        before = other.get(f"{table}/version")[2]
        next_question = chance.uniform(0, period)  # the press falls between two questions
        began = perf_counter()
        fire(table, mover, page, turn * 7)
        while True:
            sleep(max(0, next_question - (perf_counter() - began)))
            if other.get(f"{table}/version")[2] != before:
                break
            next_question = perf_counter() - began + period
        if not re.search('class="turn mine"', other.get(table)[2]):
            raise RuntimeError("the other does not see that it is their turn")
        took.append(perf_counter() - began)
    return took
