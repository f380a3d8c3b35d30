"""A site whose workers have wall clocks that a test sets, each by itself, while it runs (libfaketime)."""

import time
from collections.abc import Mapping
from pathlib import Path

from tests.support.servers import Site, find_faketime

# Each worker reads its clock's error from a file of its own, which is looked at again each second.  What they
# sleep by would fail there: libfaketime takes the end of a sleep for a moment of the wall clock.
IN_EACH_PROCESS = """
import os
import select
import time
from shutil import copyfile

FILE = os.environ["FAKETIME_TIMESTAMP_FILE"]


def take_a_clock():
    mine = f"{FILE}.{os.getpid()}"
    copyfile(FILE, mine)
    os.environ["FAKETIME_TIMESTAMP_FILE"] = mine


time.sleep = lambda seconds: select.select([], [], [], seconds) and None
os.register_at_fork(after_in_child=take_a_clock)
"""
LOOKED_AT_AGAIN = 1.2  # seconds until all processes have seen what their clocks are set to
RIGHT = "+0"


class JumpingSite(Site):
    """The site, with clocks that `set_clocks` sets.  The time since the machine was booted is untouched."""

    def __init__(self, **settings: str) -> None:
        self.library = find_faketime()
        super().__init__(**settings)
        self.clock = self.folder / "clock"
        self.clock.write_text(RIGHT)
        (self.folder / "sitecustomize.py").write_text(IN_EACH_PROCESS)

    def environment(self) -> Mapping[str, str]:
        return {
            **super().environment(),
            "LD_PRELOAD": self.library,
            "FAKETIME_TIMESTAMP_FILE": str(self.clock),
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_CACHE_DURATION": "1",
            "PYTHONPATH": str(self.folder),
        }

    def set_clocks(self, *errors: str) -> None:
        """Set the clocks of the workers, the oldest first, so much before or after the truth: "-1h", "+1y".

        One alone is for all, and for those that start later.  Comes back when they have seen it.
        """
        workers = self.workers()
        if len(errors) == 1:
            self.clock.write_text(errors[0])
        for worker, error in zip(workers, errors * len(workers) if len(errors) == 1 else errors, strict=True):
            Path(f"{self.clock}.{worker}").write_text(error)
        time.sleep(LOOKED_AT_AGAIN)
