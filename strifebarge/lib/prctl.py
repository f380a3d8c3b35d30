"""What this process tells the system of itself: its name, signals and files, and how its family ends.

Where the system can be told nothing, nothing happens.
"""

import ctypes
import gc
import resource
import signal
from contextlib import suppress
from signal import Signals

SET_PARENT_DEATH_SIGNAL, SET_NAME, SET_CHILD_SUBREAPER = 1, 15, 36  # of Linux's prctl
LONGEST_NAME = 15  # bytes
SYSTEM = ctypes.CDLL(None)  # found before a fork, after which only a little may be done


def name_process(name: str) -> None:
    """Give this process a name, as ps shows it: 15 characters at most."""
    _set(SET_NAME, name.encode()[:LONGEST_NAME])


def begin_helper(name: str, alone: bool = False) -> set[Signals]:
    """Name this process as a helper of the site; return the signals that are to end it, blocked from now on.

    Call it before any thread is started: signals end the process by a thread in which they are not blocked.
    `alone`: nothing else is run beside it, so Ctrl+C and the end of its terminal end it too.
    """
    name_process(name)
    gc.freeze()  # what was there before the fork stays shared: no collection touches it
    ends = {Signals.SIGTERM, Signals.SIGINT, Signals.SIGHUP} if alone else {Signals.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    for each in {Signals.SIGINT, Signals.SIGHUP, Signals.SIGUSR1, Signals.SIGUSR2} - ends:
        signal.signal(each, signal.SIG_IGN)  # they are for gunicorn, in a group with which this may be
    return ends


def raise_file_limit(wanted: int) -> int:
    """Let this process open so many files, or as many as the system allows; return how many these are."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    if now != resource.RLIM_INFINITY and now < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    return allowed


def end_with_parent(number: Signals) -> None:
    """Let this process get a signal when the thread that started it ends."""
    _set(SET_PARENT_DEATH_SIGNAL, number)


def adopt_orphans() -> None:
    """Let the processes whose parents end, of those that come from this one, become its children."""
    _set(SET_CHILD_SUBREAPER, 1)


def _set(option: int, value: int | bytes) -> None:
    with suppress(AttributeError, OSError):
        SYSTEM.prctl(option, value, 0, 0, 0)
