"""A game may do whatever it likes: it suspends its own table, and costs the others nothing but a moment.

The game `unruly` (tests/servers/authors) goes wrong in as many ways as anybody has thought of, each by a move
of its own.  What is tried here are real processes: two workers, or one, on SQLite and PostgreSQL.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from tests.servers.conftest import BOTH, GENEROUS, on_a_database
from tests.support.servers import Site, wait_for
from tests.support.visitor import Page, Remote, Unanswered

T = TypeVar("T")
pytestmark = pytest.mark.servers

GAMES = str(Path(__file__).parent / "authors")
SENTENCE = "Suspended. A bug in this game has stopped it. No move is lost."
NOTE = "the author reads this"
PATIENCE = 120.0  # seconds: ample, since a busy machine is no failure
BACK_WITHIN = 5.0  # seconds after which another worker answers
BUSY = 3  # times what a start of the site takes, on a busy machine

# What costs the worker that runs it: nothing else ends it.
COSTLY = ["loop_in_c", "queue_in_c", "regex", "power", "hash", "sleep", "deadlock", "loop_swallowed"]
# What lets no Python code run any more. Such a table is suspended when it costs a worker for the second time.
HOLDING = ["loop_in_c", "queue_in_c", "regex", "power", "hash"]
# What is refused, and the table suspended, in the answer to the move itself; with words that the host finds.
REFUSED = {
    "loop": "It took more than 2 seconds of a processor.",
    "loop_swallowed_once": "It took more than 2 seconds of a processor.",
    "loop_in_finally": "It took more than 2 seconds of a processor.",
    "memory_at_once": "MemoryError",
    "memory_list": "MemoryError",
    "memory": "",  # whichever is over first, here and below: the memory, or the time on a busy machine
    "memory_slowly": "",
    "recursion": "RecursionError",
    "recursion_in_c": "RecursionError",
    "mistake": NOTE,
    "base": NOTE,
    "exit": NOTE,
    "interrupt": NOTE,
    "generator_exit": NOTE,
    "untellable": "Untellable",
    "ask_a_stranger": "Unruly asks seat 9, and its seats are 0 to 1",
    "ask_a_number": "a seat is asked, as in self.seats[0], and not 3",
    "options_raise": NOTE,
    "ask_nobody_forever": "asks nobody who is there",
    "await_nonsense": "Unruly awaits what is no question to a seat",
    "end_with_nonsense": NOTE,
    "rank_strangers": "which does not rank its seats",
    "log_no_text": "no words for",
    "finish_with_nothing": "which does not rank its seats",
    "does_not_hold": NOTE,
}
# What shows in the next page.
SEEN = {
    "prompt_no_text": "is no text",
    "prompt_lacks_words": "is not given who",
    "options_no_actions": "is no action",
    "refuse_raises": NOTE,
    "refuse_loops": "It took more than 2 seconds of a processor.",
    "refuse_nonsense": "which is no Refusal",
    "refuse_finishes": "ends or goes on in `refuse`",
    "standing_raises": NOTE,
    "question_raises": NOTE,
    "template_raises": NOTE,
    "template_loops": "It took more than 2 seconds of a processor.",
    "template_exits": NOTE,
    "template_half_a_letter": "surrogates not allowed",
    "board_raises": NOTE,
    "board_undefined": "nothing_of_that_name",
    "board_loops_in_c": "It held its process, which had to be ended.",
}
ALL = [*COSTLY, *REFUSED, *SEEN]
FEW = ["loop", "loop_in_c", "memory_at_once", "base", "template_raises"]  # with each `make test`


@pytest.fixture(scope="module", params=BOTH)
def unruly(request: pytest.FixtureRequest) -> Iterator[Site]:
    """A site of two workers that has the game."""
    with on_a_database(request, **GENEROUS, GAMES=GAMES) as site:
        yield site


class Table:
    """Two people at the game."""

    def __init__(self, site: Site):
        self.site = site
        self.players = [Remote(site.port, PATIENCE), Remote(site.port, PATIENCE)]
        self.path = self.players[0].start("unruly").table
        self.players[1].join(self.path)

    def to_move(self) -> tuple[Remote, Page]:
        pages = [(each, each.get(self.path)) for each in self.players]
        return next((each, page) for each, page in pages if page.my_turn)

    def move(self, words: str) -> Page:
        player, page = self.to_move()
        return player.submit(page, "/turn", move=words)

    def page(self, player: Remote) -> Page | None:
        with suppress(Unanswered):  # its worker is ending
            return player.get(self.path)
        return None

    def is_suspended(self) -> bool:
        """Whether both players are told so, in a page that shows nothing of the author's words."""
        pages = [self.page(each) for each in self.players]
        if not all(page is not None and SENTENCE in page.words for page in pages):
            return False
        for page in filter(None, pages):
            assert page.status == 200
            assert "Traceback" not in page.text
            assert NOTE not in page.text
            assert not page.has_form("/turn")
        return True

    def press(self, player: Remote, ending: str, **fields: str) -> None:
        answer = player.submit(player.get(self.path), ending, **fields)
        assert answer.status == 303, answer.words


