"""`strifebarge fuzz`, from outside; and a finding on the site."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import games
from strifebarge.store.migrations import upgrade
from tests.editions import tally
from tests.support.servers import ROOT
from tests.web.house import opened

pytestmark = pytest.mark.full("runs the fuzzer")

BROKEN = tally.RULES.replace("        self.rounds += 1\n", "        self.rounds += 1 // (self.total != 9)\n")


def strifebarge(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, **{f"STRIFEBARGE_{name}": value for name, value in variables.items()}}
    command = [sys.executable, "-m", "strifebarge.cli", *words]
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=120)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of games with one that breaks when the total is nine after a round."""
    home = tmp_path / "games" / "wobbly"
    home.mkdir(parents=True)
    (home / "rules.py").write_text(BROKEN, encoding="utf-8")
    return tmp_path / "games"


def test_where_nothing_is_found_it_says_what_was_reached(tmp_path: Path) -> None:
    out = tmp_path / "found"
    done = strifebarge("fuzz", "rps", "--games", "4", "--seed", "mine", "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("rps: 4 games, ")
    assert lines[1].startswith("Reached: 1 of 1 kinds of action, 1 of 1 refusals, 1 questions, ")
    assert lines[-1] == "Nothing was found."
    assert not out.exists()


def test_a_game_that_is_not_there_is_one_line() -> None:
    done = strifebarge("fuzz", "solitaire")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "There is no game “solitaire”; the games are " in done.stderr


def test_a_neighbour_that_cannot_be_read_is_told_of_and_left_out(folder: Path, tmp_path: Path) -> None:
    (folder / "faulty").mkdir()
    (folder / "faulty" / "rules.py").write_text("1 / 0", encoding="utf-8")
    done = strifebarge("fuzz", "rps", "--games", "1", "--out", str(tmp_path / "found"), GAMES=str(folder))
    assert done.returncode == 0, done.stderr
    why = "ZeroDivisionError: division by zero (rules.py, line 1)"
    sentence = f"{folder / 'faulty' / 'rules.py'} cannot be read: {why}"
    assert done.stderr.splitlines() == [sentence]
    assert done.stdout.splitlines()[-1] == "Nothing was found."
    itself = strifebarge("fuzz", "faulty", "--games", "1", GAMES=str(folder))
    assert itself.returncode == 2
    assert itself.stderr.splitlines()[0] == sentence


def test_what_is_found_is_told_kept_replayed_and_shown_on_a_site(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "found"
    with_game = {"GAMES": str(folder), "DATA": str(tmp_path)}
    done = strifebarge("fuzz", "wobbly", "--games", "60", "--out", str(out), **with_game)
    assert done.returncode == 1, done.stdout + done.stderr
    assert ": crash\n    ZeroDivisionError at " in done.stdout
    assert f"kept as {out / 'wobbly-crash.json'}" in done.stdout
    assert done.stdout.splitlines()[-1] == "One broken law was found."
    record = json.loads((out / "wobbly-crash.json").read_text(encoding="utf-8"))
    assert record["finding"]["law"] == "crash"
    assert record["finding"]["trying"].startswith("P")
    again = strifebarge("replay", str(out / "wobbly-crash.json"), **with_game)
    assert again.returncode == 0, again.stderr
    path = list(games.__path__)
    upgrade(f"sqlite:///{tmp_path / 'house.db'}")
    try:
        with opened(f"sqlite:///{tmp_path / 'house.db'}", tmp_path, games=(folder,)) as house:
            who = house.visitor()
            file = (out / "wobbly-crash.json").read_text(encoding="utf-8")
            page = who.submit(who.get("/import"), "/import", text=file)
            assert page.status == 303, page.words
            assert "Tally" in who.get(page.location).words
    finally:
        games.__path__[:] = path
        for name in [each for each in sys.modules if each.startswith("games.wobbly")]:
            del sys.modules[name]
