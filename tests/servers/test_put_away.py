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
from tests.support.visitor import PRESENCE, Page, Remote

pytestmark = pytest.mark.servers

# -- two processes ---------------------------------------------------------------------------

# One site in two processes, as under two names: what both must agree on.
SHARED = {"WORKERS": "1", "SECRET_KEYS": "a key that both sign with", "PUBLIC_URL": "http://here.example"}
PLAYED = [
    ("strifebarge", 2, {}),
    ("strifebarge", 3, {"sea": "open"}),
    ("eights", 3, {"draw": "by_hand"}),
    ("rps", 2, {"best_of": "7"}),
]


def plain(page: Page) -> str:
    """A page without what is new on every page, the keys of its forms, and without who is here."""
    return re.sub(r'name="key" value="\w+"', "", PRESENCE.sub("", page.text))


def test_a_game_that_every_move_finds_in_another_process_goes_the_same_way(database_url: str) -> None:
    settings = {**GENEROUS, **SHARED, "DATABASE_URL": database_url}
    with Site(**settings) as one, Site(**settings) as other, Books(database_url) as books:
        tables = [begun(one, game, seats, options) for game, seats, options in PLAYED]
        for here, there in [(one, other), (other, one)] * 6:
            for table, players in tables:
                for player in players:
                    move_here_and_look_there(player, table, here, there)
        for table, _ in tables:
            books.must_replay(table.removeprefix("/g/"), library())
        warm = [looked(one, table, players) for table, players in tables]
        one.restart()
        assert [looked(one, table, players) for table, players in tables] == warm


def begun(site: Site, game: str, seats: int, options: dict[str, str]) -> tuple[str, list[Remote]]:
    players = [Remote(site.port) for _ in range(seats)]
    table = players[0].start(game, **options, **({} if game == "rps" else {"seats": str(seats)})).table
    for player in players[1:]:
        player.join(table)
    return table, players


def move_here_and_look_there(player: Remote, table: str, here: Site, there: Site) -> None:
    player.port = here.port
    page = player.get(table)
    if page.my_turn:
        answer = player.submit(page, "/turn", page.form("/turn").moves[0])
        assert answer.status == 303, answer.words
        assert looked(here, table, [player]) == looked(there, table, [player])


def looked(site: Site, table: str, players: list[Remote]) -> list[str]:
    """What each player is shown of a table by one of the processes."""
    for player in players:
        player.port = site.port
    return [plain(player.get(table)) for player in players]


# -- other rules -----------------------------------------------------------------------------

# Changes of a game's rules, text for text, after which what was played cannot be played, or leads elsewhere.
CHANGES = {
    "leads_elsewhere": [("self.left -= take.stones", "self.left -= take.stones + 1")],
    "breaks": [("player.taken += take.stones", "player.taken += take.stones // 0")],
    "knows_other_moves": [("class Take(", "class Grab("), ("(Take,", "(Grab,"), ("case Take(", "case Grab(")],
    "asks_another": [("self.ask(player,", "self.ask(self.seats[0],")],
    "has_other_pieces": [("taken", "got")],
}
SENTENCE = "Suspended. This game's rules have changed"


class Heap:
    """A small game of one's own, two at it, three moves made, the last in a round that is not over."""

    def __init__(self, name: str, folder: Path):
        self.name = name
        self.rules = new_game(name, folder) / "rules.py"
        self.right = self.rules.read_text()
        self.table = ""

    def begin(self, site: Site) -> None:
        self.one, self.other = Remote(site.port), Remote(site.port)
        self.table = self.one.start(self.name, seats="2").table
        self.other.join(self.table)
        for player, stones in (self.one, 1), (self.other, 2), (self.one, 3):
            assert player.move(self.table, f"take {stones}").status == 303
        self.page = self.other.get(self.table)

    def change(self) -> None:
        text = self.right
        for old, new in CHANGES[self.name]:
            assert old in text
            text = text.replace(old, new)
        self.rules.write_text(text)

    def mend(self) -> None:
        self.rules.write_text(self.right)


@contextmanager
def stopped(site: Site) -> Iterator[None]:
    """While the site is down."""
    site.stop()
    yield
    site.start()


def test_under_other_rules_games_are_suspended_and_under_their_own_they_go_on(
    tmp_path: Path, database_url: str
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    heaps = [Heap(change, folder) for change in CHANGES]
    with Site(**GENEROUS, DATABASE_URL=database_url, GAMES=str(folder)) as site, Books(database_url) as books:
        for heap in heaps:
            heap.begin(site)
        before = books.everything(("moves", "snapshots", "receipts"))
        with stopped(site):
            for heap in heaps:
                heap.change()
        for heap in heaps:
            must_be_suspended(heap, site)
        for heap in heaps[1:]:  # the first is never pressed
            answer = heap.other.submit(heap.page, "/turn", move="take 3")
            assert (answer.status, answer.token) == (409, "table.suspended"), heap.name
            assert SENTENCE in answer.words, heap.name
            must_be_suspended(heap, site)
        assert books.everything(("moves", "snapshots", "receipts")) == before
        with stopped(site):
            for heap in heaps:
                heap.mend()
        for heap in heaps:
            page = heap.other.get(heap.table)
            assert "Suspended" not in page.words, heap.name
            assert page.my_turn, heap.name
            assert heap.other.submit(page, "/turn", move="take 3").status == 303, heap.name
        assert set(before["moves"]) < set(books.everything(("moves",))["moves"])


def must_be_suspended(heap: Heap, site: Site) -> None:
    for viewer in heap.one, heap.other, Remote(site.port):
        page = viewer.get(heap.table)
        assert page.status == 200, (heap.name, page.words)
        assert SENTENCE in page.words, (heap.name, page.words)
        assert not page.has_form("/turn"), f"{heap.name}: a move is offered that will be refused"
    for place in ("/log", "/status", "/version", "/record.json", "/quit"):
        assert heap.other.get(heap.table + place).status in (200, 404, 409), (heap.name, place)
    assert heap.other.get("/games").status == 200, heap.name


def test_looking_back_at_a_suspended_game_is_no_fault(tmp_path: Path, sqlite_url: str) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    heaps = [Heap(change, folder) for change in CHANGES]
    with Site(**GENEROUS, DATABASE_URL=sqlite_url, GAMES=str(folder)) as site:
        for heap in heaps:
            heap.begin(site)
        with stopped(site):
            for heap in heaps:
                heap.change()
        answers = {
            f"{heap.name} {number}": heap.other.get(f"{heap.table}/at/{number}").status
            for heap in heaps
            for number in range(4)
        }
        assert set(answers.values()) <= {200, 409}, answers


def test_a_game_taken_away_hides_no_other_game(tmp_path: Path, sqlite_url: str) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    heap = Heap("breaks", folder)
    with Site(**GENEROUS, DATABASE_URL=sqlite_url, GAMES=str(folder)) as site:
        heap.begin(site)
        still_here = heap.other.start("eights", seats="1").table
        with stopped(site):
            heap.rules.unlink()
        mine = heap.other.get("/games")
        assert mine.status == 200, mine.words
        assert still_here in mine.seen.links
        assert heap.other.get("/games/next").status == 303
        assert heap.other.get(still_here).my_turn
        for place in ("", "/log", "/at/1", "/status", "/quit"):
            assert heap.one.get(heap.table + place).status in (200, 404, 409), place
        with stopped(site):
            heap.mend()
        assert heap.other.move(heap.table, "take 3").status == 303
