"""Whether the database can be written to, as the processes of this machine have found, and their uptime."""

import logging
from mmap import mmap
from time import monotonic

log = logging.getLogger("strifebarge")


class Health:
    """Remembers that the disk was full, or that the file of the database is gone, as long as that is so.

    One that is made before the workers are forked is shared by all of them: two bytes of memory.
    """

    def __init__(self) -> None:
        self._disk_full = mmap(-1, 1)
        self._file_gone = mmap(-1, 1)
        self._begun = monotonic()
        self.has_probe = False  # whether a thread of this process tries by itself if there is room again

    @property
    def uptime(self) -> float:
        """For how many seconds the site has been running on this machine."""
        return monotonic() - self._begun

    @property
    def disk_full(self) -> bool:
        """Whether the last attempt to write found no space left."""
        return self._disk_full[0] != 0

    def found_disk_full(self) -> None:
        """Note that there was no space left to write."""
        if not self.disk_full:
            self._disk_full[0] = 1
            log.error("The disk is full: games can be watched and not played, until there is room again.")

    def wrote(self, probe: bool = False) -> None:
        """Note that something was written; unless it is a probe it may have been small enough by chance."""
        if self.disk_full and (probe or not self.has_probe):
            self._disk_full[0] = 0
            log.warning("There is room on the disk again: games can be played.")

    @property
    def file_gone(self) -> bool:
        """Whether the file of the database is not where it was opened, or another file is there."""
        return self._file_gone[0] != 0

    def found_file(self, path: str, gone: bool) -> None:
        """Note whether the file of the database is where it was opened."""
        if gone == self.file_gone:
            return
        self._file_gone[0] = gone
        if gone:
            log.error(
                "%s was moved, deleted or replaced while the site runs: nothing can be played until it is "
                "back there, or the site is started again.",
                path,
            )
        else:
            log.warning("%s is back: games can be played.", path)


SHARED = Health()  # by the workers that gunicorn forks
