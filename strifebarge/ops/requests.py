"""Each request: its id, in a header of its answer; and by which route, how and how fast it was answered."""

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from secrets import token_hex
from time import perf_counter
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, request

from strifebarge.lib.waited import seconds_waited
from strifebarge.ops.logs import LogEvent, request_id_set
from strifebarge.ops.metrics import count

log = logging.getLogger("strifebarge.ops.requests")

HEADER = "X-Request-ID"
SENT = "HTTP_X_REQUEST_ID"  # the same header in the environment of a request
WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}")  # what a page and a line of the log can show as it is
BYTES = 8  # of an id that is made here
ROUTE = "strifebarge.route"  # in the environment of a request once it was answered
FILE = "(file)"  # in place of a route, of a style, script or drawing
NO_ROUTE = "(none)"  # of an address that is not there


class AnsweredRequest(NamedTuple):
    """A request that was answered."""

    method: str
    route: str  # the pattern of its address, which may hold a code or a token
    status: int
    seconds: float  # from when it came, which for a form may be before a thread was free for it


RequestListener = Callable[[AnsweredRequest], None]


def log_request(done: AnsweredRequest) -> None:
    """Log a request that was answered."""
    milliseconds = round(done.seconds * 1000, 1)
    message = f"{done.method} {done.route} {done.status} {milliseconds} ms"
    fields = {"method": done.method, "route": done.route, "status": done.status, "ms": milliseconds}
    log.info(LogEvent("request", message, **fields))


def count_request(done: AnsweredRequest) -> None:
    """Count a request that was answered."""
    count.requests.labels(done.route, done.method, done.status).observe(done.seconds)


class RequestMiddleware:
    """A WSGI application round another: it gives each request an id, and tells of each that was answered.

    `believed`: a proxy stands before the site, whose own ids are taken over where they are well formed.
    """

    def __init__(self, site: WSGIApplication, believed: bool, listeners: Sequence[RequestListener] = ()):
        self.site = site
        self.believed = believed
        self.listeners = listeners

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        sent = str(environ.get(SENT, "")) if self.believed else ""
        id = sent if WELL_FORMED.fullmatch(sent) else token_hex(BYTES)
        began, status = perf_counter() - seconds_waited(), [500]

        def start(line: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            status[0] = int(line[:3])
            return start_response(line, [*headers, (HEADER, id)], exc_info)

        with request_id_set(id):
            try:
                return self.site(environ, start)
            finally:
                for tell in self.listeners:
                    method, route = environ["REQUEST_METHOD"], environ.get(ROUTE, FILE)
                    tell(AnsweredRequest(method, route, status[0], perf_counter() - began))


def note_routes(app: Flask, root: str = "") -> None:
    """Let an application that is mounted at `root` note the route of each request that it answers."""

    def note(answer: Response) -> Response:
        request.environ[ROUTE] = f"{root}{request.url_rule}" if request.url_rule else NO_ROUTE
        return answer

    app.after_request(note)
