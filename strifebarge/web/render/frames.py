"""The frame in a page that waits without scripts: it reloads itself and tells of changes."""

from collections.abc import Callable
from typing import Any

from flask import Response, render_template, request

# Seconds from one reload to the next; `SLOW` where there are days for a move.
QUICK = [5, 5, 10, 10, 20, 20, 30, 30, *[60] * 58]
SLOW = [60] * 10 + [120] * 10 + [300] * 6

UNTOLD = {"my_turn": False, "left": "", "missed": ""}  # what only a table's frame tells


def period_after(times: int, slow: bool = False) -> int | None:
    """Return the seconds until a frame reloads after a number of `times`; None when it has waited enough."""
    steps = SLOW if slow else QUICK
    return steps[times] if times < len(steps) else None


def frame(
    link: Callable[..., str],
    page: str,
    etag: str,
    most: int = 0,
    slow: bool = False,
    news: Callable[[str], str] = str,
    **facts: Any,
) -> Response:
    """Return what a page that waits without scripts shows in its frame, which reloads only itself.

    `link(**query)` is the frame's own address, `page` that of the page it tells about, `etag` the state of
    that page now, `most` the longest time to wait in seconds; `slow` where there are days for a move.
    `news(etag)` is what of a state is worth telling.
    """
    times, last = min(max(request.args.get("n", 0, type=int), 0), 1000), request.args.get("v", etag)
    period = period_after(times, slow)
    parameters = {"mine": 1} if request.args.get("mine") else {}
    body = render_template(
        "status.html",
        page=page,
        moved=news(last) != news(etag),
        period=min(period, most) if period and most else period,
        again=link(v=last, n=times + 1, **parameters),
        anew=link(v=etag),
        stop=link(v=etag, n=1000),
        **(UNTOLD | facts),
    )
    return Response(body, headers={"Cache-Control": "no-store"})
