"""Write what waits for somebody as a calendar (RFC 5545)."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard, Todo

from strifebarge.notifications.relevance import Deadline


class CalendarTask(NamedTuple):
    """A table that waits for somebody.  Times are seconds since 1970."""

    id: str
    created: float
    revised: float  # when its deadline may last have moved
    deadline: Deadline | None
    sentence: str
    url: str


def calendar_of(tasks: Iterable[CalendarTask]) -> bytes:
    """Return a calendar: a task for each, or an event with an alarm for what has a deadline."""
    calendar = Calendar()
    calendar.add("prodid", "-//StrifeBarge//StrifeBarge//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "StrifeBarge")
    calendar.add_component(_utc())  # a calendar needs a component, also while nothing waits
    for task in tasks:
        calendar.add_component(_entry(task))
    written: bytes = calendar.to_ical()
    return written


def _entry(task: CalendarTask) -> Any:
    entry: Any = Todo() if task.deadline is None else Event()
    entry.add("uid", task.id)
    entry.add("dtstamp", _moment(task.revised))
    entry.add("sequence", int(task.revised) - int(task.created))  # calendars take the highest
    entry.add("summary", task.sentence)
    entry.add("url", task.url)
    if task.deadline is None:
        entry.add("dtstart", _moment(task.created))
        entry.add("status", "NEEDS-ACTION")
        return entry
    entry.add("dtstart", _moment(task.deadline.at))  # without an end it is a moment
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", task.sentence)
    alarm.add("trigger", -timedelta(seconds=task.deadline.time // 4))  # when a quarter of the time is left
    entry.add_component(alarm)
    return entry


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(int(seconds), UTC)


def _utc() -> Timezone:
    """Return the time zone of all moments here."""
    zone, standard = Timezone(), TimezoneStandard()
    zone.add("tzid", "UTC")
    standard.add("dtstart", datetime(1970, 1, 1))
    standard.add("tzoffsetfrom", timedelta(0))
    standard.add("tzoffsetto", timedelta(0))
    zone.add_component(standard)
    return zone
