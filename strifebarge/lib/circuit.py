"""A circuit: what has failed is left alone for some seconds, so that nobody waits for it again and again."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


class CircuitOpen(Exception):
    """It failed a moment ago, and is not asked now."""


class CircuitBreaker:
    """Asks a service that may be away.  After a failure it is not asked for `rest` seconds.

    Then one caller tries it, while the others are still told that it is away.
    """

    def __init__(self, rest: float, on_change: Callable[[Exception | None], object] = lambda why: None):
        """Begin with a service that is believed to answer.

        `on_change` is called with the error when it begins to fail, and with None when it answers again.
        """
        self.rest = rest
        self.on_change = on_change
        self.failed = False
        self.until = 0.0  # when it may be tried again, as time.monotonic() has it
        self.mutex = Lock()

    def ask(self, question: Callable[[], T]) -> T:
        """Return the answer.  Raises Open if it is not asked now, and what the question raises."""
        self._enter()
        try:
            answer = question()
        except Exception as why:
            self._record(why)
            raise
        self._record(None)
        return answer

    def _enter(self) -> None:
        with self.mutex:
            if self.failed:
                if monotonic() < self.until:
                    raise CircuitOpen
                self.until = monotonic() + self.rest  # this caller tries it for all

    def _record(self, why: Exception | None) -> None:
        with self.mutex:
            changed = self.failed is not (why is not None)
            self.failed = why is not None
            self.until = monotonic() + self.rest
        if changed:
            self.on_change(why)
