"""Rules that never come back are given up after a while, by the clock of the processor."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from strifebarge.fuzz.law import Law, Unlawful

PATIENCE = 5.0  # seconds of the processor's time for one act, or one look at a position


class RulesHang(BaseException):
    """Not an Exception, so that no rule swallows it."""


@contextmanager
def time_limit(seconds: float = PATIENCE) -> Iterator[None]:
    """Raise Unlawful for what takes longer in here.  Only the main thread can be stopped, and on POSIX."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:
        raise RulesHang

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    except RulesHang as hung:
        message = f"the rules do not come back within {seconds:g} seconds"
        raise Unlawful(Law.ENDLESS, message) from hung
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
