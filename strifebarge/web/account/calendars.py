"""Write what waits for somebody as a calendar (RFC 5545)."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from icalendar import Alarm, Calendar, Event, Todo


class CalendarTask(NamedTuple):
    """A table that waits for somebody."""

    id: str
    created: float  # seconds since 1970
    deadline: float | None  # seconds since 1970
    sentence: str
    url: str


def calendar_of(tasks: Iterable[CalendarTask]) -> bytes:
    """Return a calendar: a task for each, or an event with an alarm for what has a deadline."""
    calendar = Calendar()
    calendar.add("prodid", "-//StrifeBarge//StrifeBarge//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", "StrifeBarge")
    for task in tasks:
        calendar.add_component(_entry(task))
    written: bytes = calendar.to_ical()
    return written


def _entry(task: CalendarTask) -> Any:
    entry: Any = Todo() if task.deadline is None else Event()
    begun = datetime.fromtimestamp(task.created, UTC).replace(microsecond=0)
    entry.add("uid", task.id)
    entry.add("dtstamp", begun)
    entry.add("summary", task.sentence)
    entry.add("url", task.url)
    if task.deadline is None:
        entry.add("dtstart", begun)
        entry.add("status", "NEEDS-ACTION")
        return entry
    end = datetime.fromtimestamp(task.deadline, UTC).replace(microsecond=0)
    entry.add("dtstart", end)
    entry.add("dtend", end)
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", task.sentence)
    alarm.add("trigger", (begun - end) / 4)  # when a quarter of the time is left
    entry.add_component(alarm)
    return entry
