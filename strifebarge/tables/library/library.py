"""The games there are: found in `games/`, in further folders, and in installed packages."""

import importlib
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from time import time
from traceback import walk_tb
from types import ModuleType
from typing import Any, NamedTuple

from strifebarge.lib.cached import cached_property
from strifebarge.lib.encoding import utf8
from strifebarge.lib.shipped import games
from strifebarge.rules import Game, Pace, Refused
from strifebarge.rules.board import BoardView
from strifebarge.rules.codec import hides
from strifebarge.rules.introducing import introduce_classes
from strifebarge.rules.pace import PACES
from strifebarge.rules.schema import games_in, in_short, seat_numbers, slug
from strifebarge.rules.soundness import faults
from strifebarge.rules.sources import sources_of
from strifebarge.tables.library.budget import PACKAGES
from strifebarge.tables.library.drawings import WrongDrawings, names_of, names_of_the_site
from strifebarge.tables.library.frame import names_taken
from strifebarge.tables.model.table import Table, TableRefusal

GROUP = "strifebarge.games"
log = logging.getLogger("strifebarge")
REPORTED: set[str] = set()  # what this process, or one that it was forked from, was told of games left out
# What the site takes from a module of a game, by name.
WANTED = {
    "board.py": {"CELLS": "dict", "CUES": "dict"}
    | dict.fromkeys(("board", "text", "plates", "sheet", "arranging"), "function"),
    "picture.py": {"picture": "function"},
}
CUES = frozenset(("hit", "sunk", "capture", "trick", "chapter"))  # what a line of the log may tell of


class NotAGame(Exception):
    """A folder among the games that holds no game, and why."""


