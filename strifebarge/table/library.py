"""The games there are: found in `games/`, in further folders, and in installed packages."""

import importlib
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import games
from strifebarge.rules import Game, Pace, Refused
from strifebarge.rules.codec import keeping, seat_type
from strifebarge.rules.pace import PACES
from strifebarge.rules.schema import games_in, seat_numbers, slug

from .table import No, Table

GROUP = "strifebarge.games"


class NotAGame(Exception):
    """A folder among the games that holds no game, and why."""


class Title:
    """A game in the library: its rules, and the pages that lie beside them."""

    def __init__(self, rules: type[Game[Any]], folder: Path):
        self.rules = rules
        self.slug = slug(rules)
        self.folder = folder
        self.editions: dict[int, Title] = {}  # older rules that are still here, by their version
        self._pages: dict[str, tuple[str, str]] = {}  # by language

    @property
    def title(self) -> str:
        return self.rules.title

    @property
    def length(self) -> str:
        return self.rules.length

    @property
    def emblem(self) -> str:
        return self.rules.emblem

    @property
    def version(self) -> int:
        return self.rules.version

    def edition(self, version: int) -> "Title":
        """The game by the rules of a version, where these are shipped; else by those of today."""
        return self.editions.get(version, self)

    def page(self, name: str) -> str:
        """A page of the game's own, `board.html`: for an older edition `board_1.html`, if there is one."""
        stem, _, ending = name.partition(".")
        found = (each for each in (f"{stem}_{self.version}.{ending}", name) if (self.folder / each).is_file())
        return next(found, "")

    @property
    def seats(self) -> str:
        """For how many it is: `2`, `3-7`."""
        numbers = seat_numbers(self.rules)
        return f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])

    def allows(self, seats: int) -> bool:
        return seats in seat_numbers(self.rules)

    @property
    def blurb(self) -> str:
        """The first sentence or two: the class's docstring."""
        return " ".join((self.rules.__doc__ or "").split())

    @property
    def leaving(self) -> str:
        """What leaving for good means: the docstring of `leave`."""
        return " ".join((self.rules.leave.__doc__ or "").split())

    @property
    def paces(self) -> dict[str, Pace]:
        """The times it may be played by, its own first, by their keys."""
        own = {each.key: each for each in self.rules.paces}
        return own | {each.key: each for each in PACES if each.key not in own}

    @property
    def about(self) -> str:
        """The rules in prose, Markdown; "" if there is no about.md."""
        return self.about_in("en")[1]

    def about_in(self, language: str) -> tuple[str, str]:
        """The language the rules are told in, and the rules: those of about.de.md, or else of about.md."""
        if language not in self._pages:
            pages = [(language, f"about.{language}.md"), ("en", "about.md")]
            found = ((code, self.folder / name) for code, name in pages)
            there = ((code, page.read_text(encoding="utf-8")) for code, page in found if page.is_file())
            self._pages[language] = next(there, ("en", ""))
        return self._pages[language]

    @cached_property
    def has_secrets(self) -> bool:
        """Whether anything of it may be hidden from some who play."""
        hiding = {*keeping(self.rules).hiding} - {"seats"}
        return bool(hiding or keeping(seat_type(self.rules)).hiding)

    @cached_property
    def board(self) -> str:
        """The file of the board's template; "" if there is none."""
        return self.page("board.html")

    @cached_property
    def text(self) -> str:
        """The same for the text view."""
        return self.page("text.html")

    @cached_property
    def has_style(self) -> bool:
        return (self.folder / "board.css").is_file()


class Library:
    """All titles by their short names."""

    def __init__(self, folders: Iterable[str | Path] = ()):
        for folder in map(str, folders):
            if folder not in games.__path__:
                games.__path__.append(folder)
        found = [*_in_folders(), *_in_packages()]
        self.titles = {title.slug: title for title in sorted(found, key=lambda title: title.title.lower())}

    def __iter__(self) -> Iterator[Title]:
        return iter(self.titles.values())

    def __getitem__(self, name: str) -> Title:
        """Raises Refused(NO_GAME)."""
        if name in self.titles:
            return self.titles[name]
        raise Refused(No.NO_GAME)

    def of(self, table: Table) -> Title:
        """The game of a table, by the rules it began with where they are here, else by those of today."""
        return self[table.game].edition(table.rules_version)


def _in_folders() -> Iterator[Title]:
    homes: dict[str, Path] = {}
    for folder in games.__path__:
        for rules in sorted(Path(folder).glob("*/rules.py")):
            name = rules.parent.name
            if name in homes:
                raise NotAGame(f"There are two games called {name}: in {homes[name]} and in {rules.parent}.")
            homes[name] = rules.parent
            yield _with_editions(_title(_read(f"games.{name}.rules", rules)))


def _in_packages() -> Iterator[Title]:
    for entry in entry_points(group=GROUP):
        yield _with_editions(_title(entry.load()))


def _with_editions(title: Title) -> Title:
    """A game with its older editions: `rules_1.py` beside `rules.py` is version 1."""
    package = title.rules.__module__.rpartition(".")[0]
    for rules in sorted(title.folder.glob("rules_*.py")):
        old = _title(_read(f"{package}.{rules.stem}", rules))
        if rules.stem != f"rules_{old.version}" or old.version >= title.version:
            raise NotAGame(
                f"{rules} has the rules of version {old.version}: it must be called rules_{old.version}.py, "
                f"and be older than rules.py, which has version {title.version}."
            )
        title.editions[old.version] = old
    return title


def _read(name: str, rules: Path) -> ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:  # whatever an author may have written
        raise NotAGame(f"{rules} cannot be read: {type(error).__name__}: {error}") from error


def _title(module: ModuleType) -> Title:
    found = games_in(module)
    if len(found) != 1 or module.__file__ is None:
        raise NotAGame(f"{module.__name__} has {len(found)} classes of Game; one is wanted.")
    return Title(found[0], Path(module.__file__).parent)
