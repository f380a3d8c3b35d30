"""The process that makes a backup each day, and deletes those that need not be kept."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from strifebarge.backup.kept import backups_in, expired_backups, name_of, newest
from strifebarge.lib.prctl import begin_helper, end_with_parent

NAME = "strifebarge-bkp"  # of the process
LOOK = 1.0  # seconds between two signs of life
AGAIN = 3600.0  # seconds after which a backup that failed is tried again

log = logging.getLogger("strifebarge.backup")


def run_nightly(folder: Path, beat: Callable[[], object]) -> None:
    """Make a backup in a folder each day (UTC) until SIGTERM; `beat` is called each second."""
    ends = begin_helper(NAME)
    log.setLevel(logging.INFO)
    nightly, failed = Nightly(folder), 0.0
    while signal.sigtimedwait(ends, LOOK) is None:
        beat()
        failed = max(0.0, failed - LOOK)
        if not failed and nightly.look(datetime.now(UTC)) is False:
            failed = AGAIN
    nightly.stop()


class Nightly:
    """Makes the backup of a day, in a process of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def look(self, now: datetime) -> bool | None:
        """Begin a backup if there is none of this day; return whether one that was begun has succeeded.

        Returns None where nothing is to be told yet.
        """
        if self.process is None:
            last = newest(self.folder)
            is_due = last is None or last.date() < now.date()
            return False if is_due and not self._begin(now) else None
        code = self.process.poll()
        if code is None:
            return None
        self.process = None
        if code:
            log.error("the nightly backup failed, with exit code %s: it is tried again in an hour", code)
            return False
        delete_surplus(self.folder)
        return True

    def _begin(self, now: datetime) -> bool:
        """Begin a backup; return False, with a line in the log, where the folder cannot be used."""
        if why := cannot_be_used(self.folder):
            log.error(
                "STRIFEBARGE_BACKUPS is %s, but no backup can be made there: %s. "
                "It is tried again in an hour.",
                self.folder,
                why,
            )
            return False
        command = [sys.executable, "-P", "-m", "strifebarge.cli", "backup", str(self.folder / name_of(now))]
        paths = os.pathsep.join(filter(None, sys.path))
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            command,
            env={**os.environ, "PYTHONPATH": paths},
            preexec_fn=_as_usual,
        )
        return True

    def stop(self) -> None:
        """End a backup that is being made: nothing of it is left."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()


def cannot_be_used(folder: Path) -> str:
    """Make a folder if it is not there; return why no backup can be kept in it, "" where one can."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return error.strerror or str(error)
    # Read too: what cannot be found there is made again and again.
    may = os.access(folder, os.R_OK | os.W_OK | os.X_OK)
    return "" if may else "this user may not read and write there"


def _as_usual() -> None:
    """Let signals end the process that makes a backup, so that it cleans up; it ends with this one."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent(signal.SIGINT)


def delete_surplus(folder: Path) -> None:
    """Delete the backups of a folder that need not be kept."""
    there = backups_in(folder)
    for moment in expired_backups(there):
        there[moment].unlink(missing_ok=True)
        log.info("%s is deleted: newer backups are kept", there[moment].name)
