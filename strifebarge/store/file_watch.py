"""Tells whether anybody has written to a file of SQLite, at next to no cost."""

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
