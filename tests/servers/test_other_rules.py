"""Rules that are edited without a new version: never other rules in silence; a broken game harms no other.

Real processes: the site serves, is played at, stops, and starts again with other files of its games.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editions import tally
from tests.servers.conftest import GENEROUS
from tests.support.servers import ROOT, Site, wait_for
from tests.support.visitor import Page, Remote

pytestmark = pytest.mark.servers

COUNT = "seat.counted += counted.by"
RANKED = "return self.ranking(lambda seat: seat.counted)"
RIGHT = tally.RULES.replace("range(3)", "range(2)")  # two stages of two rounds
DOUBLE = RIGHT.replace(COUNT, "seat.counted += 2 * counted.by")
FEWEST = RIGHT.replace(RANKED, "return self.ranking(lambda seat: -seat.counted)")
FOUR_TOO = RIGHT.replace("Count(2), Count(3)", "Count(2), Count(3), Count(4)")
SPOILT = RIGHT + "\ndef wrong(:\n"
RPS = (ROOT / "games" / "rps" / "rules.py").read_text(encoding="utf-8")
NO_PAPER = RPS.replace("map(Throw, Hand)", "map(Throw, [Hand.ROCK, Hand.SCISSORS])")
# By game: its rules, and what they are after an edit.
EDITS = {
    "points": (RIGHT, DOUBLE),
    "fewest": (RIGHT, FEWEST),
    "ended": (RIGHT, DOUBLE),
    "spoilt": (RIGHT, SPOILT),
    "throws": (RPS, NO_PAPER),
}
SUSPENDED = "Suspended. This game's rules have changed"


def put(folder: Path, game: str, rules: str) -> None:
    (folder / game).mkdir(parents=True, exist_ok=True)
    (folder / game / "rules.py").write_text(rules, encoding="utf-8")


def must(answer: Page, status: int = 303) -> Page:
    assert answer.status == status, answer.words
    return answer


class Played:
    """A table for two, at which these counts have been made in turn."""

    def __init__(self, site: Site, game: str, *counts: int):
        self.one, self.other = Remote(site.port), Remote(site.port)
        self.table = self.one.start(game, **({"seats": "2"} if "throws" not in game else {})).table
        self.other.join(self.table)
        for nth, count in enumerate(counts):
            must((self.one, self.other)[nth % 2].move(self.table, f"count {count}"))

    def agree(self) -> None:
        """Have both agree to go on by other rules."""
        for who, ending in ((self.one, "/back"), (self.one, "/ready"), (self.other, "/ready")):
            must(who.submit(who.get(self.table), ending))

    @property
    def log(self) -> str:
        return self.one.get(f"{self.table}/log.txt").text


class Edited:
    """A site at which each of these games was played before its rules were edited."""

    def __init__(self, site: Site, folder: Path):
        self.site = site
        self.folder = folder
        self.points = Played(site, "points", 1, 2, 3, 1)  # the second stage has just begun
        self.fewest = Played(site, "fewest", 1, 2, 3, 1)
        self.ended = Played(site, "ended", 1, 2, 3, 1, 1, 2, 3, 1)
        self.spoilt = Played(site, "spoilt", 1, 2)
        self.throws = Played(site, "throws")
        must(self.throws.one.move(self.throws.table, "throw paper"))
        assert not self.throws.one.get(self.throws.table).my_turn
        links = self.ended.one.get(self.ended.table).seen.links
        [self.check] = {link for link in links if link.startswith("/r/") and link.endswith("/check")}
        assert "Yes! The seed" in self.ended.one.get(self.check).words
        site.stop()
        for game, (_, after) in EDITS.items():
            put(folder, game, after)
        site.start()


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edited]:
    folder = tmp_path_factory.mktemp("edited") / "games"
    for game, (before, _) in EDITS.items():
        put(folder, game, before)
    with Site(**GENEROUS, GAMES=str(folder)) as site:
        yield Edited(site, folder)


def test_points_that_are_counted_otherwise_suspend_a_game_until_all_agree(edited: Edited) -> None:
    played = edited.points
    for viewer in (played.one, played.other, Remote(edited.site.port)):
        page = viewer.get(played.table)
        assert SUSPENDED in page.words
        assert "Move 1 now comes out differently." in page.words
        assert not page.has_form("/turn")
    played.agree()
    must(played.one.move(played.table, "count 3"))
    assert "All agreed to go on from here by the new ones" in played.log


def test_where_nothing_played_comes_out_otherwise_the_log_tells_of_edited_rules(edited: Edited) -> None:
    played = edited.fewest
    must(played.one.move(played.table, "count 1"))
    must(played.other.move(played.table, "count 1"))
    assert played.log.count("This game's rules were edited.") == 1


def test_an_honest_host_is_called_no_cheat_when_rules_are_edited_later(edited: Edited) -> None:
    words = edited.ended.one.get(edited.check).words
    assert "This game was played by other rules" in words
    assert "Yes! The seed" not in words


def test_a_choice_that_is_not_offered_any_more_is_asked_anew(edited: Edited) -> None:
    one, other, table = edited.throws.one, edited.throws.other, edited.throws.table
    sentence = "your choice is no longer possible"
    assert sentence in one.get(table).words
    assert sentence not in other.get(table).words
    assert one.get(table).my_turn
    must(other.move(table, "throw rock"))
    page = one.get(table)
    assert page.my_turn
    assert sentence in page.words
    assert "throws paper" not in other.get(table).words
    must(one.move(table, "throw scissors"))
    assert "throws scissors" in other.get(table).words
    assert sentence not in one.get(table).words


def test_a_game_with_a_mistake_is_left_out_and_the_others_are_served(edited: Edited) -> None:
    played, site = edited.spoilt, edited.site
    written = site.output.read_text()
    assert written.count("A game is left out:") == 1  # though each process reads it
    assert "SyntaxError" in written
    assert played.one.get("/readyz").text == "ready\nleft out: spoilt\n"
    assert "has a bug in its files" in must(played.one.get(played.table), 503).words
    must(played.one.get("/games"), 200)
    must(played.one.get("/new/rps"), 200)
    site.stop()
    put(edited.folder, "spoilt", RIGHT)
    site.start()
    assert played.one.get("/readyz").text == "ready\n"
    must(played.one.move(played.table, "count 3"))


def test_while_a_site_is_upgraded_older_code_writes_nothing_after_newer(tmp_path: Path) -> None:
    folder, url = tmp_path / "games", f"sqlite:///{tmp_path / 'both.db'}"
    settings = GENEROUS | {
        "SECRET_KEYS": "a key that both sign with",
        "DATABASE_URL": url,
        "GAMES": str(folder),
    }
    put(folder, "upgraded", RIGHT)
    with Site(**settings) as older:
        played = Played(older, "upgraded", 1, 2)
        one, other, table = played.one, played.other, played.table
        put(folder, "upgraded", FOUR_TOO)
        with Site(**settings) as newer:
            one.port = newer.port
            must(one.move(table, "count 4"))
            must(other.get(table), 503)  # what was played cannot be shown by the older rules
            must(other.post(f"{table}/turn", [("key", "m" * 32), ("asked", "3"), ("move", "count 1")]), 503)
            other.port = newer.port
            assert "Suspended" not in other.get(table).words
            must(other.move(table, "count 1"))
        other.port = older.port
        older.restart()  # with the rules that are there now
        assert "counts to 8." in must(other.get(table), 200).words


def test_with_reload_an_author_is_told_which_move_comes_out_otherwise_and_why(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    put(folder, "tried", RIGHT)
    with Site(
        arguments=("-m", "strifebarge.cli", "serve", "--reload"), **GENEROUS, GAMES=str(folder)
    ) as site:
        played = Played(site, "tried", 3, 2)
        one, table = played.one, played.table
        strict = "        return Why.TOO_MUCH if action.by == 3 else None\n"
        put(folder, "tried", RIGHT.replace("        return None\n", strict))
        wait_for(lambda: "Suspended" in one.get(table).words, awaited="reading the rules again")
        sentence = "Move 1 now comes out differently. The new rules say: That is too much. If all agree"
        assert sentence in one.get(table).words
        played.agree()
        assert one.get(table).my_turn
