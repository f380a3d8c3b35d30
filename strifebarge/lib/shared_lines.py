"""Lines of JSON that the processes of a site share: in a file without a name, in memory where that can be.

Made before the processes are forked.  The lock of a process that dies ends with it.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryFile
from threading import Lock
from weakref import finalize


class SharedLines:
    """A list of lines that any thread of any of the processes may read and change."""

    def __init__(self) -> None:
        if hasattr(os, "memfd_create"):
            self.file = os.memfd_create("strifebarge")
        else:
            with TemporaryFile() as file:
                self.file = os.dup(file.fileno())
        self.lock = Lock()
        finalize(self, os.close, self.file)

    @property
    def size(self) -> int:
        """The number of bytes; without a lock."""
        return os.fstat(self.file).st_size

    @contextmanager
    def changing(self) -> Iterator[list[bytes]]:
        """Yield the lines, to be changed by nobody else meanwhile; they are written if they differ then.

        Raises OSError where the disk is full.
        """
        with self.lock:
            fcntl.lockf(self.file, fcntl.LOCK_EX)
            try:
                before = os.pread(self.file, self.size, 0).splitlines()
                lines = before[:]
                yield lines
                if lines != before:
                    self._write(before, lines)
            finally:
                fcntl.lockf(self.file, fcntl.LOCK_UN)

    def _write(self, before: list[bytes], lines: list[bytes]) -> None:
        if before == lines[: len(before)]:  # an added line leaves the others as they are
            os.pwrite(self.file, b"".join(line + b"\n" for line in lines[len(before) :]), self.size)
        else:
            os.ftruncate(self.file, 0)
            os.pwrite(self.file, b"".join(line + b"\n" for line in lines), 0)

    def read(self) -> list[bytes]:
        """Return the lines."""
        with self.changing() as lines:
            return lines
