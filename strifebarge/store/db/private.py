"""The permissions of SQLite's files: they hold sessions, hidden hands and what people said."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from sqlalchemy import make_url

OTHERS = stat.S_IRWXG | stat.S_IRWXO
BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite makes these with the permissions of its main file


def keep_private(database_url: str) -> None:
    """Let only its owner read the file of an SQLite database; make it, empty, if it is not there yet.

    Leaves the files of another owner as they are, and other databases alone.
    """
    url = make_url(database_url)
    name = url.database or ""
    if url.get_backend_name() != "sqlite" or not name or name.startswith((":", "file:")):
        return
    with suppress(OSError):  # whether it can be used is told by SQLite, in its own words
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for path in (Path(name + ending) for ending in BESIDE):
        with suppress(OSError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)
