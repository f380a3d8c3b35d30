"""What has happened lately on this machine, for its host: errors of the log, and slow answers.

Nothing of it lasts longer than the site runs.
"""

import logging
import time
import traceback
from contextlib import suppress
from pathlib import Path

import msgspec

from strifebarge.lib.shared_lines import SharedLines
from strifebarge.ops.logs import LOGGER, ExtraHandler, LogEvent
from strifebarge.ops.requests import AnsweredRequest

OURS = Path(__file__).parents[1]
SLOW = 1.0  # seconds that an answer takes
LONGEST = 300  # characters of what is kept of an error
FULL = 64 * 1024  # bytes, after which the older half is dropped


class Incident(msgspec.Struct, frozen=True):
    """An error, or a slow answer: when, in seconds since 1970, what, and where in the code."""

    at: float
    kind: str  # "error" or "slow"
    message: str
    where: str = ""


class IncidentLog:
    """What has happened lately, in all processes that share it."""

    def __init__(self) -> None:
        self.shared = SharedLines()

    def listen(self) -> None:
        """Note each error of this process's log from now on; nothing else does any more."""
        log = logging.getLogger(LOGGER)
        for handler in [each for each in log.handlers if isinstance(each, Errors)]:
            log.removeHandler(handler)
        log.addHandler(Errors(self))

    def answered(self, done: AnsweredRequest) -> None:
        """Note a request whose answer took long."""
        if done.seconds >= SLOW:
            message = f"{done.method} {done.route} {done.status}, {done.seconds:.1f} s"
            self.record(Incident(time.time(), "slow", message))

    def record(self, happened: Incident) -> None:
        """Keep what has happened; a full disk keeps nothing."""
        with suppress(OSError), self.shared.changing() as lines:
            if self.shared.size > FULL:
                del lines[: len(lines) // 2]
            lines.append(msgspec.json.encode(happened))

    def latest(self, kind: str, most: int) -> list[Incident]:
        """Return what has happened of a kind, the newest first."""
        return [each for line in reversed(self.shared.read()) if (each := read(line)) and each.kind == kind][
            :most
        ]


def read(line: bytes) -> Incident | None:
    """Return what a line tells; None for one that is not whole, as a full disk or a kill leaves it."""
    try:
        return msgspec.json.decode(line, type=Incident)
    except msgspec.DecodeError:
        return None


class Errors(ExtraHandler):
    """Keeps each error of the log: its first line, and where in our own code it was raised."""

    def __init__(self, recent: IncidentLog) -> None:
        super().__init__(logging.ERROR)
        self.recent = recent

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error."""
        with suppress(Exception):  # what fails here must not fail the page that logged it
            error = record.exc_info[1] if record.exc_info else None
            message = words_of(record) + (f" ({type(error).__name__})" if error else "")
            self.recent.record(Incident(record.created, "error", message[:LONGEST], place_of(error)))


def words_of(record: logging.LogRecord) -> str:
    """Return the first line of a record; of a game's fault without its message, which may hold a secret."""
    event = record.msg if isinstance(record.msg, LogEvent) else None
    if event and "error" in event.fields:
        return ", ".join(f"{name} {value}" for name, value in event.fields.items() if name != "error")
    return record.getMessage().partition("\n")[0]


def place_of(error: BaseException | None) -> str:
    """Return file and line of the innermost frame of our own code; "" for none."""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    ours = [each for each in frames if Path(each.filename).is_relative_to(OURS)]
    return f"{Path(ours[-1].filename).relative_to(OURS)}:{ours[-1].lineno}" if ours else ""
