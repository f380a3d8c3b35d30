"""The ticker of a whole site: deadlines pass with nobody there, once, and it ends in good order."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers.books import Books
from tests.servers.conftest import BOTH, GENEROUS, on_a_database
from tests.support.servers import Site, wait_for
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

HASTE = '''"""The last to press wins."""

from typing import Any

from strifebarge.rules import Action, Game, Pace


class Press(Action):
    """Press."""


class Haste(Game):
    """Press in time, or be out."""

    title = "Haste"
    players = range(2, 5)
    paces = (Pace.turn(1, misses=2),)

    async def play(self) -> Any:
        for seat in self.round():
            await self.ask(seat, "Press.", [Press()])
        return self.play if len(self.still_in) > 1 else self.ranking()
'''


@pytest.fixture(scope="module", params=BOTH)
def hasty(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Four workers that look each second, and a game that has one for a move."""
    folder = tmp_path_factory.mktemp("games")
    (folder / "haste").mkdir()
    (folder / "haste" / "rules.py").write_text(HASTE)
    settings = {**GENEROUS, "WORKERS": "4", "TICK": "1", "GAMES": str(folder)}
    with on_a_database(request, **settings) as running:
        yield running


def gathered(site: Site) -> str:
    """A table where nobody ever moves; its code."""
    one, other = Remote(site.port), Remote(site.port)
    table = one.start("haste", pace="turn-1").table
    other.join(table)
    return table.removeprefix("/g/")


def over(books: Books, code: str) -> bool:
    return books.ask("SELECT status FROM tables WHERE id = :id", id=code) == [("over",)]


def ticks(worker: int) -> bool:
    """Whether a worker has threads beside its first: while it is still loading, nobody can tell it to end."""
    return len(list(Path(f"/proc/{worker}/task").iterdir())) > 1


def test_deadlines_pass_once_with_nobody_there(hasty: Site) -> None:
    codes = [gathered(hasty) for _ in range(4)]
    with Books(hasty.settings["DATABASE_URL"]) as books:
        wait_for(lambda: all(over(books, code) for code in codes), awaited="the end of all games")
        for code in codes:
            lines = books.moves(code)
            assert [(line.seat, line.action) for line in lines] == [
                (0, {"do": "late", "out": False}),
                (1, {"do": "late", "out": False}),
            ]
        [(uptime_periods,)] = books.ask("SELECT count(*) FROM uptime_periods")
    assert uptime_periods == 1
    assert "Traceback" not in hasty.log()


def test_it_goes_on_after_a_kill_and_ends_in_good_order(hasty: Site) -> None:
    code = gathered(hasty)
    hasty.kill()
    hasty.start()
    with Books(hasty.settings["DATABASE_URL"]) as books:
        wait_for(lambda: over(books, code), awaited="the end of the game")
    process = hasty.process
    assert process
    wait_for(lambda: all(map(ticks, hasty.workers())), awaited="the ticker of each worker")
    hasty.stop()
    assert process.returncode == 0
    hasty.start()
    for word in ("SIGSEGV", "SIGKILL", "Traceback"):
        assert word not in hasty.log()
