"""Open streams of a site for tests: what each has been told, as a page's script would read it."""

import json
import select
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, NamedTuple

from strifebarge.tables.clock.presence import without_presence
from tests.support.servers import PATIENCE, Site
from tests.support.visitor import Remote


class Event(NamedTuple):
    """One event of a stream."""

    name: str
    data: dict[str, Any]


class Stream:
    """A stream on a connection of its own; `told` are the events so far that were not asked for yet.

    Only with `presence` does it tell who comes and goes, which needs no move.
    """

    def __init__(
        self,
        visitor: Remote,
        *tables: str,
        host: str = "localhost",
        method: str = "GET",
        presence: bool = False,
    ):
        path = "/live?" + "&".join(f"at={table.removeprefix('/g/')}" for table in tables)
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *([f"Cookie: {cookies}"] if cookies else [])]
        self.connection = socket.create_connection((visitor.host, visitor.port), timeout=PATIENCE)
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode())
        self.head = ""
        self.buffer = ""
        self.told: list[Event] = []
        self.presence = presence
        self.newest: dict[str, str] = {}  # by table
        self.beats = 0
        self.ended = False

    def close(self) -> None:
        self.connection.close()

    @property
    def status(self) -> int:
        """The status of the answer, once its head is there."""
        self.read_until(lambda: bool(self.head))
        return int(self.head.split()[1])

    def next(self, name: str, seconds: float = PATIENCE) -> dict[str, Any]:
        """The data of the next event of this name; those before it are passed over."""
        self.read_until(lambda: any(each.name == name for each in self.told), seconds, name)
        while (event := self.told.pop(0)).name != name:
            pass
        return event.data

    def version(self, seconds: float = PATIENCE) -> str:
        return str(self.next("version", seconds)["version"])

    def until_version(self, word: str) -> list[str]:
        """The versions that are told up to this one."""
        versions = [self.version()]
        while versions[-1] != word:
            versions.append(self.version())
        return versions

    def versions_until_silent(self, seconds: float = 0.5) -> list[str]:
        """The versions that are told until nothing more comes for a while."""
        while self.read(seconds):
            pass
        versions = [str(each.data["version"]) for each in self.told if each.name == "version"]
        self.told = []
        return versions

    def read_until(self, condition: Any, seconds: float = PATIENCE, what: str = "it") -> None:
        deadline = monotonic() + seconds
        while not condition():
            left = deadline - monotonic()
            assert left > 0, f"{what} was not told within {seconds:g} s, but {self.told} {self.head}"
            came = self.read(left)
            assert came or not self.ended or condition(), f"the stream ended before {what}: {self.told}"

    def read(self, seconds: float) -> bool:
        """Read once; False if nothing comes in that time, or the stream has ended."""
        if self.ended or not select.select([self.connection], [], [], seconds)[0]:
            return False
        try:
            came = self.connection.recv(65536)
        except ConnectionError:
            came = b""
        self.ended = not came
        self.buffer += came.decode()
        if not self.head and "\r\n\r\n" in self.buffer:
            self.head, _, self.buffer = self.buffer.partition("\r\n\r\n")
        while self.head and "\n\n" in self.buffer:
            block, _, self.buffer = self.buffer.partition("\n\n")
            self._take(block)
        return bool(came)

    def _take(self, block: str) -> None:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
        if "event" in fields:
            self._hear(Event(fields["event"], json.loads(fields["data"])))
        elif block.startswith(":"):
            self.beats += 1

    def _hear(self, event: Event) -> None:
        if event.name == "version" and not self.presence:
            table, word = event.data["table"], without_presence(event.data["version"])
            if self.newest.get(table) == word:
                return
            self.newest[table] = event.data["version"] = word
        self.told.append(event)


@contextmanager
def listening(visitor: Remote, *tables: str, presence: bool = False) -> Iterator[Stream]:
    """A stream that has said hello; after a hub was killed a worker may not know for a moment of the next."""
    deadline = monotonic() + PATIENCE
    while (stream := Stream(visitor, *tables, presence=presence)).status == 503 and monotonic() < deadline:
        stream.close()
        sleep(0.05)
    try:
        stream.next("hello")
        yield stream
    finally:
        stream.close()


def two_at(site: Site, game: str = "rps", **options: str) -> tuple[Remote, Remote, str]:
    """Two players and their table."""
    ann, ben = Remote(site.port), Remote(site.port)
    table = ann.start(game, **options).table
    ben.join(table)
    return ann, ben, table
