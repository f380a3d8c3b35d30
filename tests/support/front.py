"""The way into a site for tests: at its own port or through a proxy, each from an address of their own."""

import http.client
import socket
import ssl
from itertools import count

from tests.support.servers import LOOPBACK, PATIENCE
from tests.support.visitor import Page, Remote

TLS = ssl._create_unverified_context()  # the certificate of a test is its own


class Front:
    """Where visitors come in: the port of a site, or of a proxy that serves it by TLS under a name."""

    def __init__(self, port: int, name: str = ""):
        self.port = port
        self.name = name
        self.numbers = count(256)

    def address(self) -> str:
        """Return an address of this machine that nobody has had."""
        number = next(self.numbers)
        return f"127.1.{number >> 8}.{number & 255}"

    def visitor(self) -> "Comer":
        """Return somebody new."""
        return Comer(self)

    def connect(self, data: bytes, segment: int = 0) -> socket.socket:
        """Send some bytes by a new connection; with `segment` the system takes little of an answer unread."""
        connection = socket.socket()
        connection.settimeout(PATIENCE)
        if segment:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, segment)
        connection.bind((self.address(), 0))
        connection.connect((LOOPBACK, self.port))
        if self.name:
            connection = TLS.wrap_socket(connection, server_hostname=self.name)
        connection.sendall(data)
        return connection


class Comer(Remote):
    """A visitor from an address of their own."""

    def __init__(self, front: Front):
        super().__init__(front.port)
        self.front = front
        self.source = front.address(), 0

    def connection(self) -> http.client.HTTPConnection:
        place = self.host, self.port
        if not self.front.name:
            return http.client.HTTPConnection(*place, timeout=self.patience, source_address=self.source)
        return http.client.HTTPSConnection(
            *place, timeout=self.patience, source_address=self.source, context=TLS
        )

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        named = {"Host": self.front.name} if self.front.name else {}
        return super().send(method, path, body, {**named, **headers})
