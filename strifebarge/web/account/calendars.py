"""Write what waits for somebody as a calendar (RFC 5545)."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

from icalendar import Alarm, Calendar, Event, Todo


class Task(NamedTuple):
    """A table that waits for somebody."""

    id: str
    made: float  # seconds since 1970
    deadline: float | None  # seconds since 1970
    sentence: str
    url: str


def calendar_of(tasks: Iterable[Task]) -> bytes:
    """Return a calendar: a task for each, or an event with an alarm for what has a deadline."""
    found = Calendar()
    found.add("prodid", "-//StrifeBarge//StrifeBarge//EN")
    found.add("version", "2.0")
    found.add("x-wr-calname", "StrifeBarge")
    for task in tasks:
        found.add_component(_entry(task))
    written: bytes = found.to_ical()
    return written


def _entry(task: Task) -> Any:
    entry: Any = Todo() if task.deadline is None else Event()
    begun = datetime.fromtimestamp(task.made, UTC).replace(microsecond=0)
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
