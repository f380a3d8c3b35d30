"""The budget of a game's code: every run of it is watched, and what it fails by is a fault of that game.

A game folder is its author's code.  Whatever of it is run for a table is run by `run`: judging a move, taking
a game up, making a page.  A watchdog (`strifebarge/server/watchdog.py`) looks at the runs of its process,
and raises OverBudget in the thread of one that takes too long.  That never lands in code of the site: not in
the database (`OutsideBudget`), and not after the end of the run.  Where no watchdog is, as in commands, there
is no budget.
"""

import ctypes
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Lock, get_ident, main_thread
from time import monotonic
from types import TracebackType
from typing import ParamSpec, Protocol, TypeVar

from strifebarge.rules import Refused
from strifebarge.rules.replay import Diverged
from strifebarge.tables.model.parts import Fault
from strifebarge.tables.model.ports import Busy, Outdated

P = ParamSpec("P")
T = TypeVar("T")

SECONDS = 2.0  # of a processor, for one run
WHOLE_GAME = 20.0  # and where a game is played again from its first move to its last
CLOCK = 10  # times that on the clock: then it sleeps, or waits for what never comes
LONGEST = 4000  # characters of a traceback that are kept
FRAMES = -16  # of a traceback: the innermost
PACKAGES: set[str] = set()  # outside the folders of games, which installed packages bring
FRAMEWORK = "strifebarge.rules"  # it runs for the game alone, so what fails in it is the game's fault too
GAMES = "games."
SITE = "strifebarge."
STORE = "strifebarge.store"  # what fails in there is nobody else's fault
READING = ("strifebarge.rules.notation", "strifebarge.rules.schema")  # but not where it reads forms

OURS = (Refused, Diverged, Busy, Outdated)  # what the site itself raises through a game's code


class OverBudget(BaseException):
    """Raised by the watchdog in the midst of a game's code; no Exception, so that no rule swallows it."""


class GameFault(Exception):
    """Raised where a game's code has failed at a table; `table` is "" where there is none yet."""

    def __init__(self, table: str, fault: Fault):
        super().__init__(f"{fault.what}: {fault.error}")
        self.table = table
        self.fault = fault


@dataclass(eq=False, slots=True)
class Run:
    """One run of a game's code, in the thread that runs it."""

    table: str
    what: str
    seconds: float  # of a processor, that it may take
    thread: int = field(default_factory=get_ident)
    began: float = field(default_factory=monotonic)
    lock: Lock = field(default_factory=Lock)  # held while OverBudget is raised in it, paused, or ended
    open: bool = True
    paused: int = 0  # how deep it is in code of the site that must not be interrupted
    raised: int = 0  # how often OverBudget was raised in it
    spent: float | None = None  # seconds of its thread's processor time when it was first looked at
    waited: float = 0.0  # seconds on the clock that the watchdog has seen of it, in no code of the site

    @property
    def patience(self) -> float:
        """The seconds on the clock that it may take."""
        return CLOCK * self.seconds

    def interrupt(self) -> bool:
        """Raise OverBudget in its thread; return False if it is over, or in code of the site."""
        with self.lock:
            if not self.open or self.paused:
                return False
            self.raised += 1
            _raise_in(self.thread, OverBudget)
            return True

    def end(self) -> None:
        """End it: from now on nothing is raised in its thread."""
        with self.lock:
            self.open = False
            if self.raised:
                _raise_in(self.thread, None)  # what was not delivered yet


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Let a thread raise an exception as soon as it runs Python code; None: not any more."""
    exception = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)


class Watching(Protocol):
    """Protocol of what is told of each run in this process."""

    def begun(self, one: Run) -> None:
        """Note that a run begins.  Raises GameFault if the code of its table must not be run."""

    def over(self, one: Run) -> None:
        """Note that a run is over."""

    def shares_memory(self, one: Run) -> bool:
        """Return whether memory may have run out for another reason than this run."""


class Runs:
    """The runs that run in this process, by thread."""

    def __init__(self) -> None:
        self.running: dict[int, Run] = {}
        self.watching: Watching | None = None

    def begin(self, one: Run) -> None:
        self.running[one.thread] = one
        if self.watching is not None:
            self.watching.begun(one)

    def end(self, one: Run) -> None:
        one.end()
        self.running.pop(one.thread, None)
        if self.watching is not None:
            self.watching.over(one)


RUNS = Runs()


def run(table: str, what: str, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run code of a game, for a table and a purpose, within one budget; return what it returns.

    Raises what the site's own code raises in there; GameFault for all that the game's code raises.
    """
    return run_for(SECONDS, table, what, call, *arguments, **named)


