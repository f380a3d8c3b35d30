"""Measure how long the other player waits until a move is on their page, at many moves a second.

The moves come from many games at once.  The page asks for news as the script of the site does where it has no
stream, or is told by a stream; then it gets the new page.
"""

import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import perf_counter, sleep

from benchmarks.load import Client, first_match
from benchmarks.playing import fire, may_fire, new_game
from tests.support.servers import ROOT, Site
from tests.support.streams import Stream
from tests.support.visitor import Remote

MOVES_A_SECOND = 50
TABLES, EACH = 50, 8  # tables at once, and moves at each
PERIOD = TABLES / MOVES_A_SECOND  # seconds between two moves at a table
SCRIPT = ROOT / "strifebarge/static/live/news.js"


def others_moves(site: Site, by_stream: bool = False) -> list[float]:
    """Return the seconds from the press on a shot until the other's page shows it, for each move."""
    asks_every, chance = script_asks_every(), Random(7)
    games = [new_game(site, sea="open") for _ in range(TABLES)]
    began = perf_counter() + 1
    starts = [began + chance.uniform(0, PERIOD) for _ in games]
    with ThreadPoolExecutor(TABLES) as several:
        watched = [
            several.submit(_delays if by_stream else _watched, *game, at, asks_every)
            for game, at in zip(games, starts, strict=True)
        ]
        return [one for each in watched for one in each.result()]


def script_asks_every() -> float:
    """Return the seconds between two polls of a page's script."""
    return int(first_match(r"SOON = (\d+)", SCRIPT.read_text())) / 1000


def _watched(table: str, people: list[Client], start: float, asks_every: float) -> list[float]:
    """Measure this for the moves of one table, one each period from `start` on, if the site keeps up."""
    took, chance = [], Random(table)
    pages = [person.get(table)[2] for person in people]
    for turn in range(EACH):
        mover = next(seat for seat, page in enumerate(pages) if may_fire(page))
        other = people[1 - mover]
        version = other.get(f"{table}/version")[2]
        sleep(max(0.0, start + turn * PERIOD - perf_counter()))
        began = perf_counter()
        next_question = began + chance.uniform(0, asks_every)  # the press falls between two questions
        pages[mover] = fire(table, people[mover], pages[mover], turn * 7)
        while True:
            sleep(max(0.0, next_question - perf_counter()))
            if other.get(f"{table}/version")[2] != version:
                break
            next_question = perf_counter() + asks_every
        pages[1 - mover] = other.get(table)[2]
        took.append(perf_counter() - began)
        if not re.search('class="turn mine"|Game over', pages[1 - mover]):
            raise RuntimeError("the other does not see that it is their turn")
    return took


def _delays(table: str, people: list[Client], start: float, _: float) -> list[float]:
    """Measure this for the moves of one table where each player has a stream."""
    took = []
    pages = [person.get(table)[2] for person in people]
    streams = [_stream(person, table) for person in people]
    for turn in range(EACH):
        mover = next(seat for seat, page in enumerate(pages) if may_fire(page))
        sleep(max(0.0, start + turn * PERIOD - perf_counter()))
        began = perf_counter()
        pages[mover] = fire(table, people[mover], pages[mover], turn * 7)
        streams[1 - mover].version()
        pages[1 - mover] = people[1 - mover].get(table)[2]
        took.append(perf_counter() - began)
        if not re.search('class="turn mine"|Game over', pages[1 - mover]):
            raise RuntimeError("the other does not see that it is their turn")
        streams[mover].version()  # of one's own move, which is on the page already
    for stream in streams:
        stream.close()
    return took


def _stream(person: Client, table: str) -> Stream:
    """Open a stream of a player, which has told where the table is."""
    browser = Remote(person.connection.port)
    name, _, value = person.cookie.partition("=")
    browser.cookies[name] = value
    stream = Stream(browser, table)
    stream.version()
    return stream
