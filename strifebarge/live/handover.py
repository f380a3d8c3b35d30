"""Hands the connection of a stream over to the hub, together with the head of its answer.

gunicorn would write to what it takes for its connection, and shut it down.  So its descriptor is made to
lead nowhere first; then gunicorn is told that the connection has been lost, and forgets it.
"""

import errno
import os
import socket
import ssl
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from strifebarge.live.messages import StreamOpened
from strifebarge.live.streams import HUB, STREAM, StreamRequest
from strifebarge.live.teller import HubClient

Headers = list[tuple[str, str]]

AWAY = "503 Service Unavailable", [("Retry-After", "2"), ("Content-Length", "0")]
PATHS = ("/live", "/api/v1/stream", "/readyz")  # ends of the only paths that ask for the hub


class Handover:
    """A WSGI application round another: it lets that one know of the hub, and hands streams over."""

    def __init__(self, site: WSGIApplication, teller: HubClient):
        self.site = site
        self.teller = teller

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request.  Raises BrokenPipeError once its connection is the hub's."""
        if not environ["PATH_INFO"].endswith(PATHS) or not can_be_handed_over(environ):
            return self.site(environ, start_response)
        environ[HUB] = self.teller
        head: list[Any] = []

        def keep(status: str, headers: Headers, exc_info: Any = None) -> Callable[[bytes], None]:
            head[:] = [status, headers]
            return lambda words: None  # which writes; nothing of ours does so

        answer = self.site(environ, keep)
        stream_request: StreamRequest | None = environ.pop(STREAM, None)
        if stream_request is None:
            start_response(*head)
            return answer
        if hasattr(answer, "close"):
            answer.close()
        if not self._hand_over(environ["gunicorn.socket"], stream_request, *head):
            start_response(*AWAY)
            return []
        raise BrokenPipeError(errno.EPIPE, "the connection is the hub's now")

    def _hand_over(
        self, connection: socket.socket, stream_request: StreamRequest, status: str, headers: Headers
    ) -> bool:
        """Give the hub a connection; return whether it has it."""
        lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in with_end(headers)), "", ""]
        opened = StreamOpened(
            "\r\n".join(lines).encode("latin-1") + stream_request.greeting,
            stream_request.person,
            stream_request.device,
            stream_request.address,
            stream_request.news,
            stream_request.spectators,
            stream_request.gone,
            stream_request.program,
        )
        # Made before: what may fail must not fail once the hub has the connection.
        with socket.socket() as dead_end:  # unconnected: a shutdown of it ends at once
            if not self.teller.send(opened, connection.fileno()):
                return False
            os.dup2(dead_end.fileno(), connection.fileno(), inheritable=False)
        return True


def with_end(headers: Headers) -> Headers:
    """Return the headers of an answer whose end is that of its connection."""
    remaining = [
        (name, value) for name, value in headers if name.lower() not in ("content-length", "connection")
    ]
    return [*remaining, ("Connection", "close")]


def can_be_handed_over(environ: WSGIEnvironment) -> bool:
    """Return whether a request's connection is one that another process could go on with."""
    connection = environ.get("gunicorn.socket")
    plain = isinstance(connection, socket.socket) and not isinstance(connection, ssl.SSLSocket)
    return plain and environ.get("HTTP_VERSION") != "2"
