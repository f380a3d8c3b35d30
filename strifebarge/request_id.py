"""The id of a request: in a header of its answer, on every error page, in faults of calls, and in the log."""

import re
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from secrets import token_hex
from typing import Any

HEADER = "X-Request-ID"
SENT = "HTTP_X_REQUEST_ID"  # the same header in the environment of a request
WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}")  # what a page and a line of the log can show as it is
BYTES = 8  # of an id that is made here

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that this thread answers; "" outside of one."""
    return _current.get()


class RequestIds:
    """A WSGI application round another: it gives each request an id, and each answer a header with it.

    `believed`: a proxy stands before the site, whose own ids are taken over where they are well formed.
    """

    def __init__(self, site: Wsgi, believed: bool):
        self.site = site
        self.believed = believed

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        id = self._id_of(environ)

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            return start_response(status, [*headers, (HEADER, id)], exc_info)

        before = _current.set(id)
        try:
            return self.site(environ, start)
        finally:
            _current.reset(before)

    def _id_of(self, environ: dict[str, Any]) -> str:
        sent = str(environ.get(SENT, "")) if self.believed else ""
        return sent if WELL_FORMED.fullmatch(sent) else token_hex(BYTES)
