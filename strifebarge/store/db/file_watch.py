"""Tells whether anybody has written to a file of SQLite, or moved it, at next to no cost."""

import os
import sqlite3


class FileWatch:
    """Watches one file for a thread, by what SQLite counts of the changes that others make."""

    def __init__(self, path: str):
        self.path = path
        self.connection: sqlite3.Connection | None = None
        self.version = 0  # what the file said at the last look

    def has_changed(self) -> bool:
        """Return whether anybody has written to the file since this was last asked."""
        if self.connection is None:
            self.connection = sqlite3.connect(self.path)
            self.connection.execute("PRAGMA query_only = ON")
        [version] = self.connection.execute("PRAGMA data_version").fetchone()
        before, self.version = self.version, version
        return bool(version != before)

    def close(self) -> None:
        """Close the file."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None


class FilePlace:
    """Tells whether a file is still where it was first opened: what is written to another one is lost."""

    def __init__(self, path: str):
        self.path = path
        self._opened: tuple[int, int] | None = None

    def note_opened(self) -> None:
        """Note which file is there, the first time."""
        self._opened = self._opened or self._there()

    def is_gone(self) -> bool:
        """Return whether the file was moved, deleted or replaced since it was opened."""
        return self._opened is not None and self._there() != self._opened

    def _there(self) -> tuple[int, int] | None:
        """Return what tells the file from all others, as long as it lasts; None where there is none."""
        try:
            stat = os.stat(self.path)
        except OSError:
            return None
        return stat.st_dev, stat.st_ino
