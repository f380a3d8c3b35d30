"""Measure how long a move and a new visitor wait while many pages of another game stand open.

A page's script has a stream that tells it what is new; where there is none it asks for news now and then.
Both are measured.

Run as a program it holds the pages open until it is ended: `python -m benchmarks.open_pages PORT PATH PAGES
SECONDS`; the seconds lie between two questions of a page.
"""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from random import Random
from time import perf_counter, sleep
from typing import NamedTuple

from benchmarks.costs import Fleets
from benchmarks.load import LOOPBACK, Client
from benchmarks.opponents import script_asks_every
from benchmarks.streams import streams_open
from benchmarks.waiting import Wait, timed, wait_of
from tests.support.servers import ENDS_WITH_US, Site

OPEN = (200, 1000, 5000)
MEASURED = 150  # moves and visitors for each number of open pages
AT_LEAST, LONGEST = 20, 30.0  # of them, if they take longer than these seconds
PATIENCE = 10.0  # seconds after which a visitor is counted as not answered
WARM_UP = 5.0  # seconds until all pages are open


class Standing(NamedTuple):
    """The waits of a move and of a visitor while `pages` stand open; None where somebody was not answered."""

    pages: int
    have_streams: bool  # else they ask for news
    move: Wait | None
    visitor: Wait | None


def standing(site: Site) -> list[Standing]:
    """Measure with none, and with each number of open pages that have streams, and that ask."""
    none = _with(site, 0, have_streams=True)
    return [none, *(_with(site, pages, streams) for streams in (True, False) for pages in OPEN)]


def _with(site: Site, pages: int, have_streams: bool) -> Standing:
    game, idle = Fleets(site), Fleets(site).table
    with opened(site, idle, pages, have_streams):
        return Standing(
            pages,
            have_streams,
            _waits("a move", lambda: _moved(game)),
            _waits("a visitor", lambda: _came(site)),
        )


def _waits(what: str, do: Callable[[], float]) -> Wait | None:
    waits: list[float] = []
    began = perf_counter()
    try:
        while len(waits) < (MEASURED if perf_counter() - began < LONGEST else AT_LEAST):
            waits.append(do())
    except OSError:  # not answered in time, or turned away
        return None
    return wait_of(what, waits)


def _moved(game: Fleets) -> float:
    game.be_ready()
    took = timed(game.move)
    game.look()
    return took


def _came(site: Site) -> float:
    """Return the seconds until the landing page is there, on a connection of its own."""
    client = Client(site.port, patience=PATIENCE)
    try:
        return timed(lambda: client.get("/"))
    finally:
        client.connection.close()


def opened(site: Site, path: str, pages: int, have_streams: bool) -> AbstractContextManager[object]:
    """Keep this many pages open, in a process of its own so that they do not slow the measuring down."""
    if not pages:
        return nullcontext()
    return streams_open(site, path, pages) if have_streams else _asking(site, path, pages)


@contextmanager
def _asking(site: Site, path: str, pages: int) -> Iterator[None]:
    """Keep this many pages open that ask for news."""
    command = [*ENDS_WITH_US, sys.executable, "-m", "benchmarks.open_pages"]
    arguments = [str(site.port), path, str(pages), str(script_asks_every())]
    with subprocess.Popen([*command, *arguments]) as holding:  # noqa: S603 - our own
        try:
            sleep(WARM_UP)
            yield
        finally:
            holding.terminate()


# -- the process that holds them open --------------------------------------------------------


async def hold(port: int, path: str, pages: int, period: float) -> None:
    """Ask for news on this many connections, for ever."""
    chance = Random(pages)
    asking = f"GET {path}/version HTTP/1.1\r\nHost: {LOOPBACK}:{port}\r\n\r\n".encode()
    await asyncio.gather(*(_page(port, asking, period, chance.uniform(0, WARM_UP)) for _ in range(pages)))


async def _page(port: int, asking: bytes, period: float, first: float) -> None:
    await asyncio.sleep(first)
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            await _asked(port, asking, period)
        await asyncio.sleep(period)


async def _asked(port: int, asking: bytes, period: float) -> None:
    """Ask on one connection until the server closes it."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    try:
        while True:
            writer.write(asking)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.partition(b":")[2])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length:")
            )
            await reader.readexactly(length)
            await asyncio.sleep(period)
    finally:
        writer.close()


if __name__ == "__main__":
    port, path, pages, period = sys.argv[1:]
    asyncio.run(hold(int(port), path, int(pages), float(period)))
