"""Tells Linux about this process: its name, and what becomes of it and of others when a parent ends.

Where the system can be told nothing, nothing happens.
"""

import ctypes
from contextlib import suppress
from signal import Signals

SET_PARENT_DEATH_SIGNAL, SET_NAME, SET_CHILD_SUBREAPER = 1, 15, 36  # of Linux's prctl
LONGEST_NAME = 15  # bytes
SYSTEM = ctypes.CDLL(None)  # found before a fork, after which only a little may be done


def name_process(name: str) -> None:
    """Give this process a name, as ps shows it: 15 characters at most."""
    _set(SET_NAME, name.encode()[:LONGEST_NAME])


def end_with_parent(number: Signals) -> None:
    """Let this process get a signal when the thread that started it ends."""
    _set(SET_PARENT_DEATH_SIGNAL, number)


def adopt_orphans() -> None:
    """Let the processes whose parents end, of those that come from this one, become its children."""
    _set(SET_CHILD_SUBREAPER, 1)


def _set(option: int, value: int | bytes) -> None:
    with suppress(AttributeError, OSError):
        SYSTEM.prctl(option, value, 0, 0, 0)