class Title:
    """A game in the library: its rules, and the pages that lie beside them."""

    def __init__(self, rules: type[Game[Any]], folder: Path):
        self.rules = rules
        self.slug = slug(rules)
        self.folder = folder
        self._preparing = self._prepared_by("board.py")
        self._picturing = self._prepared_by("picture.py")
        self.editions: dict[int, Title] = {}  # older rules that are still here, by their version
        self.sources = ""  # hash of the code that plays it; "" where the rules came from no file
        self.stamp = ""  # of its files, where these are watched
        self._prose: dict[tuple[str, str], tuple[str, str]] = {}  # by file and language

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
        """Return the game by the rules of a version, where these are shipped; else by those of today."""
        return self.editions.get(version, self)

    def page(self, name: str) -> str:
        """Return a page of the game, `board.html`; for an older edition `board_1.html`, if it exists."""
        stem, _, ending = name.partition(".")
        paths = (each for each in (f"{stem}_{self.version}.{ending}", name) if (self.folder / each).is_file())
        return next(paths, "")

    @property
    def seats(self) -> str:
        """For how many it is: `2`, `3-7`."""
        return in_short(seat_numbers(self.rules))

    def allows(self, seats: int) -> bool:
        return seats in seat_numbers(self.rules)

    @property
    def for_one(self) -> bool:
        """True if one alone plays it, so that no bot does."""
        return max(seat_numbers(self.rules)) < 2

    @property
    def blurb(self) -> str:
        """The first sentence or two: the class's docstring."""
        return " ".join((self.rules.__doc__ or "").split())

    @property
    def leaving(self) -> str:
        """Words that tell what leaving for good means: the docstring of `leave`."""
        return " ".join((self.rules.leave.__doc__ or "").split())

    @cached_property
    def paces(self) -> dict[str, Pace]:
        """The times it may be played by, its own among them, by their keys; the shortest first."""
        paces = {each.key: each for each in (*PACES, *self.rules.paces)}
        return dict(sorted(paces.items(), key=lambda pair: (pair[1].base, pair[1].step)))

    @property
    def about(self) -> str:
        """The rules in prose, Markdown; "" if there is no about.md."""
        return self.about_in("en")[1]

    def about_in(self, language: str) -> tuple[str, str]:
        """Return the language of the rules, and the rules: those of about.de.md, or else of about.md."""
        return self.prose_in(language, "about")

    def prose_in(self, language: str, file: str) -> tuple[str, str]:
        """Return a language, and in it what the file `about` or `how` says: `how.de.md`, or else `how.md`."""
        if (file, language) not in self._prose:
            pages = [(language, f"{file}.{language}.md"), ("en", f"{file}.md")]
            texts = ((code, _prose_of(self.folder / name)) for code, name in pages)
            self._prose[file, language] = next((each for each in texts if each[1]), ("en", ""))
        return self._prose[file, language]

    def opening(self, language: str) -> tuple[str, str]:
        """Return the language of the rules in prose, and their first paragraph as Markdown; "" if none."""
        spoken, prose = self.about_in(language)
        return spoken, prose.strip().partition("\n\n")[0]

    @cached_property
    def has_secrets(self) -> bool:
        """True if anything of it may be hidden from some who play."""
        return hides(self.rules)

    @cached_property
    def board(self) -> str:
        """The file of the board's template; "" if there is none."""
        return self.page("board.html")

    @cached_property
    def text(self) -> str:
        """The file of the text view's template; "" if there is none."""
        return self.page("text.html")

    @cached_property
    def cells(self) -> str:
        """The file of the pieces that boards keep, `cells.html`; "" if there is none."""
        return self.page("cells.html")

    @property
    def for_cells(self) -> dict[str, Any]:
        """The things that `board.py` gives to `cells.html`: what it has in `CELLS`, by name."""
        return dict(getattr(self._preparing, "CELLS", {}))

    @cached_property
    def cues(self) -> dict[str, str]:
        """The cues of the log's sentences, which `board.py` has in `CUES`.  Raises NotAGame."""
        result = dict(getattr(self._preparing, "CUES", {}))
        if wrong := sorted({*map(str, result.values())} - CUES):
            names = ", ".join(sorted(CUES))
            raise NotAGame(f"{self.folder / 'board.py'} has a cue {wrong[0]!r}: there are only {names}.")
        return result

    def prepares(self, page: str) -> Callable[[BoardView[Any, Any]], Any] | None:
        """Return what `board.py` prepares a page with: `board` for board.html, `text` for text.html."""
        function: Callable[[BoardView[Any, Any]], Any] | None = getattr(self._preparing, page, None)
        return function

    @property
    def arranges(self) -> bool:
        """Tell whether a game may begin at a position that somebody has put up."""
        return self.rules.arrange.__func__ is not Game.arrange.__func__  # type: ignore[attr-defined]

    @property
    def arranging(self) -> Callable[[str, str], Any] | None:
        """Return what prepares `position.html`, from a position in writing and what is held."""
        return getattr(self._preparing, "arranging", None)

    @property
    def editor(self) -> str:
        """Return the file of the template by which a position is put up; "" if it is only typed."""
        return self.page("position.html")

    @cached_property
    def picture(self) -> str:
        """The file of the template that draws a small picture of a position; "" if there is none."""
        return self.page("picture.svg")

    @property
    def pictures(self) -> Callable[[Any], Any] | None:
        """Return the function of `picture.py`, of the game as a spectator sees it; None if it has none."""
        return getattr(self._picturing, "picture", None)

    def _prepared_by(self, name: str) -> ModuleType | None:
        """Load `board.py` or `picture.py`, or `board_1.py` for an older edition.  Raises NotAGame."""
        file = self.page(name)
        if not file:
            return None
        package = self.rules.__module__.rpartition(".")[0]
        module = _read(f"{package}.{Path(file).stem}", self.folder / file)
        for each, wanted in WANTED[name].items():
            value = getattr(module, each, None)
            fits = isinstance(value, Mapping) if wanted == "dict" else callable(value)
            if value is not None and not fits:
                message = f"`{each}` is {value!r:.80}, and the site wants a {wanted} by that name."
                raise NotAGame(f"{self.folder / file}: {message}")
        return module

    @cached_property
    def drawings(self) -> frozenset[str]:
        """The names of the drawings that the game brings itself, in `drawings.svg`."""
        path = self.folder / "drawings.svg"
        try:
            return names_of(path) if path.is_file() else frozenset()
        except WrongDrawings as wrong:
            raise NotAGame(f"{path} cannot be shown: {wrong}.") from None

    @cached_property
    def has_style(self) -> bool:
        return (self.folder / "board.css").is_file()


def _prose_of(page: Path) -> str:
    """Return the text of a page; "" where there is none, or none that can be read, of which the log tells."""
    try:
        return utf8(page.read_bytes()).decode() if page.is_file() else ""
    except (OSError, ValueError) as wrong:
        log.error("%s cannot be read, and is left out: %s", page, wrong)
        return ""