@contextmanager
def played_beside(site: Site) -> Iterator[list[float]]:
    """Two others play at another table meanwhile; yields the times at which moves of theirs were kept."""
    table, done, enough, wrong = Table(site), [], threading.Event(), []

    def play() -> None:
        try:
            while not enough.is_set():
                player, page = patiently(table.to_move)
                answer = patiently(partial(player.submit, page, "/turn", move="go"))
                assert answer.status == 303, answer.words
                done.append(time.monotonic())
        except BaseException as error:  # told in the thread of the test
            wrong.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield done
    finally:
        enough.set()
        thread.join()
    assert not wrong, wrong
    wait_for(lambda: f"moves: {len(done)}" in table.players[0].get(table.path).words, PATIENCE)


def patiently(ask: Callable[[], T]) -> T:
    """Ask until there is an answer: a form has a key, and is carried out once, however often it is sent."""
    for _ in range(200):
        try:
            return ask()
        except Unanswered:
            time.sleep(0.05)
    raise AssertionError("no answer")


def go_wrong(table: Table, how: str) -> None:
    """Make the move that goes wrong; the answer depends on what."""
    answer = None
    with suppress(Unanswered):
        answer = table.move(f"do {how}")
    if how in REFUSED:
        assert answer is not None
        assert (answer.status, answer.token) == (409, "table.mistake"), answer.words
    if how in SEEN:
        assert answer is not None
        assert answer.status == 303, answer.words
    wait_for(partial(suspended_or_tried_again, table, how), PATIENCE, "the suspension")


def suspended_or_tried_again(table: Table, how: str) -> bool:
    """Whether a table is suspended; if not, make a move again that holds its worker."""
    if table.is_suspended():
        return True
    if how in HOLDING:
        with suppress(Unanswered, StopIteration):  # StopIteration: it is suspended by now
            table.move(f"do {how}")
    return False


def output_for_the_host(site: Site) -> str:
    """What the host is told of games that have failed."""
    output = subprocess.run(
        [sys.executable, "-m", "strifebarge.cli", "games", "faults"],
        env={**os.environ, **site.environment()},
        capture_output=True,
        text=True,
        cwd=site.workplace(),
    )
    assert output.returncode == 0, output.stderr
    return output.stdout


