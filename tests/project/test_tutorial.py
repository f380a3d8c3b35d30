"""Who follows the first page for authors, and nothing else, has a game that works."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from strifebarge.rules import Chance
from tests.project.test_docs import CHANGE, FIRST, ROOT, STARTED, change, examples_of
from tests.support.servers import Site, wait_for
from tests.support.visitor import Page, Remote

BLOCKS = [*examples_of(FIRST)]
TYPED = [
    line
    for each in BLOCKS
    if each.language == "console"
    for line in re.findall(r"^\$ (.*)$", each.text, re.M)
]
[SERVE] = [line for line in TYPED if " serve" in line]


def settings_of(line: str) -> tuple[dict[str, str], list[str]]:
    """What a command line sets before the command, and the command; our own Python in the place of theirs."""
    words = shlex.split(line)
    given = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    command = [word for word in words if not re.match(r"[A-Z_]+=", word)]
    names = {"strifebarge": [sys.executable, "-m", "strifebarge.cli"], "python": [sys.executable]}
    return given, [*names.get(command[0], command[:1]), *command[1:]]


def run(line: str, folder: Path) -> str:
    """Type a command as the page says, in the reader's folder; what it told."""
    given, command = settings_of(line)
    environ = {**os.environ, **given, "PYTHONPATH": str(ROOT), "STRIFEBARGE_DATA": str(folder / "data")}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


class Readers(Site):
    """The site that the page has its reader serve."""

    def __init__(self, folder: Path):
        given, command = settings_of(SERVE)
        games = folder / given["STRIFEBARGE_GAMES"]
        super().__init__(arguments=command[1:], GAMES=str(games), LIMIT_CREATE="99")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder in which the page's first command was typed."""
    run(TYPED[0], tmp_path)
    return tmp_path


def test_the_page_names_its_commands_in_the_order_in_which_they_are_typed():
    assert [line.split("strifebarge ")[-1].split()[0] for line in TYPED] == [
        "new-game",
        "serve",
        "pip",
        "python",
        "fuzz",
    ]


@pytest.mark.full("starts the site and its commands as processes")
def test_who_follows_the_first_page_has_a_game_that_works(folder: Path) -> None:
    home = folder / "my-games" / STARTED
    with Readers(folder) as site:
        ann, bob = Remote(site.port), Remote(site.port)
        assert "Stones" in ann.get("/").words
        table = ann.start(STARTED, seats="2").table
        bob.join(table)
        change_rules(home)
        seen = bob.get(f"{table}/version").text
        draw_board(home)
        wait_for(lambda: bob.get(f"{table}/version").text != seen, awaited="the board")
        wait_for(lambda: "15 left" in bob.get(table).words, awaited="the board")
        over = play_out([ann, bob], table)
        assert "Had to take the last stone." in over.words
        assert "The player who takes the last stone loses." in ann.get(f"/rules/{STARTED}").words
    write_tests(folder)
    for line in TYPED[3:]:  # pytest is here already
        result = run(line, folder)
        assert "1 passed" in result or "Nothing was found." in result, result


def change_rules(home: Path) -> None:
    change(home / "rules.py")
    assert any(each.text.startswith(CHANGE) for each in BLOCKS)
    [prose] = [each.text for each in BLOCKS if each.language == "markdown"]
    (home / "about.md").write_text(prose, encoding="utf-8")


def draw_board(home: Path) -> None:
    [board] = [each for each in BLOCKS if each.file == f"{STARTED}/board.html"]
    (home.parent / board.file).write_text(board.text, encoding="utf-8")


def write_tests(folder: Path) -> None:
    written = [each for each in BLOCKS if each.file.endswith(".py")]
    assert [each.file for each in written] == [f"{STARTED}/test_{STARTED}.py", "conftest.py"]
    for each in written:
        (folder / "my-games" / each.file).write_text(each.text, encoding="utf-8")


def play_out(people: list[Remote], table: str) -> Page:
    """Play to the end by the buttons of the board; the last page."""
    dice = Chance("tutorial")
    for _ in range(30):
        pages = [person.get(table) for person in people]
        mover = next((seat for seat, page in enumerate(pages) if page.my_turn), None)
        if mover is None:
            return pages[0]
        button = dice.choice(pages[mover].form("/turn").moves)
        assert people[mover].submit(pages[mover], "/turn", button).status == 303
    raise AssertionError("it does not end")
