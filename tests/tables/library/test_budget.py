"""The budget of a game's code: what ends a run of it lands in there, and in no code of the site."""

import re
import socket
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader

from strifebarge.lib.busy import FairSemaphore
from strifebarge.rules import Refused
from strifebarge.server.watchdog import TICK, Watchdog, note_dead
from strifebarge.server.worker_notes import CASES, SUSPECTED_FOR, CrashCases, RunNotes
from strifebarge.store.db.engine import engine_for, writing
from strifebarge.tables.library.budget import (
    RUNS,
    GameFault,
    OutsideBudget,
    OverBudget,
    Run,
    run,
    run_for,
    run_template,
)
from strifebarge.tables.model.parts import Fault
from strifebarge.tables.model.reasons import TableRefusal

ROUNDS = 2000
ENOUGH = 10  # runs that were ended
PATIENCE = 60  # seconds
GAME: dict[str, object] = {"__name__": "games.of_tests.rules"}
exec("def fail(error):\n    raise error\n", GAME)
fail = GAME["fail"]


@pytest.fixture
def quick_turns() -> Iterator[None]:
    """Let threads take turns so often that they meet at every place."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def work(times: int) -> int:
    return sum(number for number in range(times) if number % 3)


class Interrupting(threading.Thread):
    """Raises OverBudget once in each run that it meets."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.enough = threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            for one in list(RUNS.running.values()):
                if not one.raised:
                    one.interrupt()

    def __enter__(self) -> "Interrupting":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.enough.set()
        self.join()


# -- where it lands ----------------------------------------------------------------------------


def test_what_ends_a_run_lands_in_it_and_nowhere_else(quick_turns: None) -> None:
    ended = untouched = 0
    deadline = monotonic() + PATIENCE  # on a busy machine the other thread may seldom have a turn
    with Interrupting():
        while ended + untouched < ROUNDS or (ended < ENOUGH and monotonic() < deadline):
            try:
                run("TABLE", "working", work, (ended + untouched) % 200)
                untouched += 1
            except GameFault:
                ended += 1
            work(20)  # the site's own code
    assert ended >= ENOUGH
    assert RUNS.running == {}


