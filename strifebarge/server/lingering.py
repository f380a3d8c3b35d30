"""A thread that has answered stays with its connection for a moment: often the next request follows at once.

A browser that is sent elsewhere asks for that page, and a proxy sends the next visitor's request.  gunicorn
hands each connection back to the thread that watches them all, and from there to another thread, which costs
as much as all the rest of serving a bare page.
"""

import select
from collections import deque
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from .thread_pool import ThreadPool

MOMENT = 0.03  # seconds that a thread stays; nobody waits for longer because it does
SHARE = 4  # at most one thread of so many stays with a connection


class LingeringWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A gthread worker in which some threads stay with their connections for a moment."""

    tpool: ThreadPool

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.places = deque(range(max(1, self.cfg.threads // SHARE)))  # for threads that stay

    def get_thread_pool(self) -> ThreadPool:
        """Return the threads of this worker."""
        return ThreadPool(self.cfg.threads)

    def handle(self, connection: Any) -> Any:
        """Answer the request that has come on a connection, and those that follow at once."""
        answered = super().handle(connection)
        while answered is True and self.sends_more(connection):
            answered = super().handle(connection)
        return answered

    def sends_more(self, connection: Any) -> bool:
        """Return whether a request comes on a connection now, while this thread has nothing else to do."""
        if not self.alive or self.tpool.has_work() or connection.parser.unreader.buf.getvalue():
            return False
        try:
            place = self.places.pop()
        except IndexError:
            return False
        try:
            return comes(connection.sock.fileno(), MOMENT)
        finally:
            self.places.append(place)


def comes(descriptor: int, seconds: float) -> bool:
    """Return whether something comes on a socket within so many seconds, if only its end."""
    watched = select.poll()
    watched.register(descriptor, select.POLLIN)
    return bool(watched.poll(1000 * seconds))