def goes_wrong_alone(site: Site, how: str) -> None:
    """A table goes wrong; another one is played meanwhile; its players go back a move, and go on."""
    table = Table(site)
    assert table.move("go").status == 303
    with played_beside(site) as others:
        wait_for(lambda: others, PATIENCE)
        before = len(others)
        go_wrong(table, how)
        wait_for(lambda: len(others) > before, PATIENCE, "a move elsewhere")
    output = output_for_the_host(site)
    [mine] = [part for part in output.split("\n\n") if part.startswith(table.path.removeprefix("/g/"))]
    assert {**REFUSED, **SEEN}.get(how, "It ") in mine
    one, other = table.players
    table.press(one, "/back", back="yes")
    assert "wants to go back to move" in other.get(table.path).words
    table.press(one, "/ready")
    table.press(other, "/ready")
    player, page = table.to_move()
    assert f"moves: {0 if how in REFUSED or how in COSTLY else 1}" in page.words
    assert player.submit(page, "/turn", move="go").status == 303


@pytest.mark.parametrize("how", FEW)
def test_whatever_goes_wrong_suspends_its_own_table_and_others_play_on(unruly: Site, how: str) -> None:
    goes_wrong_alone(unruly, how)


@pytest.mark.parametrize("how", [how for how in ALL if how not in FEW])
def test_every_other_way_to_go_wrong_does_the_same(unruly: Site, how: str) -> None:
    goes_wrong_alone(unruly, how)


def test_a_game_that_has_failed_may_be_ended_or_gone_on_with(unruly: Site) -> None:
    table = Table(unruly)
    one, other = table.players
    go_wrong(table, "mistake")
    for each in table.players:  # it goes on from before that move
        table.press(each, "/ready")
    assert table.move("go").status == 303
    go_wrong(table, "board_raises")
    table.press(one, "/end", end="yes")
    for each in table.players:
        table.press(each, "/ready")
    page = other.get(table.path)
    assert (page.status, page.over) == (200, True)  # though its board cannot be shown
    assert NOTE not in page.text


def test_nothing_is_lost_where_the_only_worker_has_to_die() -> None:
    with Site(**{**GENEROUS, "WORKERS": "1", "GAMES": GAMES}) as site:
        table = Table(site)
        for _ in range(3):
            assert table.move("go").status == 303
        before = site.workers()
        with played_beside(site) as others:
            wait_for(lambda: others, PATIENCE)
            with pytest.raises(Unanswered):
                table.move("do loop_in_c")
            died_at, died = time.monotonic(), len(others)
            wait_for(lambda: table.page(table.players[0]), PATIENCE, "another worker")
            took = time.monotonic() - died_at
            assert took < BACK_WITHIN or took < BUSY * seconds_to_start()
            wait_for(lambda: len(others) > died, PATIENCE, "a move elsewhere")
            wait_for(partial(suspended_or_tried_again, table, "loop_in_c"), PATIENCE, "the suspension")
        assert site.workers() != before
        assert "A worker has died" in site.log()
        assert "in play" in output_for_the_host(site)  # where the loop was
        for each in table.players:
            table.press(each, "/ready")
        assert "moves: 3" in table.to_move()[1].words


def seconds_to_start() -> float:
    """Return how long a site of one worker takes to come up, which tells how busy this machine is."""
    begun = time.monotonic()
    with Site(**{**GENEROUS, "WORKERS": "1", "GAMES": GAMES}):
        return time.monotonic() - begun


def test_a_worker_that_is_killed_in_the_midst_of_a_move_suspends_nothing() -> None:
    with Site(**{**GENEROUS, "WORKERS": "1", "GAMES": GAMES}) as site:
        table = Table(site)
        [worker] = site.workers()
        player, page = table.to_move()
        moving = threading.Thread(target=lambda: suppressed(player, page))
        moving.start()
        time.sleep(0.5)  # it loops by now, for two seconds
        os.kill(worker, signal.SIGKILL)
        moving.join()
        wait_for(lambda: table.page(player), PATIENCE, "another worker")
        assert "Suspended" not in table.to_move()[1].words


def suppressed(player: Remote, page: Page) -> None:
    """Send a move that loops, to a worker that is killed meanwhile."""
    with suppress(Unanswered):
        player.submit(page, "/turn", move="do loop_swallowed")
