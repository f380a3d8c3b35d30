"""The hash of the code that plays a game: of its files, the framework's, and versions of libraries."""

import importlib
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

import games
import strifebarge.rules
from strifebarge.rules import sources
from strifebarge.tables.library.library import Library
from tests.editions import tally

NAME = "test_sources_game"
Write = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Write files of a game, and return the hash of what plays it then; None deletes a file."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    home = tmp_path / NAME

    def forget() -> None:
        for name in [each for each in sys.modules if each.startswith(f"games.{NAME}")]:
            del sys.modules[name]
        importlib.invalidate_caches()

    def write(files: dict[str, str | None], edition: str = "rules") -> str:
        for name, text in files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        forget()
        return sources.sources_of(importlib.import_module(f"games.{NAME}.{edition}"))

    yield write
    forget()


@pytest.mark.parametrize(
    "shown",
    [
        *(
            "board.py",
            "board_1.py",
            "board.html",
            "board.css",
            "text.html",
            "about.md",
            "about.de.md",
            "how.md",
            "example.toml",
            "diagrams.toml",
            "glossary.toml",
            "glossary.de.toml",
            "de.po",
        ),
        *(
            "drawings.svg",
            "static/a.js",
            "tests/test_it.py",
            "test_it.py",
            "deep/it_test.py",
            "conftest.py",
            "templates/a.txt",
            ".rules.py.swp",
            "rules_1.py",
        ),
    ],
)
def test_how_a_game_is_shown_and_told_of_plays_nothing(written: Write, shown: str) -> None:
    before = written({"rules.py": tally.RULES})
    assert written({shown: "a = 1\n"}) == before
    assert written({shown: "a = 2\n"}) == before


@pytest.mark.parametrize("name", ["rules.py", "scoring.py", "cards.toml", "words.txt", "deep/er/data.json"])
def test_its_modules_and_data_files_do(written: Write, name: str) -> None:
    first = written({"rules.py": tally.RULES})
    second = written({name: tally.DOUBLE})
    assert second != first
    assert written({name: tally.DOUBLE + "\n"}) not in (first, second)
    assert sources.own_part(first) != sources.own_part(second)
    assert first.partition("-")[2] == second.partition("-")[2]
    assert written({"rules.py": tally.RULES, **({name: None} if name != "rules.py" else {})}) == first


def test_an_older_edition_is_what_it_was_under_its_first_name(written: Write) -> None:
    before = written({"rules.py": tally.ONE, "cards.toml": "a = 1\n"})
    newer = tally.version(tally.DOUBLE, 2)
    assert written({"rules.py": newer, "rules_1.py": tally.ONE}, "rules_1") == before
    assert written({}) != before


def test_an_older_edition_that_the_rules_import_is_part_of_them(written: Write) -> None:
    rules = "from .rules_1 import Tally as Older\n" + tally.version(tally.ONE, 2)
    before = written({"rules.py": rules, "rules_1.py": tally.ONE})
    assert written({"rules_1.py": tally.DOUBLE}) != before


def test_a_file_called_like_a_test_that_the_rules_import_is_part_of_them(written: Write) -> None:
    before = written({"rules.py": "from . import speed_test\n" + tally.RULES, "speed_test.py": ""})
    assert written({"speed_test.py": "a = 1\n"}) != before


def test_another_game_that_the_rules_import_is_part_of_them(written: Write, tmp_path: Path) -> None:
    before = written(
        {"rules.py": f"import games.{NAME}_too.helper\n{tally.ONE}", f"../{NAME}_too/helper.py": ""}
    )
    assert written({f"../{NAME}_too/helper.py": "a = 1\n"}) != before


def test_the_versions_of_libraries_that_it_imports_are_beneath_it(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = written({"rules.py": tally.RULES})
    before = written({"rules.py": f"import json, chess\n{tally.RULES}"})
    version_of = metadata.version

    def newer(name: str) -> str:
        return "999" if name == "chess" else version_of(name)

    monkeypatch.setattr(metadata, "version", newer)
    sources._version_of.cache_clear()
    after = written({})
    sources._version_of.cache_clear()
    assert sources.own_part(after) == sources.own_part(before)
    assert after != before
    monkeypatch.undo()
    assert without.partition("-")[2] != before.partition("-")[2]


def test_the_framework_is_beneath_every_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sources.framework()
    [home] = strifebarge.rules.__path__
    shutil.copytree(home, tmp_path / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(strifebarge.rules, "__path__", [str(tmp_path / "rules")])
    assert sources.framework.__wrapped__() == before
    replay = tmp_path / "rules" / "replay.py"
    replay.write_text(replay.read_text(encoding="utf-8") + "\nSTEP = 7\n", encoding="utf-8")
    assert sources.framework.__wrapped__() != before


def test_every_game_here_is_known_by_its_own_files() -> None:
    library = Library()
    assert all(title.sources for title in library)
    assert len({sources.own_part(title.sources) for title in library}) == len(library.titles)
    assert (
        len({title.sources.partition("-")[2] for title in library}) == 2
    )  # chess alone has a library of its own
