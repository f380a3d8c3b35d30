"""What a request that wants a stream and the server that hands its connection over know of each other."""

from typing import Protocol

from strifebarge.tables.view.news import Mark, News

HUB = "strifebarge.hub"  # in the environment of a request: the Hub, if its connection can be handed over
STREAM = "strifebarge.stream"  # in it after the answer: the Wanted stream
HEADERS = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx would keep what it is sent until there is more
}


class Hub(Protocol):
    """The hub, as far as a request needs it."""

    mark: Mark

    def is_there(self) -> bool:
        """Return whether there is a hub."""


class StreamRequest:
    """A stream that this request may have: whose it is, by marks, and of which tables it tells."""

    def __init__(self, person: str, device: str, address: str, program: str = ""):
        self.person = person
        self.device = device
        self.address = address
        self.program = program  # "sse" or "ndjson" for a program's stream, which is told `more` alone
        self.greeting = b""  # what a program is told first
        self.news: list[News] = []
        self.gone: list[str] = []  # tables that are not there, or not to be shown, any more
        self.spectators: list[str] = []  # for each table the mark of somebody who only watches it, or ""
