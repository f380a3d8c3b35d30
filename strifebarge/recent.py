"""What has happened lately on this machine, for its host: errors of the log, and slow answers.

Nothing of it lasts: it is kept in a file without a name, in memory where that can be, which all processes
that are forked later share.
"""

import fcntl
import logging
import os
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from weakref import finalize

import msgspec

from .answered import Answered
from .logs import LOGGER, Beside, LogEvent

OURS = Path(__file__).parent
SLOW = 1.0  # seconds that an answer takes
LONGEST = 300  # characters of what is kept of an error
FULL = 64 * 1024  # bytes, after which the older half is dropped


class Happened(msgspec.Struct, frozen=True):
    """An error, or a slow answer: when, in seconds since 1970, what, and where in the code."""

    at: float
    kind: str  # "error" or "slow"
    words: str
    where: str = ""


def _file_without_a_name() -> int:
    """Return the descriptor of a new file that only this process, and those it forks, can have."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("strifebarge-recent")
    with TemporaryFile() as made:
        return os.dup(made.fileno())


class Recent:
    """What has happened lately, in all processes that share it."""

    def __init__(self) -> None:
        self.file = _file_without_a_name()
        self.lock = Lock()
        finalize(self, os.close, self.file)

    def listen(self) -> None:
        """Note each error of this process's log from now on; nothing else does any more."""
        log = logging.getLogger(LOGGER)
        for handler in [each for each in log.handlers if isinstance(each, Errors)]:
            log.removeHandler(handler)
        log.addHandler(Errors(self))

    def answered(self, done: Answered) -> None:
        """Note a request whose answer took long."""
        if done.seconds >= SLOW:
            words = f"{done.method} {done.route} {done.status}, {done.seconds:.1f} s"
            self.note(Happened(time.time(), "slow", words))

    def note(self, happened: Happened) -> None:
        """Keep what has happened; a full disk keeps nothing."""
        with suppress(OSError), self._alone():
            lines = self._lines()
            if len(lines) > FULL:
                lines = lines[-(FULL // 2) :].partition(b"\n")[2]
                os.ftruncate(self.file, len(lines))
                os.pwrite(self.file, lines, 0)
            os.pwrite(self.file, msgspec.json.encode(happened) + b"\n", len(lines))

    def latest(self, kind: str, most: int) -> list[Happened]:
        """Return what has happened of a kind, the newest first."""
        with self._alone():
            lines = self._lines().splitlines()
        return [each for line in reversed(lines) if (each := read(line)) and each.kind == kind][:most]

    def _lines(self) -> bytes:
        return os.pread(self.file, os.fstat(self.file).st_size, 0)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads and processes out; the lock of a process that dies ends with it."""
        with self.lock:
            fcntl.lockf(self.file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self.file, fcntl.LOCK_UN)


def read(line: bytes) -> Happened | None:
    """Return what a line tells; None for one that is not whole, as a full disk or a kill leaves it."""
    try:
        return msgspec.json.decode(line, type=Happened)
    except msgspec.DecodeError:
        return None


class Errors(Beside):
    """Keeps each error of the log: its first line, and where in our own code it was raised."""

    def __init__(self, recent: Recent) -> None:
        super().__init__(logging.ERROR)
        self.recent = recent

    def emit(self, record: logging.LogRecord) -> None:
        """Note an error."""
        with suppress(Exception):  # what fails here must not fail the page that logged it
            error = record.exc_info[1] if record.exc_info else None
            words = words_of(record) + (f" ({type(error).__name__})" if error else "")
            self.recent.note(Happened(record.created, "error", words[:LONGEST], place_of(error)))


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
