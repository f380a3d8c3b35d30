"""Identify the code that plays a game: by its own files, the framework's, and the versions of libraries."""

import ast
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from importlib import metadata, util
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import strifebarge.rules

FRAMEWORK = "strifebarge"  # games import its package `rules` alone, which is hashed by itself
EDITION = re.compile(r"rules(_\d+)?\.py")  # the rules of this version or of another one
BOARD = re.compile(r"(board|picture)(_\w+)?\.(py|tsv)|(example|diagrams|glossary(\.\w+)?)\.toml")
# Files by which a game is shown and told of: no rule can depend on them.
SHOWN = frozenset(
    (".html", ".css", ".js", ".md", ".po", ".mo", ".svg", ".png", ".jpg", ".webp", ".ogg", ".mp3", ".pyc")
)
TESTS = re.compile(r"test_\w+\.py|\w+_test\.py|conftest\.py")  # as pytest calls them
SHOWN_FOLDERS = frozenset(("__pycache__", "tests", "templates", "static"))
LETTERS = 16  # of each of the two hashes: 64 bits


class Import(NamedTuple):
    """A statement that imports a module, or names from one; `level` counts the dots before its name."""

    level: int
    module: str
    names: tuple[str, ...]


class Needs(NamedTuple):
    """What a game's files import: other files, by their names, and libraries as `name==version`."""

    files: dict[str, Path]
    libraries: set[str]


def sources_of(rules: ModuleType) -> str:
    """Return a hash of all that plays a game, given the module of its rules, as it is on the disk now.

    It has two parts with a hyphen between them: of the game's own files (its folder's Python and data files,
    without boards, words, prose, and the tests and older editions that it does not import), and of what lies
    beneath them (the framework and the versions of the libraries that it imports).
    """
    own = _own_files(rules)
    needs = _needs(own, rules.__name__)
    beneath = sorted({framework(), *needs.libraries})
    return f"{_hash_of({**needs.files, **own})}-{_short(chr(10).join(beneath).encode())}"


def own_part(sources: str) -> str:
    """Return the part of a hash that tells of the game's own files."""
    return sources.partition("-")[0]


@cache
def framework() -> str:
    """Return a hash of the framework that games are written in, with the versions of what it imports."""
    [home] = map(Path, strifebarge.rules.__path__)
    files = {path.name: path for path in home.glob("*.py")}
    libraries = sorted(_needs(files, strifebarge.rules.__name__ + ".").libraries)
    return _short("\n".join([_hash_of(files), *libraries]).encode())


def _own_files(rules: ModuleType) -> dict[str, Path]:
    """Return the files of a game by their names in its folder; the rules themselves are called `rules`."""
    main = Path(str(rules.__file__))
    files = {"rules": main}
    if not rules.__package__:  # a module by itself: what lies beside it is not the game's
        return files
    for home, folders, names in os.walk(main.parent):
        folders[:] = [name for name in folders if name not in SHOWN_FOLDERS and not name.startswith(".")]
        at_top = Path(home) == main.parent
        for name in names:
            path = Path(home, name)
            elsewhere = TESTS.fullmatch(name) or (
                at_top and (BOARD.fullmatch(name) or EDITION.fullmatch(name))
            )
            if path.suffix not in SHOWN and not name.startswith(".") and not elsewhere:
                files[path.relative_to(main.parent).as_posix()] = path
    return files


def _needs(files: dict[str, Path], name: str) -> Needs:
    """Return what files import, and what the files among that import; `name` is that of the rules' module."""
    package, needs = name.rpartition(".")[0], Needs({}, set())
    visited, ahead = {path.resolve() for path in files.values()}, [*files.values()]
    while ahead:
        path = ahead.pop()
        for module in _imported(path, package):
            if path_of := _source_of(module, package.partition(".")[0]):
                if path_of.resolve() not in visited:
                    visited.add(path_of.resolve())
                    needs.files[module] = path_of
                    ahead.append(path_of)
            elif library := _library_of(module):
                needs.libraries.add(library)
    return needs


def _imported(path: Path, package: str) -> Iterator[str]:
    """Yield the names of the modules that a Python file may import, and of what it takes from them."""
    with suppress(OSError):  # a file that is gone by now: nothing could import it
        for level, module, names in _imports(path, path.stat().st_mtime_ns) if path.suffix == ".py" else ():
            above = package.split(".")[: len(package.split(".")) + 1 - level] if level else []
            whole = ".".join([*above, *([module] if module else [])])
            yield whole
            yield from (f"{whole}.{name}" for name in names)


@lru_cache(500)
def _imports(path: Path, changed: int) -> tuple[Import, ...]:
    """Return the imports that stand in a Python file, given when it was changed; none if it has mistakes."""
    try:
        nodes = [*ast.walk(ast.parse(path.read_bytes()))]
    except (SyntaxError, ValueError):
        return ()
    plain = (
        Import(0, each.name, ()) for node in nodes if isinstance(node, ast.Import) for each in node.names
    )
    others = (
        Import(node.level, node.module or "", tuple(each.name for each in node.names))
        for node in nodes
        if isinstance(node, ast.ImportFrom)
    )
    return (*plain, *others)


def _source_of(module: str, own: str) -> Path | None:
    """Return the file of a module that belongs to the game's own package, or to no installed library."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == FRAMEWORK or (top != own and _version_of(top)):
        return None
    module_loaded = sys.modules.get(module)
    file = module_loaded.__file__ if module_loaded else _find_source(module)
    return Path(file) if file and file.endswith(".py") else None


def _find_source(module: str) -> str | None:
    """Return the file of a module that nothing has imported yet; None for what is no module."""
    try:
        spec = util.find_spec(module)
    except (ImportError, ValueError, AttributeError):  # the name of something in a module
        return None
    return spec.origin if spec else None


def _library_of(module: str) -> str | None:
    """Return the library that a module belongs to, as `name==version`; None for our own and Python's."""
    top = module.partition(".")[0]
    return None if top == FRAMEWORK or top in sys.stdlib_module_names else _version_of(top)


@cache
def _version_of(package: str) -> str | None:
    """Return the installed library that has this package, as `name==version`; None if there is none."""
    try:
        return f"{package}=={metadata.version(package)}"
    except metadata.PackageNotFoundError:  # its library has another name, which takes longer to find
        names = sorted(set(_libraries().get(package, [])))
        return ",".join(f"{name}=={metadata.version(name)}" for name in names) or None


@cache
def _libraries() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


def _hash_of(files: dict[str, Path]) -> str:
    """Return a hash of files, by their names."""
    parts = ((name, path.read_bytes() if path.is_file() else b"") for name, path in sorted(files.items()))
    return _short(*(part for name, content in parts for part in (name.encode(), content)))


def _short(*parts: bytes) -> str:
    return sha256(b"".join(_sized(parts))).hexdigest()[:LETTERS]


def _sized(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield each part after its size, so that no other parts come out the same."""
    for part in parts:
        yield b"%d:" % len(part)
        yield part
