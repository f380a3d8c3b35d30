"""How a process manages its memory: what the C library hands back to the system, and when Python collects."""

import ctypes
import gc
import os
from contextlib import suppress

# Bytes: what is larger has a mapping of its own, which ends when it is freed.  Left alone, glibc raises this
# after the first hash of a password (19 MiB): then 16 threads keep 318 MB instead of 14.
LARGE = 512 * 1024
# Heaps of all threads: what one thread has freed another may use.  Left alone, glibc makes eight for each
# processor.
HEAPS = 2
# What glibc's mallopt is told, by the variables with which a host may have set the same.
OPTIONS = {"MALLOC_MMAP_THRESHOLD_": (-3, LARGE), "MALLOC_ARENA_MAX": (-8, HEAPS)}

# Objects that are made until Python looks for garbage among them; how many looks until one at older ones.
COLLECT_AFTER = (5_000, 20, 20)
TRIM_EVERY = 30.0  # seconds


def spare_what_lasts() -> None:
    """Let Python look for garbage among what requests make, and not among the site's own code and data.

    What is there by now lasts as long as the process.  To look through it took a tenth of the processor under
    load, and held up all requests for 70 milliseconds each time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def trim(_now: float) -> None:
    """Give back to the system what lies free between things that last; it takes some 2 milliseconds.

    What answers were made in is freed among pages and pieces that are kept, so the C library alone, which
    gives back only the ends of its heaps, would keep 10 MB of it after a hundred games.
    """
    with suppress(AttributeError, OSError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)


def return_memory() -> bool:
    """Let memory that is freed be returned to the system; return whether the C library can be told to.

    What the environment says of it already holds.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # not glibc
        return False
    return all([name in os.environ or mallopt(*option) == 1 for name, option in OPTIONS.items()])
