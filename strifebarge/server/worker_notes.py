"""Memory that the processes of a site share: what each worker runs, and which tables have cost a worker.

A worker that an endless loop in C holds can do nothing any more, not even say why it dies.  So it notes
beforehand what it runs, where the process that has started it can read it afterwards.
"""

import mmap
import re
import struct
from contextlib import suppress
from itertools import count
from time import time
from typing import NamedTuple

import msgspec

from strifebarge.lib.shared_lines import SharedLines
from strifebarge.tables.library.budget import GameFault, Run
from strifebarge.tables.model.parts import Fault

SLOTS = 256  # threads of one worker that can note a run; it has fewer
NOTE = struct.Struct("Q24s80s")  # the thread, the table, what is done
CASES = 16  # tables that wait for being suspended
SUSPECTED_FOR = 86400  # seconds
CURRENT = re.compile(r"^Current thread 0x([0-9a-f]+)", re.MULTILINE)  # as faulthandler writes it


class RunNote(NamedTuple):
    """A run in a thread of a worker."""

    thread: int
    table: str
    what: str


class RunNotes:
    """The runs of one worker: made before the fork, written by the worker, read by the process above it."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, SLOTS * NOTE.size)
        self.slots: dict[int, int] = {}  # by thread
        self.numbers = count()

    def write(self, run: Run) -> None:
        """Note a run that begins, in place of any that this thread ran before."""
        self._write(run, run.table, run.what)

    def erase(self, run: Run) -> None:
        """Forget a run that is over."""
        self._write(run, "", "")

    def _write(self, run: Run, table: str, what: str) -> None:
        slot = self.slots.get(run.thread)
        if slot is None:
            slot = self.slots[run.thread] = next(self.numbers) % SLOTS
        NOTE.pack_into(self.memory, slot * NOTE.size, run.thread, table.encode()[:24], what.encode()[:80])

    def guilty(self, last_words: str) -> list[RunNote]:
        """Return the runs of the thread that held the worker when faulthandler wrote its last words."""
        threads = {int(each, 16) for each in CURRENT.findall(last_words)}
        notes = (RunNote(each[0], _text(each[1]), _text(each[2])) for each in NOTE.iter_unpack(self.memory))
        return [note for note in notes if note.thread in threads and note.table]

    def close(self) -> None:
        self.memory.close()


def _text(raw: bytes) -> str:
    return raw.rstrip(b"\0").decode(errors="replace")


class CrashCases:
    """The tables whose games have cost a worker, until they are suspended: made before the first fork."""

    def __init__(self) -> None:
        self.lines = SharedLines()
        self.suspects: dict[str, float] = {}  # when a table was last suspected; of this process alone

    def suspect(self, table: str) -> bool:
        """Return whether a table was suspected before, within a day.

        The signal of the timer reaches the thread that holds the interpreter in 98 of 100 cases only.
        """
        now = time()
        self.suspects = {table: at for table, at in self.suspects.items() if now - at < SUSPECTED_FOR}
        again = table in self.suspects
        self.suspects[table] = now
        return again

    @property
    def empty(self) -> bool:
        """True if none waits; without a lock, for it is asked before each run."""
        return not self.lines.size

    def add(self, table: str, what: str, error: str, trace: str) -> None:
        """Add a table, in place of the oldest where there are too many."""
        fault = Fault(what=what, error=error, trace=trace, at=time(), deadly=True)
        with self.lines.changing() as lines:
            if table not in {case.table for case in _cases(lines)}:
                lines[:] = [*lines[-CASES + 1 :], msgspec.json.encode([table, fault])]

    def find(self, table: str) -> GameFault | None:
        """Return the case of a table, if it waits."""
        return next((case for case in self.all() if case.table == table), None)

    def all(self) -> list[GameFault]:
        """Return all that wait."""
        return _cases(self.lines.read())

    def close_case(self, table: str) -> None:
        """Forget a table that is suspended by now."""
        with self.lines.changing() as lines:
            lines[:] = [line for line in lines for case in _cases([line]) if case.table != table]


def _cases(lines: list[bytes]) -> list[GameFault]:
    """Return the cases of lines; one that is not whole, as a kill leaves it, is left out."""
    faults = []
    for line in lines:
        with suppress(msgspec.DecodeError):
            faults.append(GameFault(*msgspec.json.decode(line, type=tuple[str, Fault])))
    return faults
