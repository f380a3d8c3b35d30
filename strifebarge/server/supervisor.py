"""The first process of the site: it starts gunicorn and its helpers, and sees that these are always there.

The helpers are the hub and the process that plays the bots.  gunicorn buries every child that it has, so
they cannot be its own.  What the first process is told by signals, gunicorn is told; it ends as gunicorn
ends, and leaves nobody behind.
"""

import logging
import os
import select
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import click

from strifebarge.lib.prctl import adopt_orphans, end_with_parent

log = logging.getLogger("strifebarge.server")

PASSED_ON = {
    *(signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2),
    *(signal.SIGTTIN, signal.SIGTTOU, signal.SIGWINCH),
}
ENDING = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT}
LISTENED_TO = PASSED_ON | {signal.SIGCHLD}

LOOK = 1.0  # seconds after which it is looked around, whatever the signals say
STEADY = 5.0  # seconds that a helper has to live to be started again at once
RESTS = (0.0, 0.2, 1.0, 5.0, 30.0)  # seconds before the next start, of one that dies again and again
PATIENCE = 3.0  # seconds that the helpers have to end before they are killed

SILENT = 15.0  # seconds without a sign of life after which a helper hangs

Child = Callable[[], object]
Beat = Callable[[], object]  # called by a helper each second, as a sign of life


class Helper:
    """A process beside the site, which is started again when it dies or hangs.

    `work` returns when the process is to end, and is given a Beat; `called` is its name in messages.
    """

    def __init__(self, called: str, work: Callable[[Beat], object]):
        self.called = called
        self.work = work
        self.pid = 0
        self.started = 0.0  # when it was started last
        self.due = 0.0  # when it is to be started again, if it is not there
        self.deaths = 0  # in a row, each soon after the start or for its silence
        self.beats, self.beating = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)  # the helper writes, and we read
        self.silent = 0.0  # seconds without a sign of life
        self.hung = False  # and was killed for it

    def run(self) -> None:
        """Do its work, in its own process."""
        self.work(self._beat)

    def _beat(self) -> None:
        with suppress(OSError):
            os.write(self.beating, b".")

    def is_due(self) -> bool:
        """Return whether it is to be started now."""
        return not self.pid and monotonic() >= self.due

    def begin(self, pid: int) -> None:
        """Note that it was started, as this process."""
        self.pid, self.started, self.silent, self.hung = pid, monotonic(), 0.0, False

    def end(self) -> None:
        """Note that it has ended, and is to be started again: later and later if it dies at once or hangs."""
        self.pid = 0
        was_steady = monotonic() - self.started >= STEADY and not self.hung
        self.deaths = 0 if was_steady else self.deaths + 1
        self.due = monotonic() + RESTS[min(self.deaths, len(RESTS) - 1)]

    def hangs(self, passed: float) -> bool:
        """Return whether it gives no sign of life any more, `passed` seconds after the last look."""
        self.silent += passed
        with suppress(BlockingIOError):
            if os.read(self.beats, 4096):
                self.silent = 0.0
        return bool(self.pid) and self.silent >= SILENT

    def tell(self, number: signal.Signals) -> None:
        """Send it a signal, if it is there."""
        _tell(self.pid, number)


