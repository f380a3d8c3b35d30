"""Measure how soon many open streams are told of one move, and what they cost the hub.

Run as a program it holds the streams open: `python -m benchmarks.streams PORT ID STREAMS`.  It says when all
are open, and then, for each version that is told, when the first and the last stream had it.
"""

import resource
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import IO, NamedTuple

from benchmarks.costs import Fleets
from tests.support.servers import Site

STREAMS = (100, 1000, 10_000)
MOVES = 9  # moves for each number of streams
FROM_ONE = 1000  # streams of one address, of which the site allows more
AT_ONCE = 50  # streams that are being opened at the same time
PATIENCE = 300.0  # seconds until all are open
SPARE_FILES = 100


class StreamCost(NamedTuple):
    """The cost of streams: seconds from the press to the last of them, seconds of the hub, bytes of each."""

    streams: int
    first: float
    last: float
    processor: float
    memory: float


def stream_costs(site: Site) -> list[StreamCost]:
    """Measure with each number of streams that this process may open files for."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return [
        _with(site, each) for each in STREAMS if most == resource.RLIM_INFINITY or each < most - SPARE_FILES
    ]


def _with(site: Site, streams: int) -> StreamCost:
    game = Fleets(site)
    before = memory_of(site.hub)
    with streams_open(site, game.table, streams) as output:
        each = (memory_of(site.hub) - before) / streams
        first, last, used = zip(*(_once(site, game, output) for _ in range(MOVES)), strict=True)
    return StreamCost(streams, median(first), median(last), median(used), each)


def _once(site: Site, game: Fleets, output: IO[str]) -> tuple[float, float, float]:
    """Make a move; return the seconds until the first and the last were told, and those of the hub."""
    game.be_ready()
    used, began = processor_of(site.hub), perf_counter()
    game.move()
    first, last = map(float, output.readline().split())
    used = processor_of(site.hub) - used
    game.look()
    return first - began, last - began, used


@contextmanager
def streams_open(site: Site, table: str, streams: int) -> Iterator[IO[str]]:
    """Keep this many streams open in a process of its own; yield what that says."""
    command = [sys.executable, "-m", "benchmarks.streams"]
    given = [str(site.port), table.removeprefix("/g/"), str(streams)]
    with subprocess.Popen([*command, *given], stdout=subprocess.PIPE, text=True) as holding:  # noqa: S603 - our own
        try:
            output = holding.stdout
            if output is None or output.readline() != "open\n":
                raise RuntimeError("the streams could not be opened")
            yield output
        finally:
            holding.terminate()


def memory_of(pid: int) -> int:
    """Return the bytes of memory that a process has for itself (Linux)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


def processor_of(pid: int) -> float:
    """Return the seconds of a processor that a process has used so far (Linux)."""
    ran = [int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat")]
    return sum(ran) / 1e9


# -- the process that holds them open --------------------------------------------------------


class Held:
    """Streams that are open, and how often each was told a version."""

    def __init__(self, port: int, id: str):
        self.port = port
        self.asking = f"GET /live?at={id} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        self.connections: dict[int, socket.socket] = {}
        self.told: dict[int, int] = {}
        self.poll = select.epoll()

    def open(self, streams: int) -> None:
        """Open streams, some at a time, until each has been told where its table is."""
        for number in range(streams):
            connection = socket.socket()
            connection.bind((f"127.0.1.{1 + number // FROM_ONE}", 0))
            connection.connect(("127.0.0.1", self.port))
            connection.sendall(self.asking)
            self.connections[connection.fileno()] = connection
            self.told[connection.fileno()] = 0
            self.poll.register(connection.fileno(), select.EPOLLIN)
            while len(self.told) - sum(map(bool, self.told.values())) >= AT_ONCE:
                self.read(PATIENCE)
        while not all(self.told.values()):
            self.read(PATIENCE)

    def read(self, seconds: float) -> None:
        """Read what has come.  Raises RuntimeError for a stream that ends."""
        for descriptor, _ in self.poll.poll(seconds, 10_000):
            came = self.connections[descriptor].recv(65536)
            if not came or b"event: again" in came:
                raise RuntimeError("a stream has ended")
            self.told[descriptor] += came.count(b"event: version")

    def report(self) -> None:
        """Say of each version when the first and the last had it, for ever."""
        number = 1
        while True:
            number += 1
            first = 0.0
            while any(each < number for each in self.told.values()):
                self.read(-1)
                first = first or perf_counter()
            print(first, perf_counter(), flush=True)


if __name__ == "__main__":
    port, id, streams = sys.argv[1:]
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = Held(int(port), id)
    held.open(int(streams))
    print("open", flush=True)
    with suppress(KeyboardInterrupt):
        held.report()
