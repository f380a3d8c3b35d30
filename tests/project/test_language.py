"""The language of the code: words that have been replaced do not come back.

To hold another package to it, add its folder to DONE.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The packages that are held to it, with all that is in them but database migrations, which are history.
DONE = [
    "benchmarks",
    "games",
    "strifebarge/api",
    "strifebarge/backup",
    "strifebarge/bots",
    "strifebarge/cli",
    "strifebarge/fuzz",
    "strifebarge/lib",
    "strifebarge/live",
    "strifebarge/notifications",
    "strifebarge/ops",
    "strifebarge/people",
    "strifebarge/results",
    "strifebarge/rules",
    "strifebarge/server",
    "strifebarge/settings",
    "strifebarge/starter",
    "strifebarge/store",
    "strifebarge/tables",
    "strifebarge/tournaments",
    "strifebarge/web",
]

# Words that names in code do not have, because another word is used for the thing.
REPLACED = {
    "aside": "suspend, suspension",
    "attend": "record_presence",
    "clerk": "referee",
    "course": "replay",
    "desk": "referee, transaction",
    "forsaken": "abandoned",
    "grace": "the constant's full name: PAGE_TURN_GRACE, FORFEIT_GRACE",
    "laid": "cached match",
    "letters": "notifications",
    "lot": "link serial",
    "mended": "clear_mismatch",
    "moments": "quiet hours",
    "pass_on": "hand_over",
    "passing": "shared device, hand over",
    "put_away": "suspend",
    "resting": "suspended",
    "reversible": "can_undo_across_turns",
    "seeing": "views",
    "shelf": "MatchCache",
    "sight": "perspective",
    "slip": "form token",
    "stall": "suspend",
    "stretch": "uptime period",
    "take_back": "undo, undo_across_turns",
    "tend": "apply_timeouts",
    "turnstile": "FairSemaphore",
    "undoable": "can_undo",
}

# Where a replaced word is the right one after all: (a file or folder, the word).
ALLOWED = {
    ("games", "laid"),  # out, on a board
    ("games", "letters"),  # of the alphabet
    ("games/startups/board.py", "passing"),  # hands go on
    ("games/strifebarge/board.py", "sight"),  # ships in it
    ("games/mirrow", "sight"),  # through the Spyglass
    ("strifebarge/backup/kept.py", "moments"),  # of backups
    ("strifebarge/rules/codec.py", "seeing"),  # all: as who puts a game away
    ("strifebarge/rules/sources.py", "letters"),  # of a hash
    ("strifebarge/tables/model/chair.py", "letters"),  # of the alphabet
    ("strifebarge/tables/clock", "grace"),  # of the policy about absence
    ("strifebarge/tables/model/clock.py", "grace"),
    ("strifebarge/tables/play/timeouts.py", "grace"),
    ("strifebarge/tables/view/view.py", "undoable"),  # boards have it by this name: docs/authors.md
}

# What several modules offer alike: the start of a program, of a part of the site; the hub, and its protocol.
HOOKS = {"Hub", "main", "prepare"}


def files_of(package: str) -> Iterator[Path]:
    for path in sorted((ROOT / package).rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"


# -- names --------------------------------------------------------------------------------


def names_given(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Every name that the code itself gives, to a function, a class, an argument or a variable."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield node, name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield node, name
            case ast.alias(asname=str(name)):
                yield node, name


def words_of(name: str) -> str:
    """A name in snake case, with a _ at both ends: `PutAway` is `_put_away_`."""
    return f"_{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', name).lower().strip('_')}_"


def is_allowed(where: str, word: str) -> bool:
    return any(word == allowed and where.startswith(folder) for folder, allowed in ALLOWED)


def replaced_words(path: Path) -> Iterator[str]:
    where = path.relative_to(ROOT).as_posix()
    tree = parsed(path)
    for node, name in [(tree, path.stem), *names_given(tree)]:
        for word, instead in REPLACED.items():
            if f"_{word}_" in words_of(name) and not is_allowed(where, word):
                yield f"{place(path, node)} {name}: say {instead}"


@pytest.mark.parametrize("package", DONE)
def test_words_that_were_replaced_do_not_come_back(package):
    assert [wrong for path in files_of(package) for wrong in replaced_words(path)] == []


def is_route(node: ast.AST) -> bool:
    """A view is named within its blueprint: `play.show`, `records.show`."""
    decorators = [ast.unparse(each) for each in getattr(node, "decorator_list", [])]
    return any(each.startswith("blueprint.") for each in decorators)


def public_names(path: Path) -> Iterator[str]:
    """The public functions and classes that a module defines, overloads once."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    names = {node.name for node in parsed(path).body if isinstance(node, kinds) and not is_route(node)}
    yield from (name for name in names if not name.startswith("_") and name not in HOOKS)


@pytest.mark.parametrize("package", DONE)
def test_a_public_name_is_defined_once_in_a_package(package):
    folders = {path.parent for path in files_of(package)}
    for folder in sorted(folders):
        defined = Counter(name for path in sorted(folder.glob("*.py")) for name in public_names(path))
        assert [f"{folder.name}: {name}" for name, times in defined.items() if times > 1] == []


# -- the test itself ------------------------------------------------------------------------


def test_the_lists_are_in_order_and_of_what_is_there():
    assert list(REPLACED) == sorted(REPLACED)
    assert all((ROOT / package).is_dir() for package in DONE)
    assert all((ROOT / where).exists() for where, _ in ALLOWED)


@pytest.mark.parametrize(
    ("code", "match"),
    [
        ("def put_aside(): ...", 1),
        ("class PutAside: ...", 1),
        ("import x as desk", 1),
        ("def f(slip, self):\n    self.slip = slip", 2),
        ("text = 'put aside, a desk, a slip'", 0),
        ("besides = slippery = 1", 0),
    ],
)
def test_a_word_that_was_replaced_is_seen(tmp_path, monkeypatch, code, match):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert len(list(replaced_words(tmp_path / "module.py"))) == match
