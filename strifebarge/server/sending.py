"""Sending: what a client does not take of its answer at once is sent on by the first thread.

gunicorn's threads wait until a client has taken its answer.  So a few clients that read slowly keep everybody
else waiting, and a form keeps its place in the lane meanwhile.  Here no thread waits for a client.
"""

from contextlib import suppress
from functools import partial
from selectors import EVENT_WRITE
from socket import MSG_DONTWAIT, socket
from time import monotonic
from typing import Any

from strifebarge.server.intake import PIECE, IntakeWorker

STUCK = 10.0  # seconds in which a client must take some bytes of its answer
MOST_UNSENT = 2**24  # bytes of answers that clients have not taken, in one worker
MOST_HELD_BACK = 500  # answers, in one worker; others are sent at once


class AnswerSocket(socket):
    """A client's socket that never waits: it keeps the bytes which the client does not take now."""

    def __init__(self, descriptor: int):
        super().__init__(fileno=descriptor)
        self.unsent = bytearray()
        self.held_until = 0.0  # when its answer may be sent

    def hold_back(self, seconds: float) -> None:
        """Send nothing for some seconds."""
        self.held_until = monotonic() + seconds

    def sendall(self, data: Any, flags: int = 0) -> None:
        """Send some bytes after those that are not sent.  Raises OSError for a connection that is lost."""
        self.unsent += data
        self.send_on()

    def send_on(self) -> int:
        """Send what the client takes now; return how many bytes that is.  Raises OSError as above."""
        before = len(self.unsent)
        if monotonic() < self.held_until:
            return 0
        with suppress(BlockingIOError, InterruptedError):
            while self.unsent:
                del self.unsent[: self.send(self.unsent[:PIECE], MSG_DONTWAIT)]
        return before - len(self.unsent)


class SendingWorker(IntakeWorker):
    """A gthread worker whose threads never wait for a client to take its answer."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.sending: dict[Any, float] = {}  # connections that take their answers, and until when they must
        self.holding: dict[
            Any, Any
        ] = {}  # connections whose answers are held back, and what their threads did

    def enqueue_req(self, connection: Any) -> None:
        """Read what a connection has sent."""
        if not isinstance(connection.sock, AnswerSocket):
            connection.sock = AnswerSocket(connection.sock.detach())
            connection.sock.setblocking(False)
        super().enqueue_req(connection)

    def _has_next(self, connection: Any) -> bool:
        return not connection.sock.unsent and super()._has_next(connection)

    def finish_request(self, connection: Any, done: Any) -> None:
        """Send the rest of an answer, if there is any, before a connection goes on or ends."""
        self.release(connection)
        if not connection.sock.unsent:
            super().finish_request(connection, done)
            return
        if self._has_to_wait(connection):
            self.holding[connection] = done
            return
        connection.sock.held_until = 0.0
        try:
            self.poller.register(connection.sock, EVENT_WRITE, partial(self._send_on, connection, done))
        except (OSError, ValueError):  # it is closed already
            self._lose(connection)
            return
        self.sending[connection] = monotonic() + STUCK
        if sum(len(each.sock.unsent) for each in self.sending) > MOST_UNSENT:
            self._give_up(max(self.sending, key=lambda each: len(each.sock.unsent)))

    def _has_to_wait(self, connection: Any) -> bool:
        is_held = self.alive and monotonic() < connection.sock.held_until
        return is_held and (connection in self.holding or len(self.holding) < MOST_HELD_BACK)

    def _send_on(self, connection: Any, done: Any, _sock: Any) -> None:
        try:
            if connection.sock.send_on():
                self.sending[connection] = monotonic() + STUCK
        except OSError:
            self._give_up(connection)
            return
        if not connection.sock.unsent:
            self._stop_sending(connection)
            self.finish_request(connection, done)

    def _stop_sending(self, connection: Any) -> None:
        del self.sending[connection]
        self.poller.unregister(connection.sock)

    def _give_up(self, connection: Any) -> None:
        self._stop_sending(connection)
        self._lose(connection)

    def _lose(self, connection: Any) -> None:
        self.nr_conns -= 1
        connection.close()

    def murder_pending(self) -> None:
        """Close connections whose clients take nothing of their answers; send those that were held back."""
        super().murder_pending()
        now = monotonic()
        for connection, until in list(self.sending.items()):
            if now > until:
                self._give_up(connection)
        for connection, done in list(self.holding.items()):
            if not self._has_to_wait(connection):
                del self.holding[connection]
                self.finish_request(connection, done)
