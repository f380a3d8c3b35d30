"""Servers of a test's own that answer in a thread beside it: a push service, a webhook's other end."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from threading import Thread
from typing import Any, TypeVar

Server = TypeVar("Server", bound=BaseServer)


@contextmanager
def answering(server: Server) -> Iterator[Server]:
    """The server at work until the block is left, and closed after it."""
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


class Door(ThreadingHTTPServer):
    """Where letters are brought: each is kept, with its path and headers, and answered with `answer`."""

    def __init__(self) -> None:
        self.brought: list[tuple[str, dict[str, str], bytes]] = []
        self.answer = 201
        super().__init__(("127.0.0.1", 0), _Bell)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Bell(BaseHTTPRequestHandler):
    server: Door

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.brought.append((self.path, dict(self.headers.items()), body))
        self.send_response(self.server.answer)
        self.end_headers()

    def log_message(self, *_: Any) -> None: ...
