"""`strifebarge serve --reload`: boards and rules are read again while the site runs; open pages follow."""

import sys
from pathlib import Path

import pytest

from strifebarge.server.application import Server
from strifebarge.server.reload import Watcher, files_in, stamp_of
from strifebarge.settings import Settings
from strifebarge.starter import new_game
from tests.support.servers import Site, wait_for
from tests.support.visitor import Remote

from .conftest import GENEROUS

SERVE = ("-m", "strifebarge.cli", "serve", "--reload")
BOARD = "<h2>A heap of {{ game.left }}</h2>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_game("reloaded", tmp_path / "games")
    return tmp_path / "games"


@pytest.mark.servers
def test_boards_and_rules_are_read_again_while_the_site_runs(folder: Path) -> None:
    home = folder / "reloaded"
    with Site(arguments=SERVE, **GENEROUS, GAMES=str(folder)) as site:
        ann, bob = Remote(site.port), Remote(site.port)
        table = ann.start("reloaded", seats="2").table
        bob.join(table)
        [before] = site.workers()

        def version() -> str:
            return bob.get(f"{table}/version").text

        def shown() -> str:
            return bob.get(table).text

        # A board that was not there.
        seen = version()
        assert f'data-version="{seen}"' in shown()
        (home / "board.html").write_text(BOARD)
        wait_for(lambda: version() != seen, awaited="another version")
        assert "<h2>A heap of 15</h2>" in shown()
        assert f'data-version="{version()}"' in shown()
        assert site.workers() != [before]

        # The words of the rules; the game goes on, since no position is another.
        seen, rules = version(), home / "rules.py"
        rules.write_text(
            rules.read_text().replace("Only {left} left on the heap.", "No more than {left} are there.")
        )
        wait_for(lambda: version() != seen, awaited="another version")
        assert ann.move(table, "take 3").status == 303
        assert "<h2>A heap of 12</h2>" in shown()
        assert "No more than {left}" not in ann.get("/rules/reloaded").text
        assert "No more than" in ann.get("/rules/reloaded").words

        # A mistake leaves the other games as they are, and the table comes back with the rules.
        right = rules.read_text()
        rules.write_text(
            right.replace("take = await self.ask(", "take = self.ask(").replace(
                "    async def play", "    def play"
            )
        )
        wait_for(lambda: bob.get(table).status == 503, awaited="leaving the game out")
        assert bob.get(f"{table}/version").status == 200
        assert bob.get("/new/eights").status == 200
        assert "`play` is no `async def`" in site.output.read_text()
        rules.write_text(right)
        wait_for(lambda: bob.get(table).status == 200, awaited="coming back")
        assert "<h2>A heap of 12</h2>" in shown()

        # A game that was not there.
        new_game("reloaded_too", folder)
        wait_for(lambda: bob.get("/new/reloaded_too").status == 200, awaited="a new game")
        assert "Changed: reloaded/board.html." in site.output.read_text()


@pytest.mark.servers
def test_without_it_nothing_of_a_page_tells_of_files(folder: Path) -> None:
    with Site(**GENEROUS, GAMES=str(folder)) as site:
        ann = Remote(site.port)
        table = ann.start("reloaded", seats="2").table
        assert "~" not in ann.get(f"{table}/version").text


def test_what_tells_a_games_files_from_others(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("a = 1")
    before = stamp_of(tmp_path)
    assert stamp_of(tmp_path) == before
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "rules.pyc").write_text("a")
    (tmp_path / ".rules.py.swp").write_text("a")
    assert stamp_of(tmp_path) == before
    (tmp_path / "board.css").write_text("")
    assert stamp_of(tmp_path) != before
    assert [Path(path).name for path in files_in([tmp_path])] == ["board.css", "rules.py"]


def test_a_watcher_tells_once_what_has_changed(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("a = 1")
    changes: list[list[str]] = []
    watcher = Watcher([tmp_path], changes.append)
    watcher.start()
    (tmp_path / "rules.py").write_text("a = 12")
    watcher.join(20)
    assert not watcher.is_alive()
    assert changes == [[str(tmp_path / "rules.py")]]


def test_a_site_that_cannot_be_made_says_why_until_a_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched: list[Watcher] = []
    monkeypatch.setattr("sys.dont_write_bytecode", sys.dont_write_bytecode)
    monkeypatch.setattr(Watcher, "start", lambda watcher: watched.append(watcher))
    monkeypatch.setattr("strifebarge.app.create_app", lambda *_, **__: 1 / 0)
    site = Server(Settings(data=tmp_path, games=(tmp_path,)), reload=True).load()
    lines: list[str] = []
    body = b"".join(site({}, lambda status, headers: lines.append(status)))
    assert lines == ["500 Internal Server Error"]
    assert b"ZeroDivisionError: division by zero" in body
    assert str(tmp_path) in watched[0].folders
