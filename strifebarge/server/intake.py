"""The intake: a request is given to a thread when all of it has arrived.

gunicorn's threads read heads and bodies themselves, and its first thread waits up to two seconds for each
client that does not close its connection after an answer.  So a few slow clients keep everybody else waiting.
Here the first thread collects what connections send, and closes them, without ever waiting for one.
"""

import re
import select
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from socket import MSG_DONTWAIT, SHUT_WR
from threading import Semaphore
from time import monotonic
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

WITHIN = 20.0  # seconds in which a request must arrive, counted from its first byte
SILENT = 5.0  # seconds in which a new connection must send something
PARTING = 1.0  # the same, in a worker that ends: a client's first bytes may be on their way
LINGER = 2.0  # seconds in which a client may close its connection after an answer (RFC 9112, section 9.6)
SWEEP_EVERY = 0.5  # seconds between two looks for slow connections, of which there may be thousands
STAY = 30  # milliseconds in which a thread waits for the next request of its connection
STAYING_SHARE = 4  # of this number of threads one may wait for a next request
PIECE = 2**16  # bytes read at once
LARGEST_HEAD = 2**16  # bytes; gunicorn refuses heads long before
LARGEST_BODY = 2**20 + 2**16  # bytes; the site refuses larger ones without reading them
MOST_HELD = 2**24  # bytes of requests that were not answered yet, in one worker
SMALL = 2**13  # bytes of a request that is taken however many are held
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r]*chunked[ \t]*\r\n", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Incoming:
    """What a connection has sent of its next request."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.since = monotonic()  # when it was accepted, or its first byte came
        self.body = 0  # where the body begins; 0 while the head has not arrived
        self.end = 0  # where the request ends, or its next chunk begins
        self.chunked = False
        self.too_large = False

    def add(self, piece: bytes) -> None:
        """Take the next bytes."""
        if not self.data:
            self.since = monotonic()
        self.data += piece

    @property
    def expects_continue(self) -> bool:
        """True if the client sends its body only when it is asked to (RFC 9110, section 10.1.1)."""
        return len(self.data) == self.body and EXPECTS.search(self.data) is not None

    def is_whole(self) -> bool:
        """Return whether a thread can answer it without waiting; True too for what gunicorn refuses."""
        if not self.body and not self._read_head():
            return len(self.data) > LARGEST_HEAD
        while self.chunked and self._next_chunk():
            pass
        self.too_large = self.end - self.body > LARGEST_BODY
        return self.too_large or (not self.chunked and len(self.data) >= self.end)

    def _read_head(self) -> bool:
        """Note where the body begins and ends; return False if the head has not arrived."""
        head = self.data.find(b"\r\n\r\n", max(0, self.end - 3))
        self.end = len(self.data)
        if head < 0:
            return False
        self.body = self.end = head + 4
        self.chunked = CHUNKED.search(self.data, 0, self.body) is not None
        length = LENGTH.search(self.data, 0, self.body)
        if length and not self.chunked:
            self.end += int(length[1])
        return True

    def _next_chunk(self) -> bool:
        """Step over a chunk that has arrived (RFC 9112, section 7.1); return False where there is none."""
        line = self.data.find(b"\r\n", self.end)
        if line < 0:
            self.chunked = len(self.data) - self.end <= LARGEST_HEAD  # else gunicorn refuses it
            return False
        try:
            size = int(self.data[self.end : line].split(b";")[0], 16)
        except ValueError:
            self.chunked = False  # gunicorn refuses it
            return False
        if size > 0:
            self.end = line + 2 + size + 2
            return self.end <= len(self.data) and self.end - self.body <= LARGEST_BODY
        if self.data.find(b"\r\n\r\n", line) >= 0 or len(self.data) - line > LARGEST_HEAD:
            self.chunked, self.end = False, len(self.data)
        return False


class IntakeWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A gthread worker whose threads never wait for a request that is on its way."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.incoming: dict[Any, Incoming] = {}  # by connection, the oldest first
        self.held = 0  # bytes of them, and of the requests that threads have
        self.leaving: dict[Any, float] = {}  # answered connections, and when they are closed
        self.swept = 0.0  # when slow connections were looked for
        self.may_stay = Semaphore(max(1, self.cfg.threads // STAYING_SHARE))

    def enqueue_req(self, connection: Any) -> None:
        """Read what a connection has sent; give it to a thread once that is a whole request.

        Called by gunicorn in the first thread: for a new connection, and for one that has sent something.
        """
        incoming = _next_request(connection)
        self.held += len(incoming.data)
        if incoming.data and incoming.is_whole() and not self._is_full_for(incoming):
            self._hand_over(connection, incoming)  # as mostly: nothing is to be watched
            return
        self.incoming[connection] = incoming
        self.poller.register(connection.sock, EVENT_READ, partial(self._read, connection))
        self._go_on(connection, incoming)

    def _read(self, connection: Any, _sock: Any) -> None:
        incoming = self.incoming[connection]
        piece = _received(connection)
        if piece == b"":
            self._drop(connection)
        elif piece:
            self.held += len(piece)
            incoming.add(piece)
            self._go_on(connection, incoming)

    def _go_on(self, connection: Any, incoming: Incoming) -> None:
        if self._is_full_for(incoming):
            self._drop(max(self.incoming, key=lambda each: len(self.incoming[each].data)))
        if connection not in self.incoming:
            return
        if incoming.data and incoming.is_whole():
            self._forget(connection)
            self._hand_over(connection, incoming)
        elif incoming.expects_continue:
            _send(connection, CONTINUE)

    def _is_full_for(self, incoming: Incoming) -> bool:
        return self.held > MOST_HELD and len(incoming.data) > SMALL

    def _hand_over(self, connection: Any, incoming: Incoming) -> None:
        connection.held = len(incoming.data)
        connection.arrived = monotonic()
        connection.data_ready = True  # gunicorn need not wait for its first byte
        connection.is_partial = incoming.too_large
        connection.init()
        connection.parser.unreader.unread(bytes(incoming.data))
        self.submit(connection)

    def handle(self, connection: Any) -> Any:
        """Answer the request that has come on a connection, and those that follow at once."""
        answer = super().handle(connection)
        while answer is True and self._has_next(connection):
            answer = super().handle(connection)
        return answer

    def _has_next(self, connection: Any) -> bool:
        """Wait a moment, in a thread, for the next request; return whether all of it has come.

        The way by the first thread to another thread costs as much as serving a bare page.
        """
        if not self.alive or not self.may_stay.acquire(blocking=False):
            return False
        try:
            if not _is_readable(connection, STAY):
                return False
        finally:
            self.may_stay.release()
        incoming = _next_request(connection)
        connection.arrived, connection.is_partial = monotonic(), False
        connection.parser.unreader.unread(bytes(incoming.data))
        return bool(incoming.data) and incoming.is_whole() and not incoming.too_large

    def submit(self, connection: Any) -> None:
        """Give a connection whose request has arrived to a thread."""
        super().enqueue_req(connection)

    def handle_request(self, request: Any, connection: Any) -> Any:
        """Answer a request; close the connection if its body is not read."""
        return super().handle_request(request, connection) and not connection.is_partial

    def release(self, connection: Any) -> None:
        """Count the request of a connection no more."""
        self.held -= connection.held
        connection.held = 0

    def finish_request(self, connection: Any, done: Any) -> None:
        """Wait for the next request of a connection, or close it once its client has, after an answer."""
        if done.cancelled() or done.exception() or done.result():
            super().finish_request(connection, done)
            return
        try:
            connection.sock.setblocking(False)
            connection.sock.shutdown(SHUT_WR)
            self.poller.register(connection.sock, EVENT_READ, partial(self._drain, connection))
        except (OSError, ValueError):  # it is closed already
            self._close(connection)
        else:
            self.leaving[connection] = monotonic() + LINGER

    def _drain(self, connection: Any, _sock: Any) -> None:
        if _received(connection) == b"":
            self._close(connection)

    def _forget(self, connection: Any) -> None:
        del self.incoming[connection]
        self.poller.unregister(connection.sock)

    def _drop(self, connection: Any, words: bytes = b"") -> None:
        if words:
            _send(connection, words)
        self.held -= len(self.incoming[connection].data)
        self._forget(connection)
        self.nr_conns -= 1
        connection.close()

    def _close(self, connection: Any) -> None:
        if self.leaving.pop(connection, None):
            self.poller.unregister(connection.sock)
        self.nr_conns -= 1
        connection.close()

    def murder_pending(self) -> None:
        """Close connections that take too long to send a request, or to end."""
        super().murder_pending()
        now = monotonic()
        if now - self.swept < SWEEP_EVERY:
            return
        self.swept = now
        silent = SILENT if self.alive else PARTING
        for connection, incoming in list(self.incoming.items()):
            if incoming.data and now - incoming.since > WITHIN:
                self._drop(connection, TOO_SLOW)
            elif not incoming.data and now - incoming.since > silent:
                self._drop(connection)
        for connection, until in list(self.leaving.items()):
            if now > until:
                self._close(connection)


def _next_request(connection: Any) -> Incoming:
    """Return what is there of a connection's next request."""
    incoming = Incoming()
    if connection.parser is not None:
        incoming.add(connection.parser.unreader.take_buffered())  # it came with the request before
    incoming.add(_received(connection) or b"")
    return incoming


def _is_readable(connection: Any, milliseconds: int) -> bool:
    """Return whether something comes on a connection within a time, if only its end."""
    poll = select.poll()
    poll.register(connection.sock.fileno(), select.POLLIN)
    return bool(poll.poll(milliseconds))


def _received(connection: Any) -> bytes | None:
    """Return what a connection has sent: b"" if it has ended, None if nothing is there now."""
    try:
        return bytes(connection.sock.recv(PIECE, MSG_DONTWAIT))
    except (BlockingIOError, InterruptedError):
        return None
    except OSError:
        return b""


def _send(connection: Any, words: bytes) -> None:
    with suppress(OSError):  # a client that does not read it does without
        connection.sock.send(words, MSG_DONTWAIT)
