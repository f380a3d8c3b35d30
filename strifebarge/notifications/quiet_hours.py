"""Times of somebody's own day: when a clock next shows a time, and when quiet hours end."""

from datetime import datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal


def next_minute(now: float, minute: int, zone: ZoneInfo) -> float:
    """Return the next moment after `now` when clocks of the zone show that minute of a day.

    Where they are put back, an hour comes twice, and so may the minute; one that is left out when they
    are put forward comes an hour later.
    """
    today = datetime.fromtimestamp(now, zone).date()
    time_of_day = time(minute // 60, minute % 60)
    candidates = [
        datetime.combine(today + timedelta(days), time_of_day, zone).replace(fold=fold).timestamp()
        for days in (0, 1, 2)
        for fold in (0, 1)
    ]
    return min(
        moment
        for moment, fold in zip(candidates, (0, 1) * 3, strict=True)
        if moment > now and (fold == 0 or datetime.fromtimestamp(moment, zone).time() == time_of_day)
    )


def after_quiet(now: float, quiet: tuple[int, int] | None, zone: ZoneInfo) -> float:
    """Return `now`, or the end of the quiet hours that it lies in."""
    if quiet is None:
        return now
    begin, end = quiet
    local = datetime.fromtimestamp(now, zone)
    minute = local.hour * 60 + local.minute
    inside = begin <= minute < end if begin <= end else minute >= begin or minute < end
    return next_minute(now, end, zone) if inside else now


@lru_cache(1)
def zones() -> tuple[str, ...]:
    """Return the names of the time zones to choose from: those of places, by name, and UTC."""
    places = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return (*sorted(places), "UTC")


def zone_of(written: str) -> str:
    """Return the name of a time zone as it was written.  Raises Refused(WRONG_ZONE) if there is none."""
    if written not in zones():
        raise Refused(NotificationRefusal.WRONG_ZONE)
    return written


def time_in(zone: str, now: float) -> str:
    """Return the time of day in a time zone, such as 09:41."""
    return f"{datetime.fromtimestamp(now, ZoneInfo(zone)):%H:%M}"


def minute_of(written: str) -> int:
    """Convert a time such as 22:30 to minutes.  Raises Refused(WRONG_TIME)."""
    hour, colon, minute = written.strip().partition(":")
    digits = (hour + minute).isascii() and (hour + minute).isdigit()
    if not (colon and digits and len(hour) <= 2 and len(minute) == 2 and int(hour) < 24 and int(minute) < 60):
        raise Refused(NotificationRefusal.WRONG_TIME)
    return int(hour) * 60 + int(minute)
