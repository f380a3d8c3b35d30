"""Small disks for tests, which can be filled."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from tests.support.servers import Unavailable

MEGABYTE = 2**20  # bytes


class SmallDisk:
    """A file system of its own in a folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.filler = folder / "filler"

    def fill(self) -> None:
        """Leave no byte of it free, however large the pieces in which it is given out."""
        with self.filler.open("ab", buffering=0) as filler:
            for size in (MEGABYTE, 4096, 1):
                with suppress(OSError):
                    while filler.write(bytes(size)) == size:
                        pass

    def free(self) -> None:
        self.filler.unlink()


@contextmanager
def small_disk(megabytes: int, owner: str | None = None) -> Iterator[SmallDisk]:
    """Yield a disk in memory of `megabytes`.  Raises Unavailable where none may be mounted."""
    if os.geteuid():
        raise Unavailable("a disk of a test's own can be mounted by root alone")
    remove_abandoned()
    folder = mkdtemp(prefix=f"strifebarge-disk-{os.getpid()}-")
    options = f"size={megabytes}m,mode=0700" + (f",uid={owner}" if owner else "")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True
    )
    if mounted.returncode:
        os.rmdir(folder)
        raise Unavailable(f"no disk of a test's own can be mounted: {mounted.stderr.strip()}")
    try:
        yield SmallDisk(Path(folder))
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
        os.rmdir(folder)


def remove_abandoned() -> None:
    """Remove the disks of tests that were killed; each has the number of its process in its name."""
    for folder in Path(gettempdir()).glob("strifebarge-disk-*-*"):
        owner = re.search(r"disk-(\d+)-", folder.name)
        if owner and not Path(f"/proc/{owner[1]}").exists():
            subprocess.run(["umount", "-l", folder], capture_output=True)
            with suppress(OSError):
                folder.rmdir()
