"""Requests that were answered: by which route, with which status, and how long it took."""

import logging
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any, NamedTuple

from strifebarge.logs import LogEvent
from strifebarge.waited import seconds_waited

log = logging.getLogger("strifebarge.requests")

ROUTE = "strifebarge.route"  # in the environment of a request once it was answered
FILE = "(file)"  # in place of a route, of a style, script or drawing

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Answered(NamedTuple):
    """A request that was answered."""

    method: str
    route: str  # the pattern of its address, which may hold a code or a token
    status: int
    seconds: float  # from when it came, which for a form may be before a thread was free for it


Told = Callable[[Answered], None]


def log_request(done: Answered) -> None:
    """Log a request that was answered."""
    milliseconds = round(done.seconds * 1000, 1)
    words = f"{done.method} {done.route} {done.status} {milliseconds} ms"
    fields = {"method": done.method, "route": done.route, "status": done.status, "ms": milliseconds}
    log.info(LogEvent("request", words, **fields))


class Timed:
    """A WSGI application round another, which tells of each request that was answered."""

    def __init__(self, site: Wsgi, told: Sequence[Told]):
        self.site = site
        self.told = told

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        began, status = perf_counter() - seconds_waited(), [500]

        def start(line: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            status[0] = int(line[:3])
            return start_response(line, headers, exc_info)

        try:
            return self.site(environ, start)
        finally:
            route = environ.get(ROUTE, FILE)
            done = Answered(environ["REQUEST_METHOD"], route, status[0], perf_counter() - began)
            for tell in self.told:
                tell(done)
