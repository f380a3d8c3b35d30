"""How long what is being rendered stays true: words such as "3 minutes ago" change with time alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf

from strifebarge.web.http.request_store import request_globals


def changes_at(moment: float) -> None:
    """Note that what is being rendered says something else from a moment on, in seconds since 1970."""
    g = request_globals()
    if moment < g.lasts_until:
        g.lasts_until = moment


@contextmanager
def noting_changes() -> Iterator[list[float]]:
    """Yield a list that holds, at the end of the block, the moment until which its output stays true.

    What lies around the block stays true no longer than that.
    """
    g = request_globals()
    before, g.lasts_until = g.lasts_until, inf
    until = [inf]
    try:
        yield until
    finally:
        until[0] = g.lasts_until
        g.lasts_until = min(before, until[0])