class Library:
    """All titles by their short names.

    A game that cannot be read raises NotAGame; or it is left out, where `broken` is told of it.  `left_out`
    has the sentences about these by the names of their folders; `loaded` is when all had been read, in
    seconds since 1970.
    """

    def __init__(
        self, folders: Iterable[str | Path] = (), broken: Callable[[NotAGame], object] | None = None
    ):
        for folder in map(str, folders):
            if folder not in games.__path__:
                games.__path__.append(folder)
        self.left_out: dict[str, str] = {}
        titles = [*self._read_all(_in_folders(), broken), *self._read_all(_in_packages(), broken)]
        introduce_classes({"strifebarge", "games", *PACKAGES})
        self.loaded = time()
        self.titles = {title.slug: title for title in sorted(titles, key=lambda title: title.title.lower())}

    def __iter__(self) -> Iterator[Title]:
        return iter(self.titles.values())

    def __getitem__(self, name: str) -> Title:
        """Return the title of this name.  Raises Refused: NO_GAME, LEFT_OUT."""
        if name in self.titles:
            return self.titles[name]
        raise Refused(TableRefusal.LEFT_OUT if name in self.left_out else TableRefusal.NO_GAME)

    def stamp(self, table: Table) -> str:
        """Return what changes with the files of a table's game, where these are watched; else ""."""
        title = self.titles.get(table.game)
        return f"~{title.stamp}" if title and title.stamp else ""

    def of(self, table: Table) -> Title:
        """Return a table's game, by the rules it began with where they are here, else by those of today."""
        return self[table.game].edition(table.rules_version)

    def _read_all(
        self, there: "Iterable[Readable]", broken: Callable[[NotAGame], object] | None
    ) -> Iterator[Title]:
        """Yield the games that can be read, and note the others."""
        for each in there:
            try:
                yield each.read()
            except NotAGame as fault:
                if broken is None:
                    raise
                self.left_out[each.name] = str(fault)
                broken(fault)
                REPORTED.add(str(fault))


class Readable(NamedTuple):
    """A game that is there and has not been read yet."""

    name: str  # of its folder
    read: Callable[[], Title]  # raises NotAGame


def _in_folders() -> Iterator[Readable]:
    """Yield the games of the folders."""
    homes: dict[str, Path] = {}
    for folder in games.__path__:
        for rules in sorted(Path(folder).glob("*/rules.py")):
            yield Readable(rules.parent.name, partial(_from_folder, rules, homes))


def _from_folder(rules: Path, homes: dict[str, Path]) -> Title:
    """Read a game; `homes` are the folders of those read before.  Raises NotAGame."""
    name = rules.parent.name
    if name in homes:
        raise NotAGame(f"There are two games called {name}: in {homes[name]} and in {rules.parent}.")
    homes[name] = rules.parent
    return _with_editions(_title(_read(f"games.{name}.rules", rules)))


def _in_packages() -> Iterator[Readable]:
    """Yield the games that installed packages bring."""
    for entry in entry_points(group=GROUP):
        yield Readable(entry.module.split(".")[-2:][0], partial(_from_package, entry))


def _from_package(entry: EntryPoint) -> Title:
    try:
        module = entry.load()
    except (Exception, SystemExit) as error:  # whatever an author may have written
        raise _unreadable(entry.value, error, entry.module) from error
    PACKAGES.add(module.__name__.partition(".")[0])
    return _with_editions(_title(module))


def _with_editions(title: Title) -> Title:
    """Return a game with its older editions: `rules_1.py` beside `rules.py` is version 1."""
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
    except (Exception, SystemExit) as error:  # whatever an author may have written
        raise _unreadable(rules, error, name) from error


def _unreadable(what: str | Path, error: BaseException, module: str) -> NotAGame:
    """Return what tells why a module of a game cannot be read, and in which line."""
    line = "" if isinstance(error, SyntaxError) else _own_line(error, module)  # which says so itself
    return NotAGame(f"{what} cannot be read: {type(error).__name__}: {error}{line}")


def _own_line(error: BaseException, module: str) -> str:
    """Return the last line in the package of a module that an error came through; "" if there is none."""
    package = module.rpartition(".")[0] or module
    own_line = ""
    for frame, line in walk_tb(error.__traceback__):
        if f"{frame.f_globals.get('__name__')}.".startswith(f"{package}."):
            own_line = f" ({Path(frame.f_code.co_filename).name}, line {line})"
    return own_line


def _title(module: ModuleType) -> Title:
    game_classes = games_in(module)
    if len(game_classes) != 1 or module.__file__ is None:
        raise NotAGame(f"{module.__name__} has {len(game_classes)} classes of Game; one is wanted.")
    if wrong := faults(game_classes[0]):
        raise NotAGame(f"{module.__file__}: {' '.join(wrong)}")
    title = Title(game_classes[0], Path(module.__file__).parent)
    title.sources = sources_of(module)
    _ = title.drawings, title.cues  # now, where the author sees what is wrong with them
    if title.emblem not in title.drawings | names_of_the_site():
        message = "drawings.svg has no such drawing, and the site has none"
        raise NotAGame(f"{module.__file__}: `emblem` is {title.emblem!r:.80}: {message}.")
    for page in sorted(title.folder.glob("*.html")):
        for name in names_taken(_prose_of(page)):
            message = f"`{name}` is a class or id of the site's frame: begin yours with the game's name"
            raise NotAGame(f"{page}: {message}.")
    return title
