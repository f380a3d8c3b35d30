"""Servers of a test's own that answer in a thread beside it: a push service, a webhook's other end."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from threading import Thread
from typing import TypeVar

Server = TypeVar("Server", bound=BaseServer)


@contextmanager
def answering(server: Server) -> Iterator[Server]:
    """The server at work until the block is left, and closed after it."""
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
