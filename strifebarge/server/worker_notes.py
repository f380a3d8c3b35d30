"""Memory that the processes of a site share: what each worker runs, and which tables have cost a worker.

A worker that an endless loop in C holds can do nothing any more, not even say why it dies.  So it notes
beforehand what it runs, where the process that has started it can read it afterwards.
"""

import fcntl
import mmap
import re
import struct
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic, time
from typing import NamedTuple

import msgspec

from strifebarge.table.budget import Run
from strifebarge.table.parts import Fault

SLOTS = 256  # runs that one worker can note at once; it has fewer threads
NOTE = struct.Struct("Qd24s80s")  # the thread, since when on the monotonic clock, the table, what is done
CASES = 16  # tables that wait for being suspended
CASE = 8192  # bytes of one
MANY_BYTES = 1000  # characters of a traceback that fit into a case, whatever they are
LENGTH = struct.Struct("I")
FATAL = "Fatal Python error"  # with which it begins where the process has broken down
LOOK = struct.Struct("d")  # when the watchdog last looked, on the monotonic clock
LONG_AGO = 25.0  # seconds without a look by the watchdog: a run in C has held its process
CURRENT = re.compile(r"^Current thread 0x([0-9a-f]+)", re.MULTILINE)  # as faulthandler writes it


class Note(NamedTuple):
    """A run in a thread of a worker."""

    thread: int
    began: float  # on the monotonic clock
    table: str
    what: str


class Notes:
    """The runs of one worker: made before the fork, written by the worker, read by the process above it."""

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, SLOTS * NOTE.size + LOOK.size)
        self.lock = Lock()
        self.free = list(range(SLOTS))

    def write(self, run: Run) -> None:
        """Note a run that begins."""
        with self.lock:
            run.slot = self.free.pop() if self.free else -1
        if run.slot >= 0:
            note = (run.thread, run.began, run.table.encode()[:24], run.what.encode()[:80])
            NOTE.pack_into(self.memory, run.slot * NOTE.size, *note)

    def erase(self, run: Run) -> None:
        """Forget a run that is over."""
        if run.slot >= 0:
            NOTE.pack_into(self.memory, run.slot * NOTE.size, 0, 0.0, b"", b"")
            with self.lock:
                self.free.append(run.slot)
            run.slot = -1

    def looked(self) -> None:
        """Note that the watchdog looks: no run holds the process."""
        LOOK.pack_into(self.memory, SLOTS * NOTE.size, monotonic())

    def read(self) -> list[Note]:
        """Return what is run, or was when the worker died."""
        found = (NOTE.unpack_from(self.memory, slot * NOTE.size) for slot in range(SLOTS))
        return [
            Note(thread, began, *(_text(each) for each in words)) for thread, began, *words in found if thread
        ]

    def guilty(self, last_words: str) -> list[Note]:
        """Return the runs that have cost the worker: by what faulthandler wrote, or by how long they held it.

        It wrote several times; the thread that was most often the current one has held the process.  A run
        that only was on its way for long, on a busy machine, has cost nothing: the watchdog has looked since
        it began.
        """
        most = Counter(CURRENT.findall(last_words.rpartition(FATAL)[2])).most_common(1)
        thread = int(most[0][0], 16) if most else 0
        [looked] = LOOK.unpack_from(self.memory, SLOTS * NOTE.size)
        return [
            each
            for each in self.read()
            if each.thread == thread or monotonic() - max(each.began, looked) > LONG_AGO
        ]

    def close(self) -> None:
        self.memory.close()


def _text(raw: bytes) -> str:
    return raw.rstrip(b"\0").decode(errors="replace")


class Case(NamedTuple):
    """A table whose game has cost a worker, and how."""

    table: str
    fault: Fault


class Cases:
    """The tables that wait for being suspended, for all processes of a site: made before the first fork.

    A small file in memory: a process that dies lets go of its lock.
    """

    def __init__(self, folder: str | None = None) -> None:
        self.file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - as long as the process is there
        self.file.truncate(CASES * CASE)
        self.memory = mmap.mmap(self.file.fileno(), CASES * CASE)

    def close(self) -> None:
        self.memory.close()
        self.file.close()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        fcntl.lockf(self.file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.lockf(self.file, fcntl.LOCK_UN)

    @property
    def empty(self) -> bool:
        """True if none waits; without a lock, for it is asked before each run."""
        return not any(self.memory[: CASES * CASE : CASE])

    def add(self, table: str, what: str, error: str, trace: str) -> None:
        """Add a table, in place of the oldest where there are too many."""
        fault = Fault(what=what, error=error, trace=trace, at=time(), deadly=True)
        raw = msgspec.json.encode([table, fault])
        if len(raw) > CASE - 1 - LENGTH.size:  # its letters are many bytes each
            raw = msgspec.json.encode([table, msgspec.structs.replace(fault, trace=trace[-MANY_BYTES:])])
        with self._locked():
            numbers = [number for number in range(CASES) if self._length(number) == 0]
            if self.find(table) is None:
                self._write(numbers[0] if numbers else min(range(CASES), key=self._since), raw)

    def find(self, table: str) -> Case | None:
        """Return the case of a table, if it waits."""
        return next((case for case in self.all() if case.table == table), None)

    def all(self) -> list[Case]:
        """Return all that wait."""
        return [case for number in range(CASES) if (case := self._read(number))]

    def close_case(self, table: str) -> None:
        """Forget a table that is suspended by now."""
        with self._locked():
            for number in range(CASES):
                case = self._read(number)
                if case and case.table == table:
                    self._write(number, b"")

    def _since(self, number: int) -> float:
        """Return when a case was added, in seconds since 1970."""
        case = self._read(number)
        return case.fault.at if case else 0.0

    def _length(self, number: int) -> int:
        return int(LENGTH.unpack_from(self.memory, number * CASE + 1)[0])

    def _read(self, number: int) -> Case | None:
        length, start = self._length(number), number * CASE + 1 + LENGTH.size
        if not length:
            return None
        try:
            return Case(*msgspec.json.decode(self.memory[start : start + length], type=tuple[str, Fault]))
        except msgspec.DecodeError:  # it is being written
            return None

    def _write(self, number: int, raw: bytes) -> None:
        start = number * CASE
        self.memory[start + 1 + LENGTH.size : start + 1 + LENGTH.size + len(raw)] = raw
        LENGTH.pack_into(self.memory, start + 1, len(raw))
        self.memory[start] = 1 if raw else 0
