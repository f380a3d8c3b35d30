"""A move that came before its deadline counts, however long the game's rules take to judge it."""

from collections.abc import Iterator
from threading import Thread
from time import sleep

import pytest

from tests.servers.books import Books
from tests.servers.conftest import BOTH, GENEROUS, on_a_database
from tests.servers.test_ticker import over
from tests.support.servers import Site, wait_for
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers

A_TURN = 8  # seconds: ample to send a form in
THINKS_FOR = 16.0  # seconds: so long after the deadline each worker's ticker has looked several times
SLOW = f'''"""One presses after the other, and the rules think about it."""

from time import sleep
from typing import Any

from strifebarge.rules import Action, Game, Pace


class Press(Action):
    """Press."""


class Slow(Game):
    """Press in time, or be out."""

    title = "Slow"
    players = range(2, 3)
    paces = (Pace.turn({A_TURN}, misses=1),)
    presses: int = 0

    async def play(self) -> Any:
        await self.ask(self.seats[self.presses % 2], "Press.", [Press()])
        if len(self.still_in) == 1:
            return self.ranking()
        self.presses += 1
        sleep({THINKS_FOR})
        return self.play
'''


@pytest.fixture(scope="module", params=BOTH)
def slow(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two workers that look each second, and a game that takes longer to judge a move than it has for one."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "slow").mkdir()
    (folder / "slow" / "rules.py").write_text(SLOW)
    with on_a_database(request, **{**GENEROUS, "TICK": "1", "GAMES": str(folder)}) as running:
        yield running


def test_a_move_that_came_in_time_counts_however_long_it_is_judged(slow: Site) -> None:
    one, other = Remote(slow.port, patience=60), Remote(slow.port)
    table = one.start("slow", pace=f"turn-{A_TURN}").table
    other.join(table)
    answers: list[Page] = []
    pressing = Thread(target=lambda: answers.append(one.move(table, "press")))
    pressing.start()
    with Books(slow.settings["DATABASE_URL"]) as books:
        code = table.removeprefix("/g/")
        sleep(A_TURN + 2)
        assert books.moves(code) == []  # its deadline has passed, and it is being judged
        pressing.join()
        assert [(page.status, page.token) for page in answers] == [(303, "")]
        assert (books.moves(code)[0].seat, books.moves(code)[0].action) == (0, {"do": "press"})
        assert books.count("forms_being_judged") == 0
        # The next deadline passes as ever.
        wait_for(lambda: over(books, code), awaited="the end of the game")


def test_a_worker_that_is_killed_while_it_judges_holds_up_nobody_for_long(slow: Site) -> None:
    one, other = Remote(slow.port, patience=60), Remote(slow.port)
    table = one.start("slow", pace=f"turn-{A_TURN}").table
    other.join(table)
    with Books(slow.settings["DATABASE_URL"]) as books:
        code = table.removeprefix("/g/")
        pressing = Thread(target=lambda: silent(one, table))
        pressing.start()
        wait_for(
            lambda: books.count("forms_being_judged") == 1, awaited="the form that is known to be judged"
        )
        slow.kill()
        pressing.join()
        slow.start()
        wait_for(lambda: over(books, code), awaited="the end of the game")


def silent(who: Remote, table: str) -> None:
    """Move, and expect no answer."""
    with pytest.raises(Exception):  # noqa: B017 - the connection ends in one way or another
        who.move(table, "press")
