"""Send to webhooks: one POST to a public address, with a short timeout and no trust."""

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPException, HTTPResponse
from io import BufferedReader
from threading import Timer
from time import monotonic

from strifebarge.notifications.guard import addresses_of, hook_at
from strifebarge.notifications.message import LINK, NotificationMessage
from strifebarge.notifications.models import Channel, ChannelKind
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

IN_ALL = 6.0  # seconds from the connection to the answer, however slowly it drips
ANSWER = 4096  # bytes of an answer that are read: only its status counts
LONGEST = 1900  # characters of a message: Discord takes 2000
MARKUP = re.compile(r"[\\*_~`|\[\]()<>#:@+.-]")  # what Discord may read as Markdown


class Webhooks:
    """Sends to webhooks.  `inner`: also into the server's own networks, and without https."""

    tries = (60.0, 600.0)  # seconds until it is tried again

    def __init__(self, inner: bool = False, tls: ssl.SSLContext | None = None):
        self.inner = inner
        self.tls = tls or ssl.create_default_context()

    def send(self, channel: Channel, message: NotificationMessage) -> None:
        """Send a message.  Raises Refused where it did not arrive."""
        must_be_taken(self.post(channel.address, *form_of(channel.kind, message)))

    def post(self, address: str, headers: Mapping[str, str], body: bytes) -> int:
        """Send one POST and return the status of its answer.

        Raises Refused: WRONG_HOOK, NO_HOST, INNER, NO_ANSWER, NO_HTTP, NOT_REACHED.
        """
        where = hook_at(address, self.inner)
        host = str(where.hostname)
        port = where.port or (443 if where.scheme == "https" else 80)
        deadline = monotonic() + IN_ALL
        addresses = addresses_of(host, port, self.inner)
        path = (where.path or "/") + (f"?{where.query}" if where.query else "")
        lines = [
            f"POST {path} HTTP/1.1",
            f"Host: {where.netloc}",
            "User-Agent: StrifeBarge",
            "Connection: close",
        ]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        lines.append(f"Content-Length: {len(body)}")
        request = "\r\n".join([*lines, "", ""]).encode("ascii") + body
        return self._ask(addresses, port, host if where.scheme == "https" else None, request, deadline)

    def _ask(
        self, addresses: list[str], port: int, secure: str | None, request: bytes, deadline: float
    ) -> int:
        """Return the status of the answer.  Raises Refused: NO_ANSWER, NO_HTTP, NOT_REACHED."""
        try:
            with _connected(addresses, port, deadline) as plain:
                connection = self.tls.wrap_socket(plain, server_hostname=secure) if secure else plain
                # However slowly it answers, it ends: a timeout alone would begin anew with each byte.
                watch = Timer(max(0.0, deadline - monotonic()), _cut, [connection])
                watch.daemon = True
                watch.start()
                try:
                    connection.sendall(request)
                    return _status(connection)
                finally:
                    watch.cancel()
                    connection.close()
        except TimeoutError as late:
            raise Refused(NotificationRefusal.NO_ANSWER) from late
        except (OSError, HTTPException, ValueError) as wrong:
            if monotonic() >= deadline:
                raise Refused(NotificationRefusal.NO_ANSWER) from wrong
            if isinstance(wrong, HTTPException):
                raise Refused(NotificationRefusal.NO_HTTP) from wrong
            problem = (
                getattr(wrong, "verify_message", "") or getattr(wrong, "strerror", "") or type(wrong).__name__
            )
            raise Refused(NotificationRefusal.NOT_REACHED, problem=problem) from wrong


def must_be_taken(status: int) -> None:
    """Require a status that says it was taken.  Raises Refused(REFUSED)."""
    if not 200 <= status < 300:  # a redirect too: it might lead into the server's own networks
        raise Refused(NotificationRefusal.REFUSED, answer=status)


def _connected(addresses: list[str], port: int, deadline: float) -> socket.socket:
    """Return a connection to one of the addresses that were judged, and to no other."""
    for number, address in enumerate(addresses[:3]):
        try:
            # An address and no name: it is not looked up again.
            return socket.create_connection((address, port), max(0.1, deadline - monotonic()))
        except OSError:
            if number == len(addresses[:3]) - 1:
                raise
    raise OSError("no address")


def _status(connection: socket.socket) -> int:
    """Return the status of an answer; what comes after its line is not read.

    Before it there may be others (1xx), which say only that it is coming.
    """
    with closing(HTTPResponse(connection)) as answer:
        lines = _lines(answer.fp)
        while (status := _status_in(next(lines, b""))) < 200:
            while next(lines, b"").strip():
                pass
        return status


def _lines(answer: BufferedReader) -> Iterator[bytes]:
    """Yield the lines of an answer, at most ANSWER bytes in all."""
    left = ANSWER
    while line := answer.readline(left):
        left -= len(line)
        yield line


def _status_in(line: bytes) -> int:
    """Return the status that a line of an answer says.  Raises HTTPException."""
    version, _, rest = line.partition(b" ")
    if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
        raise HTTPException("no HTTP")
    return int(rest[:3])


def _cut(connection: socket.socket) -> None:
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


def form_of(kind: ChannelKind, message: NotificationMessage) -> tuple[dict[str, str], bytes]:
    """Return headers and body as a service wants them: what people have written is no markup there.

    Nor can it mention anybody.
    """
    text = message.short[:LONGEST]
    match kind:
        case ChannelKind.DISCORD:
            text = _as_markdown(message.short)[:LONGEST]
            payload = {"content": text, "allowed_mentions": {"parse": []}, "flags": 4}  # 4: no previews
            return {"Content-Type": "application/json"}, json.dumps(payload).encode()
        case ChannelKind.SLACK:
            for sign, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
                text = text.replace(sign, escaped)
            payload = {"text": text, "mrkdwn": False, "unfurl_links": False}
            return {"Content-Type": "application/json"}, json.dumps(payload).encode()
        case _:
            headers = {
                "Content-Type": "text/plain; charset=utf-8",
                "Title": "StrifeBarge",
                "Click": message.link,
            }
            return headers, text.encode()


def _as_markdown(text: str) -> str:
    """Return plain lines as Markdown that shows them so; lines that are links stay links."""
    lines = text.split("\n")
    return "\n".join(line if LINK.fullmatch(line) else MARKUP.sub(r"\\\g<0>", line) for line in lines)