class Supervisor:
    """Runs `site` and its helpers, each in a process of its own, until the first has ended; or helpers alone.

    `site` is a function that returns when its process is to end.  Without a site the helpers go on until the
    process `lives_by` has ended.
    """

    def __init__(self, site: Child | None, helpers: Sequence[Helper], lives_by: int = 0):
        self.site = site
        self.helpers = helpers
        self.site_pid = 0
        self.code: int | None = None  # how the site ended
        self.lives_by = lives_by
        self.ending = False
        self.looked = 0.0

    def run(self) -> int:
        """Run all of them, and return the exit code of the site."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, LISTENED_TO)
        adopt_orphans()  # who loses their parent becomes our child, and is seen to its end
        try:
            if self.site is not None:
                self.site_pid = self._fork(self.site, before)
            while self._goes_on():
                for helper in self.helpers:
                    if helper.is_due() and not self.ending:
                        helper.begin(self._fork(helper.run, before))
                self._listen()
                self._look_at_helpers()
            self._end_helpers()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return self.code or 0

    def _goes_on(self) -> bool:
        """Return whether there is still somebody for whom the helpers are there."""
        if self.site is None:
            return not self.ending and not _has_ended(self.lives_by)
        return bool(self.site_pid) or bool(self._others())

    def _others(self) -> list[int]:
        """Return all children but the helpers: gunicorn, what replaces it (USR2), orphans of a dead one."""
        me = os.getpid()
        processes = Path(f"/proc/{me}/task/{me}/children").read_text().split()
        helpers = {helper.pid for helper in self.helpers}
        return [pid for pid in map(int, processes) if pid not in helpers]

    def _fork(self, child: Child, mask: Iterable[int]) -> int:
        """Start a process that ends with us, whatever ends us; return its number."""
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        pid = os.fork()
        if pid:
            return pid
        code = 1
        try:
            end_with_parent(signal.SIGTERM)
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            if os.getppid() == parent:
                child()
                code = 0
        except SystemExit as end:
            code = _code_of(end)
        except KeyboardInterrupt:
            code = 130
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            with suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _listen(self) -> None:
        """Wait for a signal, or a second, and do what it says."""
        all_there = all(helper.pid for helper in self.helpers)
        signal_info = signal.sigtimedwait(LISTENED_TO, LOOK if all_there else RESTS[1])
        if signal_info is not None and signal_info.si_signo in PASSED_ON:
            self._tell_all(signal.Signals(signal_info.si_signo))
        self._reap()

    def _look_at_helpers(self) -> None:
        """Kill helpers that hang; time in which we were stopped too does not count."""
        now = monotonic()
        passed, self.looked = min(now - self.looked, LOOK), now
        for helper in self.helpers:
            if helper.hangs(passed):
                helper.hung = True
                helper.tell(signal.SIGKILL)

    def _tell_all(self, number: signal.Signals) -> None:
        if number in ENDING:
            self.ending = True
            for helper in self.helpers:
                helper.tell(signal.SIGTERM)
        for pid in [self.site_pid] if self.site_pid else self._others():
            _tell(pid, number)

    def _reap(self) -> None:
        """Take note of all children that have ended."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid == self.site_pid:
                self.site_pid = 0
                code = os.waitstatus_to_exitcode(status)
                self.code = 128 - code if code < 0 else code
            for helper in self.helpers:
                if pid == helper.pid:
                    helper.end()
                    if not self.ending:
                        log.warning(
                            "%s has ended (%s), and is started again.", helper.called, _exit_text(status)
                        )

    def _end_helpers(self) -> None:
        """End the helpers, and wait until they are gone."""
        self.ending = True
        for helper in self.helpers:
            helper.tell(signal.SIGTERM)
        given_up = monotonic() + PATIENCE
        while any(helper.pid for helper in self.helpers):
            if monotonic() > given_up:
                for helper in self.helpers:
                    helper.tell(signal.SIGKILL)
            signal.sigtimedwait({signal.SIGCHLD}, 0.1)
            self._reap()


def _tell(pid: int, number: signal.Signals) -> None:
    if pid:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _has_ended(pid: int) -> bool:
    """Return whether a process has ended, be it that nobody has buried it yet."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 0)[0])
    finally:
        os.close(descriptor)


def _code_of(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return end.code or 0
    click.echo(end.code, err=True)
    return 1


def _exit_text(status: int) -> str:
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"code {code}"


def start_beside(pid: int, helpers: Sequence[Helper]) -> None:
    """Start helpers that are there as long as another process, and no children of it."""
    sys.stdout.flush()
    sys.stderr.flush()
    between = os.fork()
    if between:
        os.waitpid(between, 0)
        return
    code = 1
    try:
        code = 0 if os.fork() else Supervisor(None, helpers, pid).run()
    except BaseException:  # nothing after this tells of it
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)
