"""A watchdog in each worker: no game's code runs for longer than its budget, whatever it does.

A loop in Python is ended by an exception raised in its thread.  Code that swallows that again and again, or
that sleeps, costs the worker, which ends once the others' requests are answered.  A loop in C lets no Python
code run any more, this watchdog's neither: then two timers of the process, which are wound up whenever code
of the site runs, run down.  From the first on faulthandler, which needs no interpreter, writes several times
what runs where; at the second it writes that once more and the process ends.
"""

import faulthandler
import logging
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread, get_ident, stack_size
from time import monotonic, sleep
from typing import IO

from strifebarge.server.worker_notes import Case, Cases, Note, Notes
from strifebarge.table.budget import LONGEST, RUNS, WAITING, GameFault, Run
from strifebarge.table.faults import tell

log = logging.getLogger("strifebarge")

TICK = 0.1  # seconds between two looks
WOUND_UP_EVERY = TICK / 2  # seconds; a page has a dozen runs, each of which begins and ends
PERSISTENT = 0.25  # seconds of a processor after which OverBudget is raised again
WAITS_AGAIN = 1.0  # seconds on the clock after which it is raised again in one that sleeps
SWALLOWED = 5  # times, after which nothing helps but to end the process
# Seconds of a processor in which no run begins or ends, neither the watchdog looks nor the first thread: they
# get no turn any more.  Many processors may all be busy for this process, in code that lets others run, such
# as the hashing of passwords.
HELD = max(3.5, 2 * TICK * (os.cpu_count() or 1))
# Seconds before that in which it is written what runs, and between two times.  A signal comes to the thread
# that has the processor, which now and then is one that only looks whether it may go on: most of several come
# to the thread that holds the process.
TOLD, TOLD_EVERY = 1.05, 0.1
LEAVE = 2.5  # seconds in which others' requests may end before the process does
LONG = 0.2  # seconds of a processor, after which a run shares it in smaller slices
FINE, USUAL = 0.0005, 0.005  # seconds of such a slice, and of Python's own
HEADROOM = 2**30  # bytes of memory that a worker may take beyond what its code and its threads need
STACK = 8 * 2**20  # bytes of a thread's stack, where the system says no other
NEAR = 64 * 2**20  # bytes: with less left, memory has run out by itself and not by one large demand
CROWDED = 0.8  # of its memory, with which a worker is replaced
SELDOM = 10  # looks at the runs, for each at the memory
CROWDED_FOR = 10  # of these in a row
THREAD = re.compile(r"^(?:Current thread|Thread) 0x([0-9a-f]+) \(most recent", re.MULTILINE)
EXIT = 70  # of a process that ends itself; gunicorn starts another


