"""One open stream: the connection of a page or a program, and what it has been told."""

import json
import socket
from contextlib import suppress
from time import monotonic

HEARTBEAT = 15  # seconds between two signs of life on a stream
LOST_AFTER = 20_000  # milliseconds in which what was sent must have arrived, or the connection is dead
SEND_BUFFER = 16 * 1024  # bytes that the system keeps for a reader who is slow
BEAT = b":\n\n"
LINES = "ndjson"  # the form of a program's stream that has an object on each line


def event(name: str, **data: object) -> bytes:
    """Return an event as it goes over the wire (text/event-stream)."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def version(table: str, word: str) -> bytes:
    """Return the event that a table's page has another version."""
    return event("version", table=table, version=word)


class Stream:
    """A connection, whose it is by marks, its tables and the word that each was told of last."""

    __slots__ = (
        "address",
        "bucket",
        "connection",
        "device",
        "end",
        "last_sent",
        "left",
        "person",
        "program",
        "since",
        "watches",
    )

    def __init__(
        self,
        connection: socket.socket,
        person: str,
        device: str,
        address: str,
        tables: list[str],
        program: str = "",
    ):
        self.connection = connection
        self.person = person
        self.device = device
        self.address = address
        self.program = program  # the form in which a program is told, or "" for a page
        self.last_sent = dict.fromkeys(tables, "")
        self.watches: dict[str, str] = {}  # by table the mark of a spectator, where they are one
        self.left = b""  # what could not be sent yet, of a reader who is too slow
        self.end = float("inf")  # when the stream is closed whatever happens, by time.monotonic()
        self.since = monotonic()
        self.bucket = 0  # in which second of the heartbeat's round it has its turn

    def prepare(self) -> None:
        """Make the connection one of thousands: it never blocks, keeps little and dies in time."""
        self.connection.setblocking(False)
        with suppress(OSError):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if self.connection.family in (socket.AF_INET, socket.AF_INET6):
            with suppress(OSError):
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, LOST_AFTER)

    def send(self, data: bytes) -> bool:
        """Send words; return False if the reader does not take them all now, and keep the rest in `left`.

        Raises OSError for a connection that has ended.
        """
        try:
            sent = self.connection.send(data)
        except BlockingIOError:
            sent = 0
        self.left = data[sent:]
        return not self.left

    @property
    def heartbeat(self) -> bytes:
        """The sign of life."""
        return b"\n" if self.program == LINES else BEAT

    def encoded_event(self, name: str, **data: object) -> bytes:
        """Return an event in the form in which this stream tells."""
        if self.program == LINES:
            return json.dumps({"event": name, **data}).encode() + b"\n"
        return event(name, **data)

    def retry_event(self, seconds: float) -> bytes:
        """Return the event that the stream ends and may be opened again."""
        return self.encoded_event("again", after=round(seconds, 1))

    def close(self) -> None:
        """End the connection: what was sent still arrives."""
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
        self.connection.close()
