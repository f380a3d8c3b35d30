"""docs/security.md and the code agree: what it names is there, and it leaves nothing out."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.support.servers import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`((?:tests|strifebarge|games|docs|benchmarks)/[\w./-]*)(?:::(\w+))?`", PAGE)
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:1] == "|"
]
STATES = {"holds", "in part", "no", "not here"}
CHAPTERS = 17  # of OWASP ASVS 5.0


@cache
def named_in(path: Path) -> set[str]:
    """The names of a file's tests, whether or not it can be imported here."""
    return {
        each.name
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")
    }


def test_the_page_names_files_and_tests() -> None:
    assert len(NAMED) > 100
    assert sum(1 for _, test in NAMED if test) > 70


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED}))
def test_every_file_that_is_named_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("path", "test"), sorted({(path, test) for path, test in NAMED if test}))
def test_every_test_that_is_named_is_there(path: str, test: str) -> None:
    assert test in named_in(ROOT / path)


@pytest.mark.parametrize(("letter", "number"), [("F", 15), ("A", 23)])
def test_every_fault_and_every_abuse_has_its_row_once_and_in_order(letter: str, number: int) -> None:
    rows = [row[0] for row in ROWS if re.fullmatch(rf"{letter}\d+", row[0])]
    assert rows == [f"{letter}{each}" for each in range(1, number + 1)]


def test_every_chapter_of_the_standard_is_there() -> None:
    assert re.findall(r"^### V(\d+) ", PAGE, re.MULTILINE) == [str(each) for each in range(1, CHAPTERS + 1)]


def judged() -> list[tuple[str, str, str]]:
    """Each row that judges something: what, how, and where or why."""
    by_fault = [(row[0], row[2], row[3]) for row in ROWS if re.fullmatch(r"[FA]\d+", row[0])]
    by_requirement = [(row[0], row[1], row[2]) for row in ROWS if re.match(r"\d+\.\d+\.\d+", row[0])]
    assert by_fault
    assert by_requirement
    return by_fault + by_requirement


@pytest.mark.parametrize(("what", "state", "why"), judged())
def test_every_row_says_how_it_stands_and_why(what: str, state: str, why: str) -> None:
    assert state in STATES
    assert why or state in ("not here", "holds")
    if re.fullmatch(r"[FA]\d+", what):
        assert why
        assert "`tests/" in why or state in ("no", "not here")
    if state in ("no", "in part"):
        assert why


def test_no_requirement_is_judged_twice_and_each_stands_in_its_chapter() -> None:
    seen: list[str] = []
    for chapter, text in re.findall(r"^### V(\d+) .*?\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL):
        heads = re.findall(r"^\| ([\d., ]+)[:|]", text, re.MULTILINE)
        numbers = [number for head in heads for number in re.findall(r"\d+\.\d+\.\d+", head)]
        assert all(number.startswith(f"{chapter}.") for number in numbers)
        seen += numbers
    assert len(seen) > 150
    assert len(seen) == len(set(seen))


def test_every_direct_dependency_has_its_line_and_their_number_is_true() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    direct = [re.match(r"[\w-]+", each)[0] for each in project["dependencies"]]  # type: ignore[index]
    extras = [re.match(r"[\w-]+", each[-1])[0] for each in project["optional-dependencies"].values()]  # type: ignore[index]
    section = PAGE.partition("\n## Dependencies\n")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `([\w-]+)` \| [^|]+ \| \d{4}-\d\d \| [^|]+ \|$", section, re.MULTILINE)
    assert sorted(names) == sorted([*direct, *extras])
    assert f"There are {len(direct)} direct dependencies, and {len(extras)} for extras" in section
    assert f"There are {len(direct)} direct ones" in PAGE
