"""What a form has gone through before the site has looked at it: how long it waited, and whether in vain.

The workers of a machine know of each other since when their oldest form waits: nobody's time runs out before
a form is looked at that came in time.  They also know where a player's form was turned away: no time runs out
at that table before it can be sent again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from mmap import mmap
from time import monotonic
from zlib import crc32

from strifebarge.lib.busy import Busy

WORKERS = 256  # of one machine that can be told apart
HOLDS = 10.0  # seconds: a form waits for a place and for the database no longer; its worker may have died

TABLES = 4096  # tables that can be told apart, by a hash of their id
SENT_AGAIN = 30.0  # seconds in which a form that was turned away can be sent again

_oldest = memoryview(mmap(-1, WORKERS * 8)).cast("d")  # made before workers are forked: they share it
_turned_away = memoryview(mmap(-1, TABLES * 8)).cast("d")  # when a player's form was, at each table

_seconds: ContextVar[float] = ContextVar("seconds", default=0.0)
_in_vain: ContextVar[bool] = ContextVar("in_vain", default=False)


@contextmanager
def queue_time_set(seconds: float, in_vain: bool) -> Iterator[None]:
    """Let what is done inside know how many seconds ago its form came, and whether it is turned away."""
    waited, turned_away = _seconds.set(seconds), _in_vain.set(in_vain)
    try:
        yield
    finally:
        _seconds.reset(waited)
        _in_vain.reset(turned_away)


def seconds_waited() -> float:
    """Return how many seconds ago the form came that is being carried out."""
    return _seconds.get()


def must_have_place() -> None:
    """Require that the form was let in.  Raises Busy for one that others have kept waiting for too long."""
    if _in_vain.get():
        raise Busy("too many forms wait")


def note_oldest(worker: int, came: float) -> None:
    """Note since when the oldest form of a worker waits, by the machine's monotonic clock; 0 for none."""
    _oldest[worker % WORKERS] = came


def longest_wait() -> float:
    """Return for how many seconds the oldest form on this machine has waited; 0 if none does."""
    now = monotonic()
    waits = (now - came for came in _oldest if came)
    return max((wait for wait in waits if wait <= HOLDS), default=0)


def note_turned_away(table: str) -> None:
    """Note that the site was too busy for a form of somebody who sits at a table."""
    _turned_away[_slot(table)] = monotonic()


def may_send_again(table: str) -> bool:
    """Return whether a player's form was turned away so lately that it may not have been sent again yet."""
    at = _turned_away[_slot(table)]
    return at > 0 and monotonic() - at < SENT_AGAIN


def _slot(table: str) -> int:
    return crc32(table.encode()) % TABLES
