"""A thread that has answered stays with its connection for a moment: often the next request follows at once.

A browser that is sent elsewhere asks for that page, and a proxy sends the next visitor's request.  gunicorn
hands each connection back to the thread that watches them all, and from there to another thread, which costs
as much as all the rest of serving a bare page.  Under load no thread stays: it would answer one connection's
requests before those that have come on others.
"""

import select
from collections import deque
from time import monotonic
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from .thread_pool import ThreadPool

MOMENT = 0.03  # seconds that a thread stays; nobody waits for longer because it does
CALM = 0.5  # seconds without work for two threads at once, after which one may stay
SHARE = 4  # at most one thread of so many stays with a connection


class LingeringWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A gthread worker in which some threads stay with their connections for a moment."""

    tpool: ThreadPool

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(*arguments, **named)
        self.most_staying = max(1, self.cfg.threads // SHARE)
        self.busy_until = 0.0  # of the monotonic clock
        self.places = deque(range(self.most_staying))  # for threads that stay

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
        """Return whether a request comes on a connection now, while no other thread has anything to do."""
        if not self.alive or connection.parser.unreader.buf.getvalue():
            return False
        try:
            place = self.places.pop()
        except IndexError:
            return False
        try:
            return not self.is_busy() and comes(connection.sock.fileno(), MOMENT) and not self.is_busy()
        finally:
            self.places.append(place)

    def is_busy(self) -> bool:
        """Return whether there was work for other threads than those that stay, now or a short while ago.

        What waits on other connections cannot be asked for: the thread that watches them tells of it only
        when it gets its turn, which a thread that stays would delay.
        """
        now = monotonic()
        staying = self.most_staying - len(self.places)
        if self.tpool.has_work() or self.tpool.at_work() > staying:
            self.busy_until = now + CALM
        return now < self.busy_until


def comes(descriptor: int, seconds: float) -> bool:
    """Return whether something comes on a socket within so many seconds, if only its end."""
    watched = select.poll()
    watched.register(descriptor, select.POLLIN)
    return bool(watched.poll(1000 * seconds))
