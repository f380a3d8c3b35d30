"""The backups in a folder: what they are called, how old the newest is, and which are kept."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

NAME = "strifebarge-{:%Y%m%d-%H%M%S}.zip"  # of a backup, by the time when it was begun, UTC
PATTERN = re.compile(r"strifebarge-(\d{8}-\d{6})\.zip")
DAYS, WEEKS, MONTHS = 7, 4, 12  # of each of the last ones the newest backup is kept
OLD = 36 * 3600.0  # seconds after which a nightly backup is missed
BEGINNING = 600.0  # seconds after a start of the site in which one that is due may still be made


def name_of(moment: datetime) -> str:
    """Return the name of a backup that is begun at a moment."""
    return NAME.format(moment.astimezone(UTC))


def moment_of(file: Path) -> datetime | None:
    """Return when a backup was begun, by its name; None for any other file."""
    match = PATTERN.fullmatch(file.name)
    try:
        return datetime.strptime(match[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC) if match else None
    except ValueError:  # no such day
        return None


def backups_in(folder: Path) -> dict[datetime, Path]:
    """Return the backups of a folder, oldest first; none where it is not there, or cannot be looked into."""
    try:
        files = [*folder.iterdir()]
    except OSError:
        return {}
    return dict(sorted((moment, file) for file in files if (moment := moment_of(file))))


def newest(folder: Path) -> datetime | None:
    """Return when the newest backup of a folder was begun; None where there is none."""
    return max(backups_in(folder), default=None)


def is_missed(last: datetime | None, now: float, uptime: float) -> bool:
    """Return whether a backup should be there that is not; what is due at the start is begun then."""
    is_due = last is None or now - last.timestamp() > OLD
    return is_due and uptime > BEGINNING


def expired_backups(moments: Iterable[datetime]) -> list[datetime]:
    """Return the backups that need not be kept: but for the newest of the last days, weeks and months."""
    ordered = sorted(moments, reverse=True)
    days: set[datetime] = set()
    for most, period in ((DAYS, "%Y%m%d"), (WEEKS, "%G%V"), (MONTHS, "%Y%m")):
        first = {f"{moment:{period}}": moment for moment in reversed(ordered)}  # the newest stays
        days |= set(sorted(first.values(), reverse=True)[:most])
    return [moment for moment in ordered if moment not in days]