def test_code_of_the_site_within_a_run_is_not_interrupted(quick_turns: None) -> None:
    reading: list[int] = []

    def judging() -> None:
        with OutsideBudget():
            reading.append(1)
            work(300)
            reading.pop()
        work(30)

    with Interrupting():
        for _ in range(ROUNDS // 4):
            with suppress(GameFault):
                run("TABLE", "judging", judging)
            assert reading == []


def test_a_run_in_the_database_is_left_alone_until_it_comes_out() -> None:
    def judging() -> None:
        [one] = RUNS.running.values()
        with OutsideBudget():
            assert not one.interrupt()
            work(100)
        assert one.interrupt()
        work(10**6)

    with pytest.raises(GameFault, match="It took more than 2 seconds of a processor"):
        run("TABLE", "judging", judging)


def test_a_run_that_is_over_cannot_be_ended() -> None:
    one = Run("TABLE", "judging", 2)
    one.end()
    assert not one.interrupt()
    work(1000)


def test_a_run_that_is_not_looked_at_in_time_is_not_said_to_wait() -> None:
    """On a busy machine the watchdog is kept waiting like all others: each of its looks counts one tick."""
    one, dog = Run("TABLE", "judging", 2), Watchdog()
    with ThreadPoolExecutor(1) as other:
        for _ in range(10):
            other.submit(dog._look_at, one, TICK).result()
    assert one.waited == pytest.approx(10 * TICK)
    assert one.waited < one.patience


# -- what it waits for -------------------------------------------------------------------------


SHORT = 0.02  # seconds of a processor that a run may take; on the clock ten times that
LONG = 0.8  # seconds that it waits
WAITING = """
def waits():
    try:
        {}
    except OSError:
        pass
"""


def after_a_while(do: Callable[[], object]) -> None:
    threading.Timer(LONG, do).start()


def held_lock() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    after_a_while(lock.release)
    return lock


def silent_client() -> socket.socket:
    ours, theirs = socket.socketpair()
    after_a_while(theirs.close)
    return ours


def client_that_takes_nothing() -> socket.socket:
    ours = silent_client()
    with suppress(BlockingIOError):
        while True:
            ours.send(b"x" * 2**16, socket.MSG_DONTWAIT)
    return ours


WAITS = {
    "a lock": (held_lock, "it.acquire()"),
    "what a client sends": (silent_client, "it.recv(1)"),
    "a client to take something": (client_that_takes_nothing, "it.sendall(b'x')"),
}


@pytest.fixture
def watched() -> Iterator[None]:
    dog = Watchdog()
    dog.start()
    yield
    dog.stop()


def wait_in(module: str, what: str) -> None:
    """Let a run wait in a function of this module."""
    make, source = WAITS[what]
    names: dict[str, Any] = {"__name__": module, "it": make()}
    exec(WAITING.format(source), names)
    try:
        run_for(SHORT, "TABLE", "waiting", names["waits"])
    finally:
        if isinstance(names["it"], socket.socket):
            names["it"].close()


@pytest.mark.parametrize("what", WAITS)
def test_no_game_is_blamed_for_a_wait_of_the_site(watched: None, what: str) -> None:
    wait_in("strifebarge.web.page.tests", what)
    with pytest.raises(GameFault, match=r"It waited for more than 0\.2 seconds"):
        wait_in("games.of_tests.rules", what)


def test_nor_is_it_where_it_waits_in_a_queue_or_for_the_database(watched: None, tmp_path: Path) -> None:
    queue, file = FairSemaphore(1, patience=PATIENCE, what="tests"), tmp_path / "waits.sqlite"
    engine = engine_for(f"sqlite:///{file}", 2)
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)

    def wait() -> None:
        with queue, writing(engine):
            pass

    queue.__enter__()
    after_a_while(lambda: queue.__exit__(None, None, None))
    run_for(SHORT, "TABLE", "waiting", wait)
    other.execute("BEGIN IMMEDIATE")
    after_a_while(lambda: other.execute("ROLLBACK"))
    run_for(SHORT, "TABLE", "waiting", wait)
    engine.dispose()
    other.close()


# -- whose fault it is -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [ValueError("oh"), OverBudget(), SystemExit("oh"), GeneratorExit(), MemoryError(), StopIteration()],
)
def test_whatever_a_game_raises_is_its_fault_and_its_author_is_told_where(error: BaseException) -> None:
    with pytest.raises(GameFault) as fault:
        run("TABLE", "judging a move", fail, error)
    assert fault.value.table == "TABLE"
    assert fault.value.fault.what == "judging a move"
    assert "in fail" in fault.value.fault.trace
    assert fault.value.__cause__ is None  # its frames would keep what it has filled the memory with


def test_a_mistake_of_the_site_is_none_of_the_games() -> None:
    def ours() -> None:
        raise ValueError("ours")

    with pytest.raises(ValueError, match="ours"):
        run("TABLE", "judging", ours)
    with pytest.raises(GameFault):  # but a template is the author's, whatever fails in it
        run_template("TABLE", "drawing", ours)


@pytest.mark.parametrize("kind", [LookupError, OverBudget])
@pytest.mark.parametrize("called_later", [False, True])
def test_the_author_of_a_template_is_told_the_line_of_its_file(
    tmp_path: Path, kind: type[BaseException], called_later: bool
) -> None:
    board = "{# A board. #}\n{% macro bar() %}\n{{ fail(raised) }}\n{% endmacro %}\n\n{{ later or bar() }}\n"
    (tmp_path / "board.html").write_text(board)
    template = Environment(loader=FileSystemLoader(tmp_path)).get_template("board.html")

    def draw() -> None:
        module: Any = template.make_module({"fail": fail, "raised": kind(), "later": called_later})
        module.bar()

    with pytest.raises(GameFault) as error:
        run_template("TABLE", "drawing", draw)
    lines = re.findall(r'board\.html", line (\d+)', error.value.fault.trace)
    assert lines == (["3"] if called_later else ["6", "3"])
    assert "in fail" in error.value.fault.trace


