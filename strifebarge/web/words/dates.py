"""Dates and durations, for people and machines."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise

from markupsafe import Markup

from strifebarge.rules import Text, count
from strifebarge.rules.pace import DAY, HOUR, MINUTE
from strifebarge.web.http.services import now
from strifebarge.web.render.lasting import changes_at
from strifebarge.web.words.catalogue import say
from strifebarge.web.words.texts import render_text

MONTHS = [
    Text("January"),
    Text("February"),
    Text("March"),
    Text("April"),
    Text("May"),
    Text("June"),
    Text("July"),
    Text("August"),
    Text("September"),
    Text("October"),
    Text("November"),
    Text("December"),
]


def instant(seconds: float | None) -> Markup:
    """Return a moment, in seconds since 1970, for people and machines."""
    if seconds is None:
        return Markup()
    moment = datetime.fromtimestamp(seconds, UTC)
    text = say(
        "{day} {month} {year}, {time} UTC",
        day=moment.day,
        month=render_text(MONTHS[moment.month - 1]),
        year=moment.year,
        time=moment.strftime("%H:%M"),
    )
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat(timespec="seconds"), text)


def machine(seconds: float) -> str:
    """Return a moment, in seconds since 1970, as programs read it, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def referee_now() -> float:
    """Return the time at the tables, in seconds since 1970."""
    return now()


def day(seconds: float) -> Markup:
    """Return the day of a moment, in seconds since 1970."""
    moment = datetime.fromtimestamp(seconds, UTC)
    text = say(
        "on {day} {month} {year}",
        day=moment.day,
        month=render_text(MONTHS[moment.month - 1]),
        year=moment.year,
    )
    return Markup('<time datetime="{}">{}</time>').format(moment.date().isoformat(), text)


def ago(seconds: float) -> Markup:
    """Return how long ago a moment was, with the moment itself for machines and as a tooltip."""
    exact = instant(seconds)
    past = int(referee_now() - seconds)
    changes_at(seconds + _next_words(past))
    relative = render_text(_since(past))
    moment = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}" title="{}">{}</time>').format(moment, exact.striptags(), relative)


def _next_words(past: int) -> int:
    """Return after how many seconds since a moment the words for how long ago it was are other ones."""
    unit = MINUTE if past < HOUR else HOUR if past < DAY else DAY
    return max(past // unit + 1, 1) * unit


def _since(past: int) -> Text:
    if past < 60:
        return Text("just now")
    if past < 3600:
        return count("{n} minute ago", "{n} minutes ago", past // 60)
    if past < 86400:
        return count("{n} hour ago", "{n} hours ago", past // 3600)
    return count("{n} day ago", "{n} days ago", past // 86400)


def duration(seconds: float) -> Markup:
    """Return a duration in two units at most, rounded down: `2 days 3 hours`, `4 minutes`, `40 seconds`."""
    left = max(0, int(seconds))
    units: list[tuple[int, Callable[[int], Text]]] = [
        (DAY, lambda n: count("{n} day", "{n} days", n)),
        (HOUR, lambda n: count("{n} hour", "{n} hours", n)),
        (MINUTE, lambda n: count("{n} minute", "{n} minutes", n)),
        (1, lambda n: count("{n} second", "{n} seconds", n)),
    ]
    for (unit, phrase), (smaller, more) in pairwise(units):
        if left >= unit:
            rest = left % unit // smaller
            return render_text(phrase(left // unit)) + (" " + render_text(more(rest)) if rest else "")
    return render_text(units[-1][1](left))


def rough_duration(seconds: float) -> Markup:
    """Return how long something takes, in one unit, as it stands after `for` or `after`: 3 days."""
    if seconds < 3600:
        return render_text(count("{n} minute", "{n} minutes", max(1, int(seconds / 60))))
    if seconds < DAY:
        return render_text(count("{n} hour", "{n} hours", int(seconds / 3600)))
    return render_text(count("{n} day", "{n} days", int(seconds / DAY)))
