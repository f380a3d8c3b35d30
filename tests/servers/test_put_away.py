"""A game rests between any two moves, and is taken up anywhere: by another process, under other rules."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from strifebarge.starter import new_game
from tests.servers.books import Books, library
from tests.servers.conftest import GENEROUS
from tests.support.servers import Site
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers
KEY = "a key that both processes sign with"


# -- two processes ---------------------------------------------------------------------------


def plain(page: Page) -> str:
    """A page without what is new on every page: the keys of its forms."""
    return re.sub(r'name="key" value="\w+"', "", page.text)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("strifebarge", {"seats": "2"}),
        ("strifebarge", {"seats": "3", "salvo": "false", "sea": "open"}),
        ("eights", {"seats": "3", "draw": "by_hand"}),
        ("rps", {"best_of": "7"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value.values()),
)
def test_a_game_that_every_move_finds_in_another_process_goes_the_same_way(
    game: str, options: dict[str, str], database_url: str
) -> None:
    both = {"WORKERS": "1", "DATABASE_URL": database_url, "SECRET_KEYS": KEY, "PUBLIC_URL": "http://here.example"}
    with Site(**both) as one, Site(**both) as other, Books(database_url) as books:
        players = [Remote(one.port) for _ in range(int(options.get("seats", "2")))]
        table = players[0].start(game, **options).table
        for player in players[1:]:
            player.join(table)
        for port in [one.port, other.port] * 20:
            for player in players:
                player.port = port
                page = player.get(table)
                if page.my_turn:
                    answer = player.submit(page, "/turn", page.form("/turn").moves[0])
                    assert answer.status == 303, answer.words
                    player.port = other.port if port == one.port else one.port
                    there = plain(player.get(table))
                    player.port = port
                    assert there == plain(player.get(table)), "the same move shows differently elsewhere"
        books.must_replay(table.removeprefix("/g/"), library())
        warm = [plain(player.get(table)) for player in players]
        one.restart()
        for player in players:
            player.port = one.port
        assert [plain(player.get(table)) for player in players] == warm


# -- other rules -----------------------------------------------------------------------------

# Ways to change a game so that what was played no longer leads where it did: in its rules, text for text.
CHANGES = {
    "it leads elsewhere": ("self.left -= take.stones", "self.left -= take.stones + 1"),
    "it breaks": ("player.taken += take.stones", "player.taken += take.stones // (take.stones - 1)"),
    "it knows other moves": ("class Take(Action)", "class Grab(Action)"),
    "it asks another": ("self.ask(player,", "self.ask(self.seats[0],"),
    "it has other pieces": ("    taken: int = 0", "    got: int = 0"),
}
SENTENCE = "Suspended. The rules of this game have changed under it"


class Heap:
    """A small game of one's own, in a folder that the site is told of."""

    def __init__(self, folder: Path):
        self.rules = new_game("Heap", folder) / "rules.py"
        self.right = self.rules.read_text()

    def change(self, old: str, new: str) -> None:
        assert old in self.right
        text = self.right.replace(old, new)
        self.rules.write_text(text.replace("Take(", "Grab(").replace("(Take,", "(Grab,") if "Grab" in new else text)

    def mend(self) -> None:
        self.rules.write_text(self.right)


@contextmanager
def heap_in_play(folder: Path, database_url: str) -> Iterator[tuple[Site, Heap, Remote, Remote, str]]:
    """Two at a heap, three moves made, the last of them in a round that is not over."""
    folder.mkdir()
    heap = Heap(folder)
    with Site(**GENEROUS, DATABASE_URL=database_url, GAMES=str(folder)) as site:
        one, other = Remote(site.port), Remote(site.port)
        table = one.start("heap", seats="2").table
        other.join(table)
        assert one.move(table, "take 1").status == 303
        assert other.move(table, "take 2").status == 303
        assert other.get(table).status == 200
        assert one.move(table, "take 3").status == 303
        yield site, heap, one, other, table


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("pressed", [False, True], ids=["looked at", "pressed"])
def test_under_other_rules_a_game_is_suspended_and_under_its_own_it_goes_on(
    change: str, pressed: bool, tmp_path: Path, sqlite_url: str
) -> None:
    with heap_in_play(tmp_path / "games", sqlite_url) as (site, heap, one, other, table):
        with Books(sqlite_url) as books:
            form = other.get(table)
            before = books.everything(("moves", "snapshots", "receipts"))
            site.stop()
            heap.change(*CHANGES[change])
            site.start()
            for viewer in one, other, Remote(site.port):
                page = viewer.get(table)
                assert page.status == 200, page.words
                assert SENTENCE in page.words
                assert not page.has_form("/turn"), "a move is offered that will be refused"
            if pressed:
                answer = other.submit(form, "/turn", move="take 3")
                assert (answer.status, answer.token) == (409, "table.suspended")
                assert SENTENCE in answer.words
            for place in ("/at/0", "/at/1", "/at/3", "/log", "/status", "/version", "/record.json", "/quit"):
                assert other.get(table + place).status in (200, 404, 409), place
            assert other.get("/games").status == 200
            assert books.everything(("moves", "snapshots", "receipts")) == before
            site.stop()
            heap.mend()
            site.start()
            page = other.get(table)
            assert "Suspended" not in page.words
            assert page.my_turn
            assert other.submit(page, "/turn", move="take 3").status == 303
            after = books.everything(("moves",))["moves"]
            assert set(before["moves"]) < set(after)
            assert books.table(table.removeprefix("/g/"))["number"] == 4


def test_a_game_taken_away_hides_no_other_game(tmp_path: Path, sqlite_url: str) -> None:
    with heap_in_play(tmp_path / "games", sqlite_url) as (site, heap, other, one, table):
        still_here = one.start("eights", seats="1").table
        site.stop()
        heap.rules.unlink()
        site.start()
        mine = one.get("/games")
        assert mine.status == 200, mine.words
        assert still_here in mine.seen.links
        assert one.get("/games/next").status == 303
        assert one.get(still_here).my_turn
        for place in ("", "/log", "/at/1", "/status", "/quit"):
            assert one.get(table + place).status in (200, 404, 409), place
        site.stop()
        heap.mend()
        site.start()
        assert other.get(table).status == 200
        assert one.move(table, "take 3").status == 303