def run_for(
    seconds: float, table: str, what: str, call: Callable[P, T], *arguments: P.args, **named: P.kwargs
) -> T:
    """Run code of a game as `run` does, within these seconds of a processor."""
    outer = RUNS.running.get(get_ident())
    if outer is not None:  # a run within a run has no budget of its own
        outer.seconds = max(outer.seconds, seconds)
        return _judged(outer, what, call, *arguments, **named)
    this = Run(table, what, seconds)
    try:
        # Two nets: what is raised while the inner one is being left falls into the outer.
        try:
            RUNS.begin(this)
            return _judged(this, what, call, *arguments, **named)
        finally:
            RUNS.end(this)
    except OverBudget:
        RUNS.end(this)
        raise GameFault(table, Fault(what=what, error=_too_long(this))) from None


def _judged(this: Run, what: str, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run code of a game; turn what it raises into a GameFault."""
    try:
        return call(*arguments, **named)
    except GameFault:
        raise
    except OURS:
        raise
    except BaseException as error:
        if not isinstance(error, OverBudget) and not is_the_games(error):
            raise
        if isinstance(error, MemoryError) and RUNS.watching and RUNS.watching.shares_memory(this):
            raise Busy("out of memory") from None
        fault = fault_of(error, what, this)
        # Its frames hold what it has filled the memory with, and code that still wants to clean up.
        traceback.clear_frames(error.__traceback__)
        raise GameFault(this.table, fault) from None


def run_template(table: str, what: str, call: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Run code of a game as `run` does, where all that is raised is its fault: a template's errors too."""

    def all_its_own() -> T:
        try:
            return call(*arguments, **named)
        except (*OURS, GameFault, OverBudget):
            raise
        except BaseException as error:
            if _is_interrupt(error) or any(each.startswith(STORE) for each in _frames(error.__traceback__)):
                raise
            fault = fault_of(error, what)
            traceback.clear_frames(error.__traceback__)
            raise GameFault(table, fault) from None

    return run(table, what, all_its_own)


def fault_of(error: BaseException, what: str, this: Run | None = None) -> Fault:
    """Return what the author of a game has to know of an exception."""
    message = "".join(_by_lines_of_files(error).format())[-LONGEST:]
    error_text = _too_long(this) if this and isinstance(error, OverBudget) else _words_of(error)
    return Fault(what=what, error=error_text, trace=_writable(message))


def _by_lines_of_files(error: BaseException) -> traceback.TracebackException:
    """Return a traceback that names lines of templates, and not of the code that Jinja makes of them."""
    trace = error.__traceback__
    formatted = traceback.TracebackException(type(error), error, trace, limit=FRAMES, compact=True)
    frames = [*traceback.walk_tb(trace)][FRAMES:]
    for index, (frame, line) in enumerate(frames):
        if template := frame.f_globals.get("__jinja_template__"):
            at = template.get_corresponding_lineno(line)
            formatted.stack[index] = traceback.FrameSummary(template.filename, at, "template")
    return formatted


def _words_of(error: BaseException) -> str:
    return _writable("".join(traceback.format_exception_only(error)).strip()[:400])


def _writable(text: str) -> str:
    """Return a text as every database takes it: an author's words may hold anything."""
    return text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


def _too_long(this: Run) -> str:
    if this.waited >= this.patience:
        return f"It waited for more than {this.patience:g} seconds."
    return f"It took more than {this.seconds:g} seconds of a processor."


def is_the_games(error: BaseException) -> bool:
    """Return whether an exception comes out of a game's code, or of the framework that runs it."""
    if _is_interrupt(error) or any(each.startswith(STORE) for each in _frames(error.__traceback__)):
        return False
    return any(_is_a_games_frame(frame) for frame in _frames(error.__traceback__))


def _is_interrupt(error: BaseException) -> bool:
    """Return whether somebody has pressed Ctrl+C: only the first thread is told."""
    return isinstance(error, KeyboardInterrupt) and get_ident() == main_thread().ident


def _frames(trace: TracebackType | None) -> Iterator[str]:
    while trace is not None:
        yield str(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next


def _is_a_games_frame(module: str) -> bool:
    if module.startswith(FRAMEWORK):
        return not module.startswith(READING)
    return module.startswith(GAMES) or module.partition(".")[0] in PACKAGES


def is_in_site(thread: int) -> bool:
    """Return whether a thread of this process is in code of the site now: what it waits for is ours."""
    frame = sys._current_frames().get(thread)  # Python documents it, for looks from outside
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module == __name__ or "__jinja_template__" in frame.f_globals or _is_a_games_frame(module):
            return False
        if module.startswith(SITE) and not module.startswith(FRAMEWORK):
            return True
        frame = frame.f_back
    return False


class OutsideBudget:
    """A block of code of the site in the midst of a run: nothing is raised in it, its time does not count."""

    __slots__ = ("running",)

    def __enter__(self) -> None:
        self.running = RUNS.running.get(get_ident())
        if self.running is not None:
            with self.running.lock:
                self.running.paused += 1

    def __exit__(self, *_: object) -> None:
        if self.running is not None:
            self.running.paused -= 1
