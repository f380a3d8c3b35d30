"""A note of the seats for which a game's code is run just now, for the process that comes after this one.

A loop in C holds the whole process, which is then killed: only what was written before can tell the next
process at which table it was.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct

RESTS = (60.0, 600.0)  # seconds in which a seat rests whose table has cost the process once, or more often
MOST = 100  # seats that are remembered
BotSeat = tuple[str, int]  # a table's id and a seat
NAME = "bots-under-way"  # of the file, in the site's data folder


class UnderWayFile(Struct):
    """All that is in the file."""

    under_way: list[BotSeat] = []
    costs: list[tuple[BotSeat, int]] = []  # how often the process has ended at a seat, without a move since


class UnderWay:
    """Notes in a file for which seats code of a game is run, and which have cost the process before.

    Any thread may note.  A file that cannot be read or written costs what it would have told, and no move.
    """

    def __init__(self, file: Path | None = None):
        self.mutex = Lock()
        self.places: Counter[BotSeat] = Counter()
        self.costs: dict[BotSeat, int] = {}
        self.file = -1
        if file is not None:
            with suppress(OSError):
                self.file = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
                self._take_over()

    def _take_over(self) -> None:
        """Read what the process before this one has left: the seats at which it has ended."""
        try:
            noted = msgspec.json.decode(
                os.pread(self.file, os.fstat(self.file).st_size, 0), type=UnderWayFile
            )
        except msgspec.DecodeError:  # it is new
            noted = UnderWayFile()
        costs = dict(noted.costs)
        newest = {bot_seat: costs.pop(bot_seat, 0) + 1 for bot_seat in noted.under_way}
        self.costs = dict([*costs.items(), *newest.items()][-MOST:])
        self._write()

    def left_alone(self) -> dict[BotSeat, float]:
        """Return for how many seconds each seat is to be left alone when the process begins."""
        return {bot_seat: RESTS[min(times, len(RESTS)) - 1] for bot_seat, times in self.costs.items()}

    @contextmanager
    def noted(self, bot_seat: BotSeat) -> Iterator[None]:
        """Note, in this context, that code of a game is run for a seat."""
        with self.mutex:
            self.places[bot_seat] += 1
            self._write()
        try:
            yield
        finally:
            with self.mutex:
                self.places -= Counter([bot_seat])
                self._write()

    def moved(self, bot_seat: BotSeat) -> None:
        """Forget what a seat has cost: its question was answered."""
        with self.mutex:
            if self.costs.pop(bot_seat, None):
                self._write()

    def close(self) -> None:
        """Write no more; what is under way still has not come to its end, and stays noted."""
        with self.mutex:
            if self.file >= 0:
                os.close(self.file)
            self.file = -1

    def _write(self) -> None:
        """Write all at once, so that no half of it is found; what was longer before is covered by spaces."""
        if self.file < 0:
            return
        text = msgspec.json.encode(UnderWayFile([*self.places], [*self.costs.items()]))
        with suppress(OSError):
            os.pwrite(self.file, text.ljust(os.fstat(self.file).st_size), 0)
