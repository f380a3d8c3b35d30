"""Programs at a site that is served: their tokens, and their streams as they come over the wire."""

import re
import socket

from tests.support.servers import LOOPBACK
from tests.support.streams import PATIENCE, Stream
from tests.support.visitor import Visitor

SCOPES = [("scope", each) for each in ("read", "play", "table")]


def token_of(visitor: Visitor) -> str:
    """Return a new token of a visitor who sits at a table."""
    key = re.search(r'name="key" value="([^"]+)"', visitor.get("/me/tokens").text)
    assert key
    page = visitor.post("/me/tokens", [("key", key[1]), ("name", "a program"), *SCOPES])
    match = re.search(r'value="(sbt_[A-Za-z0-9_-]{43})"', page.text)
    assert match, page.text
    return match[1]


class ProgramStream(Stream):
    """The stream of a program, in the form of pages' streams (SSE)."""

    def __init__(self, port: int, token: str, query: str = "", method: str = "GET", **headers: str):
        lines = [
            f"{method} /api/v1/stream{query} HTTP/1.1",
            "Host: localhost",
            f"Authorization: Bearer {token}",
        ]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.connection = socket.create_connection((LOOPBACK, port), timeout=PATIENCE)
        self.connection.sendall("\r\n".join([*lines, "", ""]).encode())
        self.head = self.buffer = ""
        self.told = []
        self.beats = 0
        self.ended = False
