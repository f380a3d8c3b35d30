"""Periodic work that no request asks for: deadlines first of all."""

import logging
from collections.abc import Callable
from threading import Event, Thread, main_thread

from strifebarge.lib.busy import Busy, DiskFull

Job = Callable[[float], None]  # told what time it is; does what is due

log = logging.getLogger("strifebarge")


class Ticker:
    """Does all jobs every so often, in a thread of its own.

    Each process of a site has one, and the first to note that it is time ticks for all of them: so there is
    no one process that must live.  `elected` notes it, and returns the site's time, or None where another
    process has noted it.  A job that fails, fails alone.  That something waits for the database stands in the
    log once when it begins and once when it ends, however long that is.
    """

    def __init__(self, jobs: list[Job], elected: Callable[[], float | None], every: float):
        self.jobs = jobs
        self.elected = elected
        self.every = every
        self.waiting: set[Callable[..., object]] = set()  # what waits for the database
        self.enough = Event()
        self.thread: Thread | None = None

    def tick(self, now: float) -> None:
        """Do what is due."""
        for job in self.jobs:
            try:
                job(now)
                self._goes_on(job)
            except DiskFull:
                pass  # which the log says already
            except Busy as busy:
                self._waits(job, busy)
            except Exception:
                log.exception("a job of the ticker failed: %s", _name(job))

    def _waits(self, job: Callable[..., object], why: Exception) -> None:
        """Note that a job waits for the database."""
        if job not in self.waiting:
            log.warning("a job of the ticker is done later: %s: %s", _name(job), why)
        self.waiting.add(job)

    def _goes_on(self, job: Callable[..., object]) -> None:
        """Note that a job was done."""
        if job in self.waiting:
            log.warning("a job of the ticker is done again: %s", _name(job))
        self.waiting.discard(job)

    def start(self) -> None:
        """Begin to tick: in the process that answers, never before a fork."""
        if self.every and self.thread is None:
            # No daemon: it would be cut off in the midst of the database when the interpreter ends.
            self.thread = Thread(target=self._run, name="ticker")
            self.thread.start()

    def stop(self) -> None:
        """Begin nothing new, and come back when all is done."""
        self.enough.set()
        if self.thread is not None:
            self.thread.join()

    def _run(self) -> None:
        while main_thread().is_alive() and not self.enough.is_set():
            self._once()
            self.enough.wait(self.every)

    def _once(self) -> None:
        try:
            now = self.elected()
            self._goes_on(self.elected)
        except DiskFull:
            return
        except Exception as error:  # the database may be away
            self._waits(self.elected, error)
            return
        if now is not None:
            self.tick(now)


def _name(job: Callable[..., object]) -> str:
    return str(getattr(job, "__name__", job))