class Watchdog:
    """Watches the runs of games' code in this process, in a thread of its own."""

    def __init__(
        self,
        notes: Notes | None = None,
        cases: Cases | None = None,
        suspend: Callable[[GameFault, int | None], bool] | None = None,
        last_words: IO[bytes] | None = None,
    ):
        self.notes = notes
        self.cases = cases
        self.suspend = suspend
        self.last_words = last_words
        self.enough = Event()
        self.thread: Thread | None = None
        self.wound_up = 0.0  # when the timers were, on the monotonic clock
        self.limit = 0  # bytes of data that this process may have; 0: no limit is known
        self.looks = 0
        self.crowded = 0  # looks in a row at which it had nearly as much
        self.told: set[str] = set()  # tables that are being suspended

    def start(self) -> None:
        """Begin to watch: in the process that answers, never before a fork."""
        RUNS.watching = self
        if self.last_words:
            faulthandler.enable(self.last_words)
            if self.notes:
                faulthandler.register(signal.SIGVTALRM, self.last_words)
            faulthandler.register(signal.SIGPROF, self.last_words, chain=True)
        self.thread = Thread(target=self._run, name="watchdog", daemon=True)
        self.thread.start()

    def limit_memory(self, threads: int) -> None:
        """Let this process have no more memory than its code, its threads and a headroom need."""
        with suppress(OSError, ValueError):
            stack = stack_size() or resource.getrlimit(resource.RLIMIT_STACK)[0]
            stack = STACK if stack in (0, resource.RLIM_INFINITY) else stack
            most = resource.getrlimit(resource.RLIMIT_DATA)[1]
            limit = _data() + threads * stack + HEADROOM
            self.limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
            resource.setrlimit(resource.RLIMIT_DATA, (self.limit, most))

    def stop(self) -> None:
        """Stop watching."""
        self.enough.set()
        if self.thread is not None and self.thread.ident != get_ident():
            self.thread.join()
        RUNS.watching = None
        if self.last_words:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)

    def wind_up(self) -> None:
        """Wind up the timers, unless they just were: Python code runs here, so nothing holds this process."""
        if monotonic() - self.wound_up >= WOUND_UP_EVERY and not self.enough.is_set():
            self._wind_up()

    def _wind_up(self) -> None:
        self.wound_up = monotonic()
        if self.last_words:
            if self.notes:
                signal.setitimer(signal.ITIMER_VIRTUAL, HELD - TOLD, TOLD_EVERY)
            signal.setitimer(signal.ITIMER_PROF, HELD)

    # -- told by the runs --------------------------------------------------------

    def begun(self, one: Run) -> None:
        """Note that a run begins.  Raises GameFault where its table has cost a worker before."""
        if self.cases and not self.cases.empty and (case := self.cases.find(one.table)):
            raise GameFault(case.table, case.fault)
        if self.notes:
            self.notes.write(one)
        self.wind_up()

    def over(self, one: Run) -> None:
        """Note that a run is over."""
        if self.notes:
            self.notes.erase(one)
        self.wind_up()

    def shares_memory(self, one: Run) -> bool:
        """Return whether memory may have run out for another reason than this run: it is not the oldest."""
        if not self.limit or self.limit - _data() > NEAR:
            return False  # there is enough for all that is not immense
        return any(each.began < one.began for each in list(RUNS.running.values()))

    # -- watching ------------------------------------------------------------------

    def _run(self) -> None:
        last, at = 0.0, monotonic()
        while not self.enough.wait(TICK):
            self.wind_up()
            self._unsay()
            if self.notes:
                self.notes.looked()
            last, at = at, monotonic()
            try:
                # A look that comes late tells nothing more: the process was stopped, or got no processor.
                self._look(min(at - last, TICK))
            except Exception:
                log.exception("the watchdog stumbles")

    def _unsay(self) -> None:
        """Forget what was written while something held this process for nearly too long: it goes on."""
        if self.notes and self.last_words and os.fstat(self.last_words.fileno()).st_size:
            self.last_words.truncate(0)
            self.last_words.seek(0)

    def _look(self, passed: float) -> None:
        """Look at all runs, and do what is to be done about them."""
        spent = [self._look_at(one, passed) for one in list(RUNS.running.values())]
        wanted = FINE if max(spent, default=0) > LONG else USUAL
        if sys.getswitchinterval() != wanted:
            sys.setswitchinterval(wanted)
        if self.cases and not self.cases.empty:
            self._suspend(self.cases)
        self._look_at_memory()

    def _look_at(self, one: Run, passed: float) -> float:
        """Interrupt a run that is over its budget; return how much of a processor it has taken."""
        with one.lock:  # while it is held the run does not end, so that its thread is there
            if not one.open:
                return 0
            now, queued = _processor_time(one.thread), _queued_time(one.native)
            if (
                not one.paused
            ):  # on a busy machine it may be kept waiting by others, which is no fault of its own
                one.waited += max(0.0, passed - (queued - (queued if one.queued is None else one.queued)))
            one.queued = queued
        if one.spent is None:
            one.spent = now
        spent = now - one.spent
        late = (spent - one.seconds) / PERSISTENT + 1
        waits = (one.waited - WAITING) / WAITS_AGAIN + 1
        if one.raised < max(late, waits) and max(late, waits) >= 1:
            if one.raised >= SWALLOWED:
                self._leave(one)
            one.interrupt()
        return spent

    def _leave(self, one: Run) -> None:
        """End this process, for nothing else ends a run: its table is suspended by another one."""
        frame = sys._current_frames().get(one.thread)
        trace = "".join(traceback.format_stack(frame, limit=16)) if frame else ""
        error = "It could not be ended: it swallows every exception, or waits for what never comes."
        log.critical("This process ends: %s at table %s could not be ended.\n%s", one.what, one.table, trace)
        if self.cases and one.table:
            self.cases.add(one.table, one.what, error, trace[-LONGEST:])
        os.kill(os.getpid(), signal.SIGTERM)  # gunicorn takes no new requests here, and ends those it has
        for _ in range(round(LEAVE / TICK)):
            self._wind_up()
            sleep(TICK)
        os._exit(EXIT)

    def _suspend(self, cases: Cases) -> None:
        """Let the tables be suspended that have cost a worker; once that is written, close their cases."""
        waiting = cases.all()
        self.told &= {case.table for case in waiting}
        for case in waiting:
            if self.suspend and case.table not in self.told:
                self.told.add(case.table)
                Thread(target=self._close, args=(case, cases), daemon=True).start()

    def _close(self, case: Case, cases: Cases) -> None:
        if self.suspend and self.suspend(GameFault(case.table, case.fault), None):
            tell(GameFault(case.table, case.fault))
            cases.close_case(case.table)
        else:
            self.told.discard(case.table)

    def _look_at_memory(self) -> None:
        """Replace a process whose memory is nearly full for long: something keeps what it should not."""
        if not self.limit:
            return
        self.looks += 1
        if self.looks % SELDOM:
            return
        data = _data()
        self.crowded = self.crowded + 1 if data > self.limit * CROWDED else 0
        if self.crowded == CROWDED_FOR:
            log.error("This process has %d MB, and is replaced.", data // 2**20)
            os.kill(os.getpid(), signal.SIGTERM)


def _processor_time(thread: int) -> float:
    """Return how many seconds of a processor a living thread has had; of the whole process, on a Mac."""
    clock_of = getattr(time, "pthread_getcpuclockid", None)
    return time.clock_gettime(clock_of(thread)) if clock_of else time.process_time()


def _queued_time(thread: int) -> float:
    """Return for how many seconds a thread of this process was ready and got no processor (Linux; else 0)."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, LookupError, ValueError):
        return 0.0


def _data() -> int:
    """Return how many bytes of data and stacks this process has (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0


def note_dead(notes: Notes, cases: Cases, last_words: IO[bytes]) -> str:
    """Note which tables have cost a worker that has died; return what it has written at last, if anything."""
    last_words.seek(0)
    words = last_words.read().decode(errors="replace")
    last = last_stacks(words)
    for note in notes.guilty(words):
        if note.table:
            cases.add(note.table, note.what, "It held its process, which had to be ended.", _of(note, last))
    return last


def last_stacks(words: str) -> str:
    """Return what faulthandler has written at last, where it has written the stacks of all threads often."""
    stacks = list(THREAD.finditer(words))
    begins = [each.start() for each in stacks if each[1] == stacks[0][1]]
    return words if len(begins) < 2 else words[begins[-1] :]


def _of(note: Note, words: str) -> str:
    """Return the part of faulthandler's words that tells of one thread."""
    parts = words.split("\n\n")
    mine = [part for part in parts if f"{note.thread:x} (most recent" in part]
    return "\n\n".join(mine or parts)[:LONGEST]