def test_a_refusal_is_no_fault() -> None:
    with pytest.raises(Refused):
        run("TABLE", "judging", fail, Refused(TableRefusal.NOT_SEATED))


def test_what_an_author_says_is_kept_as_every_database_takes_it() -> None:
    with pytest.raises(GameFault) as error:
        run("TABLE", "judging", fail, ValueError("a\0b\ud800c" + "d" * 10**6))
    fault = error.value.fault
    assert "\0" not in fault.error + fault.trace
    (fault.error + fault.trace).encode()
    assert len(fault.error) <= 450
    assert len(fault.trace) <= 4100


# -- what the dead have left ---------------------------------------------------------------------


def noted(notes: RunNotes, table: str, thread: int) -> Run:
    one = Run(table, "judging move", 2)
    one.thread = thread
    notes.write(one)
    return one


@pytest.fixture
def cases() -> CrashCases:
    return CrashCases()


def test_only_the_table_that_held_its_worker_twice_is_suspended(tmp_path: Path, cases: CrashCases) -> None:
    notes = RunNotes()
    noted(notes, "INNOCENT", 0x11)
    noted(notes, "GUILTY", 0x22)
    over = noted(notes, "OVER", 0x33)
    notes.erase(over)
    with (tmp_path / "words").open("w+b") as words:
        words.write(
            b"Thread 0x0000000000000011 (most recent call first):\n  File x\n\n"
            b"Current thread 0x0000000000000022 (most recent call first):\n  File rules.py, line 7 in loop\n"
        )
        note_dead(notes, cases, words)
        assert cases.empty  # the signal may have reached a thread that only waits
        note_dead(notes, cases, words)
    [case] = cases.all()
    assert case.table == "GUILTY"
    assert case.fault.deadly
    assert "in loop" in case.fault.trace
    assert "File x" not in case.fault.trace


def test_a_suspicion_is_forgotten_after_a_day(cases: CrashCases, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("strifebarge.server.worker_notes.time", lambda: now)
    assert not cases.suspect("TABLE")
    now += SUSPECTED_FOR
    assert not cases.suspect("TABLE")
    assert cases.suspect("TABLE")


def test_a_worker_that_somebody_kills_has_no_table_suspended(tmp_path: Path, cases: CrashCases) -> None:
    notes = RunNotes()
    noted(notes, "INNOCENT", 0x11)
    with (tmp_path / "words").open("w+b") as words:
        assert note_dead(notes, cases, words) == ""
    assert cases.empty


def test_cases_are_found_until_they_are_closed_and_too_many_lose_one(cases: CrashCases) -> None:
    assert cases.empty
    assert cases.find("T1") is None
    for number in range(CASES + 1):
        cases.add(f"T{number}", "judging", "It held its process.", ("x", "\1", "ß", "𝄞")[number % 4] * 10**4)
    tables = {case.table for case in cases.all()}
    assert len(tables) == CASES
    assert f"T{CASES}" in tables
    for table in tables:
        cases.close_case(table)
    assert cases.empty
    assert cases.all() == []


def test_the_code_of_a_table_that_waits_for_being_suspended_is_not_run(cases: CrashCases) -> None:
    cases.add("TABLE", "judging", "It held its process.", "")
    RUNS.watching = Watchdog(RunNotes(), cases)
    try:
        with pytest.raises(GameFault, match="It held its process"):
            run("TABLE", "judging", pytest.fail, "it was run")
        assert run("OTHER", "judging", work, 3) == 3
    finally:
        RUNS.watching = None


def test_a_fault_says_in_a_line_what_it_is() -> None:
    assert str(GameFault("TABLE", Fault(what="judging move", error="ValueError: oh"))) == (
        "judging move: ValueError: oh"
    )
