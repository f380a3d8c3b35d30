"""A watchdog in each worker: no game's code runs for longer than its budget, whatever it does.

A loop in Python is ended by an exception raised in its thread.  Code that swallows that again and again, or
that sleeps, costs the worker, which ends once the others' requests are answered.  A loop in C lets no Python
code run any more, this watchdog's neither: then a timer of the process, which is wound up whenever code of
the site runs, runs down.  faulthandler, which needs no interpreter, writes what runs where, and the process
ends.
"""

import faulthandler
import logging
import os
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

from strifebarge.server.worker_notes import CrashCases, RunNote, RunNotes
from strifebarge.tables.library.budget import LONGEST, RUNS, GameFault, Run, is_in_site
from strifebarge.tables.play.faults import tell

log = logging.getLogger("strifebarge")

TICK = 0.1  # seconds between two looks
WOUND_UP_EVERY = TICK / 2  # seconds; a page has a dozen runs, each of which begins and ends
PERSISTENT = 0.25  # seconds of a processor after which OverBudget is raised again
WAITS_AGAIN = 1.0  # seconds on the clock after which it is raised again in one that sleeps
SWALLOWED = 5  # times, after which nothing helps but to end the process
# Seconds of a processor in which no run begins or ends, neither the watchdog looks nor the first thread: they
# get no turn any more.  Many processors may all be busy for this process, in code that lets others run, such
# as the hashing of passwords.  The timer counts no time in the kernel: that is where threads wait for the
# interpreter, and the signal is to find the one that has it (measured: 98 to 100 of 100).
HELD = max(3.5, 2 * TICK * (os.cpu_count() or 1))
LEAVE = 2.5  # seconds in which others' requests may end before the process does
# After so many seconds of a processor a run shares it in smaller slices.  Beside a loop, a page that asks the
# database 40 times takes 218 ms in Python's own slices and 41 in these (16 alone).
LONG, FINE, USUAL = 0.2, 0.0005, 0.005
HEADROOM = 2**30  # bytes of memory that a worker may take beyond what its code and its threads need
STACK = 8 * 2**20  # bytes of a thread's stack, where the system says no other
NEAR = 64 * 2**20  # bytes: with less left, memory has run out by itself and not by one large demand
CROWDED = 0.8  # of its memory, with which a worker is replaced
CROWDED_FOR = 100  # looks in a row
EXIT = 70  # of a process that ends itself; gunicorn starts another


class Watchdog:
    """Watches the runs of games' code in this process, in a thread of its own."""

    def __init__(
        self,
        notes: RunNotes | None = None,
        cases: CrashCases | None = None,
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
        self.crowded = 0  # looks in a row at which it had nearly as much
        self.suspending: Thread | None = None

    def start(self) -> None:
        """Begin to watch: in the process that answers, never before a fork."""
        RUNS.watching = self
        if self.last_words:
            faulthandler.enable(self.last_words)
            faulthandler.register(signal.SIGVTALRM, self.last_words, chain=True)
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

    def restart_timers(self) -> None:
        """Wind up the timers, unless they just were: Python code runs here, so nothing holds this process."""
        if monotonic() - self.wound_up >= WOUND_UP_EVERY and not self.enough.is_set():
            self._wind_up()

    def _wind_up(self) -> None:
        self.wound_up = monotonic()
        if self.last_words:
            signal.setitimer(signal.ITIMER_VIRTUAL, HELD)

    # -- told by the runs --------------------------------------------------------

    def begun(self, one: Run) -> None:
        """Note that a run begins.  Raises GameFault where its table has cost a worker before."""
        if self.cases and not self.cases.empty and (case := self.cases.find(one.table)):
            raise case
        if self.notes:
            self.notes.write(one)
        self.restart_timers()

    def over(self, one: Run) -> None:
        """Note that a run is over."""
        if self.notes:
            self.notes.erase(one)
        self.restart_timers()

    def shares_memory(self, one: Run) -> bool:
        """Return whether memory may have run out for another reason than this run: it is not the oldest."""
        if not self.limit or self.limit - _data() > NEAR:
            return False  # there is enough for all that is not immense
        return any(each.began < one.began for each in list(RUNS.running.values()))

    # -- watching ------------------------------------------------------------------

    def _run(self) -> None:
        last, at = 0.0, monotonic()
        while not self.enough.wait(TICK):
            self.restart_timers()
            last, at = at, monotonic()
            try:
                # A look that comes late tells nothing more: the process was stopped, or got no processor.
                self._check_runs(min(at - last, TICK))
            except Exception:
                log.exception("the watchdog stumbles")

    def _check_runs(self, passed: float) -> None:
        """Look at all runs, and do what is to be done about them."""
        spent = [self._look_at(one, passed) for one in list(RUNS.running.values())]
        interval = FINE if max(spent, default=0) > LONG else USUAL
        if sys.getswitchinterval() != interval:
            sys.setswitchinterval(interval)
        if self.cases and not self.cases.empty:
            self._suspend(self.cases)
        self._look_at_memory()

    def _look_at(self, one: Run, passed: float) -> float:
        """Interrupt a run that is over its budget; return how much of a processor it has taken."""
        with one.lock:  # while it is held the run does not end, so that its thread is there
            if not one.open:
                return 0
            now = _processor_time(one.thread)
            if not one.paused and not is_in_site(one.thread):
                one.waited += passed
        if one.spent is None:
            one.spent = now
        spent = now - one.spent
        late = (spent - one.seconds) / PERSISTENT + 1
        waits = (one.waited - one.patience) / WAITS_AGAIN + 1
        if one.raised < max(late, waits) and max(late, waits) >= 1:
            if one.raised >= SWALLOWED:
                self._leave(one)
            one.interrupt()
        return spent

    def _leave(self, one: Run) -> None:
        """End this process, for nothing else ends a run: its table is suspended by another one."""
        frame = sys._current_frames().get(one.thread)  # Python documents it, for looks from outside
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

    def _suspend(self, cases: CrashCases) -> None:
        """Let the tables be suspended that have cost a worker, beside the looks."""
        if self.suspending is None or not self.suspending.is_alive():
            self.suspending = Thread(target=self._close_all, args=(cases,), daemon=True)
            self.suspending.start()

    def _close_all(self, cases: CrashCases) -> None:
        for case in cases.all():
            if self.suspend and self.suspend(case, None):
                tell(case)
                cases.close_case(case.table)

    def _look_at_memory(self) -> None:
        """Replace a process whose memory is nearly full for long: something keeps what it should not."""
        if not self.limit:
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


def _data() -> int:
    """Return how many bytes of data and stacks this process has (Linux)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return 0


def note_dead(notes: RunNotes, cases: CrashCases, last_words: IO[bytes]) -> str:
    """Note the tables that have cost a worker a second time; return the last words of this dead worker."""
    last_words.seek(0)
    text = last_words.read().decode(errors="replace")
    for note in notes.guilty(text):
        if not cases.suspect(note.table):
            log.error(
                "A worker was lost in %s at table %s; the next time it is suspended.", note.what, note.table
            )
            continue
        cases.add(note.table, note.what, "It held its process, which had to be ended.", _of(note, text))
    return text


def _of(note: RunNote, text: str) -> str:
    """Return the part of faulthandler's words that tells of one thread."""
    parts = text.split("\n\n")
    own_parts = [part for part in parts if f"{note.thread:x} (most recent" in part]
    return "\n\n".join(own_parts or parts)[:LONGEST]
