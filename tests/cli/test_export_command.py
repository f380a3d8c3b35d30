"""All games that are over, exported at once and imported at another site."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from strifebarge.cli import main
from strifebarge.store.db.engine import engine_for
from strifebarge.store.migrations import upgrade
from strifebarge.store.store import Store
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player
from strifebarge.tables.play.turn import FormToken
from tests.store.apart import throw, thrown
from tests.support import forms

ANN, BOB = Player("ann", "Ann"), Player("bob", "Bob")


class Moved(NamedTuple):
    """A site with two games that are over and one that runs; another site without any."""

    here: str
    elsewhere: str

    def run(self, *words: str, at: str = "here") -> Result:
        url = self.here if at == "here" else self.elsewhere
        return CliRunner().invoke(main, words, env={"STRIFEBARGE_DATABASE_URL": url})


@pytest.fixture
def moved(ready_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Moved:
    monkeypatch.setenv("STRIFEBARGE_DATA", str(tmp_path / "data"))
    elsewhere = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    upgrade(elsewhere)
    engine = engine_for(ready_url, 1)
    referee = forms.a_referee(Store(engine), Library())
    thrown(referee, [ANN, BOB], afterwards="rated")
    thrown(referee, [BOB, ANN], hands=("scissors", "paper"))
    running = forms.start(referee, ANN, "rps", FormToken("d" * 32), seats=2, options={"best_of": 7}).id
    forms.join(referee, BOB, running, "", FormToken("c" * 32))
    throw(referee, ANN, running, "scissors")
    engine.dispose()
    return Moved(ready_url, elsewhere)


def test_all_games_that_are_over_go_to_another_site_once(moved: Moved, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert moved.run("export", str(file)).output == ""
    assert file.stat().st_mode & 0o777 == 0o600
    lines = file.read_bytes().splitlines()
    assert [json.loads(line)["names"] for line in lines] == [["Ann", "Bob"], ["Bob", "Ann"]]
    assert moved.run("export").stdout.encode() == file.read_bytes()
    assert moved.run("export", "--game", "chess").stdout == ""
    unknown = moved.run("export", "--game", "whist", str(tmp_path / "whist.jsonl"))
    assert (unknown.exit_code, "There is no game “whist”" in unknown.stderr) == (2, True)
    assert not (tmp_path / "whist.jsonl").exists()
    first = moved.run("import", str(file), at="elsewhere")
    assert (first.exit_code, first.stdout.count("The game is at /r/")) == (0, 2)
    assert moved.run("import", str(file), at="elsewhere").stdout == first.stdout
    there = [json.loads(line) for line in moved.run("export", at="elsewhere").stdout.splitlines()]
    fields = ("game", "names", "seed", "moves", "places", "ended")
    assert [{name: each[name] for name in fields} for each in there] == [
        {name: json.loads(line)[name] for name in fields} for line in lines
    ]
    again = moved.run("export", str(file))
    assert (again.exit_code, again.stderr) == (1, f"Error: Cannot write {file}: File exists.\n")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_stream_is_imported_however_an_editor_has_saved_it(
    moved: Moved, tmp_path: Path, encoding: str
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(moved.run("export").stdout, encoding=encoding)
    done = moved.run("import", str(file), at="elsewhere")
    assert (done.exit_code, done.stdout.count("The game is at /r/")) == (0, 2)
    file.write_bytes(file.read_bytes()[:-1])
    assert moved.run("import", str(file), at="elsewhere").exit_code == (1 if encoding == "utf-16" else 0)


def test_a_line_that_does_not_hold_is_told_and_all_others_are_kept(moved: Moved, tmp_path: Path) -> None:
    one, other = moved.run("export").stdout.splitlines()
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join([one, one.replace("rock", "paper"), "", "{", "x" * 600_000, other]))
    done = moved.run("import", str(file), at="elsewhere")
    assert (done.exit_code, done.stdout.count("/r/")) == (1, 2)
    errors = done.stderr.splitlines()
    assert [line.partition(":")[0] for line in errors] == ["Line 2", "Line 4", "Line 5"]
    assert "The position after move 2 differs" in errors[0]
    assert "too large" in errors[2]


def test_chess_is_exported_as_pgn_and_other_games_are_left_out(moved: Moved) -> None:
    engine = engine_for(moved.here, 1)
    referee = forms.a_referee(Store(engine), Library())
    table = forms.start(referee, ANN, "chess", FormToken("e" * 32)).id
    forms.join(referee, BOB, table, "", FormToken("f" * 32))
    engine.dispose()
    assert moved.run("export", "--format", "pgn").stdout == ""
    assert moved.run("games", "end", table).exit_code == 0
    pgn = moved.run("export", "--format", "pgn")
    assert (pgn.exit_code, pgn.stdout.count("[Event ")) == (0, 1)
    assert "Ann" in pgn.stdout
