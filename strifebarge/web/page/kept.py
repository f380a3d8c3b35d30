"""Pieces of boards that are drawn once: the macros of a game's `cells.html`, kept by their arguments.

Such a macro is given its arguments, the game's own words in the language of the page, and what `board.py` has
in `CELLS`; a name of the table or of the request is an error in it.  So what it draws may be shown to all
who would have it drawn with the same arguments, at whichever table.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from gettext import NullTranslations
from itertools import count
from secrets import token_hex
from types import NoneType
from typing import Any, NamedTuple, NoReturn

from jinja2 import Template
from jinja2.runtime import Macro
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import astuple

from strifebarge.rules.board import Squares
from strifebarge.tables.library.library import Title
from strifebarge.web.http.request_store import script_root, this_app
from strifebarge.web.render.keeping import PieceCache
from strifebarge.web.render.templating import contexts_held
from strifebarge.web.words import catalogue

MOST = 6 * 1024 * 1024  # bytes of pieces that a process keeps, of all games together
MOST_SQUARES = 500  # contents of squares that are known by identity, of each macro: not among those bytes
MOST_FILES = 200  # of all games, in all languages
Parts = tuple[str, ...]  # of a square: its name is put between them
PLAIN: set[type] = {str, Markup, int, bool, float, NoneType}  # and enums, once seen
# What belongs to one table, one person, one request or one moment.
NOT_IN_PIECES = (
    "ago",
    "config",
    "fields_of",
    "g",
    "get_flashed_messages",
    "key",
    "my_turns",
    "request",
    "session",
    "time_left",
)


PIECES: PieceCache[Any] = PieceCache(MOST)


def identity(value: Any) -> Any:
    """Return a key that two values share only if they are drawn alike: True is not 1, nor HTML a string.

    Raises TypeError for what is no plain value: a seat, a game, a function.
    """
    kind = type(value)
    if isinstance(value, (tuple, list)):
        kinds = tuple(map(type, value))
        if PLAIN.issuperset(kinds):
            return kind, kinds, tuple(value)
        return kind, kinds, *[each if type(each) in PLAIN else identity(each) for each in value]
    if kind in PLAIN:
        return kind, value
    if issubclass(kind, Enum):
        PLAIN.add(kind)
        return kind, value
    if issubclass(kind, Struct) and kind.__struct_config__.frozen:
        return kind, identity(astuple(value))
    raise TypeError(
        f"a piece of a board cannot be kept by {value!r:.80}: give it strings, numbers and tuples"
    )


def is_lasting(value: Any) -> bool:
    """Tell whether a plain value can never be changed: it may be a tuple, and no list is in it."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


class Placeholder:
    """The place in a piece that is filled in for each square: it can be printed, and nothing else."""

    def __init__(self, name: str):
        self.name = name
        self.mark = f"\0{name} {token_hex(8)}\0"  # nobody can write it into a name

    def __html__(self) -> str:
        return self.mark

    def _only_printed(self, *_: Any) -> NoReturn:
        raise TypeError(f"`{self.name}` stands for every square: a piece of a board can only print it")

    __str__ = __bool__ = __eq__ = __lt__ = __len__ = __getitem__ = __hash__ = _only_printed


AT, LINK = Placeholder("at"), Placeholder("link")


class Layer(NamedTuple):
    """Squares that are drawn by one macro: each with its content, or all alike where `contents` has none."""

    macro: "CachedMacro"
    contents: Mapping[str, Any] | Iterable[str]
    more: tuple[Any, ...]
    link: Any = None  # function that returns the address which a square leads to
    added: bool = False  # to what is in the square

    def onto(self, cells: list[str], places: Mapping[str, tuple[int, str]]) -> None:
        """Draw the squares of this layer into a table's cells."""
        drawn = self._parts()
        if self.added or self.link is not None:
            for at, parts in drawn:
                index, name = places[at]
                cell = name.join(parts)
                if self.link is not None and LINK.mark in cell:
                    cell = cell.replace(LINK.mark, escape(self.link(at)))
                cells[index] = cells[index] + cell if self.added else cell
        else:
            for at, parts in drawn:  # hundreds of times
                index, name = places[at]
                cells[index] = name.join(parts)

    def _parts(self) -> Iterable[tuple[str, Parts]]:
        """Return the squares with the parts between which their names are to be put."""
        more, pattern = identity(self.more), self.macro.pattern
        if not isinstance(self.contents, Mapping):
            alike = pattern((), self.more, more, self.link)
            return [(at, alike) for at in self.contents]
        # By identity: many squares share one content.
        square = self.macro.square
        ids = list(map(id, self.contents.values()))
        parts = {
            each: square(content, self.more, more, self.link)
            for each, content in dict(zip(ids, self.contents.values(), strict=True)).items()
        }
        return zip(self.contents, map(parts.__getitem__, ids), strict=True)


class CachedMacro:
    """A macro of `cells.html`; called, it draws what was not drawn before."""

    def __init__(self, key: tuple[Any, ...], macro: Macro):
        self.key = key
        self.macro = macro
        self._squares: dict[tuple[Any, ...], tuple[Any, Parts]] = {}  # by the identity of their contents

    def __call__(self, *arguments: Any) -> Markup:
        """Return what the macro draws with these arguments."""
        key = (self.key, identity(arguments))
        piece: Markup | None = PIECES.get(key)
        if piece is None:
            piece = Markup(self.macro(*arguments))  # noqa: S704 - a template's own output
            PIECES.put(key, piece)
        return piece

    def each(self, several: Iterable[Any]) -> Markup:
        """Return what the macro draws with each of several arguments, one after the other."""
        return Markup("".join(map(self, several)))  # noqa: S704 - a template's own output

    def linked(self, link: str, *arguments: Any) -> Markup:
        """Return what the macro draws with these arguments and, as `link`, an address that is not kept."""
        key = (self.key, "linked", identity(arguments))
        piece: str | None = PIECES.get(key)
        if piece is None:
            piece = str(self.macro(*arguments, link=LINK))
            PIECES.put(key, piece)
        return Markup(piece.replace(LINK.mark, escape(link)))  # noqa: S704 - both are escaped

    def everywhere(self, *more: Any) -> Layer:
        """Return the layer of all squares, for `grid` to begin with."""
        return Layer(self, (), more)

    def on(self, squares: Mapping[str, Any] | Iterable[str], *more: Any, link: Any = None) -> Layer:
        """Return a layer of squares; of a mapping, each is drawn with what it has there."""
        return Layer(self, squares, more, link)

    def into(self, squares: Mapping[str, Any] | Iterable[str], *more: Any) -> Layer:
        """Return a layer that is added to what squares hold."""
        return Layer(self, squares, more, added=True)

    def square(self, content: Any, more: tuple[Any, ...], more_key: Any, link: Any = None) -> Parts:
        """Return a square with a content in parts; found at once for a content that was there before."""
        key = (id(content), more_key, link is None)
        cached = self._squares.get(key)
        if cached is not None and cached[0] is content:
            return cached[1]
        parts = self.pattern((content,), more, more_key, link)
        if is_lasting(content):
            if len(self._squares) >= MOST_SQUARES:
                self._squares.clear()
            self._squares[key] = content, parts
        return parts

    def pattern(
        self, content: tuple[Any, ...], more: tuple[Any, ...], more_key: Any, link: Any = None
    ) -> Parts:
        """Return a square in parts, between which its name is to be put."""
        key = (self.key, "square", identity(content), more_key, link is None)
        parts: Parts | None = PIECES.get(key)
        if parts is None:
            arguments = {} if link is None else {"link": LINK}
            drawn = str(self.macro(AT, *content, *more, **arguments))
            parts = tuple(drawn.split(AT.mark))
            PIECES.put(key, parts)
        return parts


class CellMacros:
    """The macros of a game's `cells.html`, in one language: each is an attribute."""

    def __init__(self, template: Template, title: Title, translations: NullTranslations):
        self._template = template
        self._words = translations
        self._number = next(NUMBERS)  # no other one's pieces are taken for those of this one
        nothing = template.environment.undefined
        closed = {name: nothing(hint=_not_here(name), name=name) for name in NOT_IN_PIECES}
        variables = {**closed, **catalogue.phrases(translations), **title.for_cells}
        with contexts_held():
            self._module = template.make_module({**variables, "title": title, "cells": self})

    def __getattr__(self, name: str) -> CachedMacro:
        macro = getattr(self._module, name)
        if not isinstance(macro, Macro):
            raise AttributeError(name)
        kept_macro = CachedMacro((self._number, name), macro)
        setattr(self, name, kept_macro)  # the next time it is found without this method
        return kept_macro


NUMBERS = count(1)


def _not_here(name: str) -> str:
    return f"`{name}` is not known where pieces are drawn that are kept: give what it says as an argument"


def cells_of(title: Title) -> CellMacros | None:
    """Return the macros of a game's `cells.html`; None where it has none."""
    if not title.cells:
        return None
    app = this_app()
    files: dict[tuple[Any, ...], CellMacros] = app.extensions.setdefault("cells", {})
    template = app.jinja_env.get_template(f"games/{title.slug}/{title.cells}")
    translations = catalogue.translations(title)
    key = (title.slug, title.cells, id(translations), script_root())
    macros = files.get(key)
    if macros is None or macros._template is not template:  # as where an author has changed it
        if len(files) > MOST_FILES:
            files.clear()
        macros = files[key] = CellMacros(template, title, translations)
    return macros


# -- tables of squares -----------------------------------------------------------------


@lru_cache(64)
def _places(squares: Squares) -> dict[str, tuple[int, str]]:
    """Return where in a table's cells each square is, and its name as HTML; each row begins with its head."""
    places, index = {}, 0
    for _, row in squares.rows:
        for at in row:
            index += 1
            places[at] = index, str(escape(at))
        index += 1
    return places


def _sheet(squares: Squares, usual: Layer | None) -> list[str]:
    """Return the cells of a table whose squares are all alike."""
    more = identity(usual.more) if usual else ()
    key = ("sheet", usual and usual.macro.key, more, squares)
    sheet: list[str] | None = PIECES.get(key)
    if sheet is None:
        parts = usual.macro.pattern((), usual.more, more) if usual else ("", "")
        sheet = []
        for head, row in squares.rows:
            sheet.append(f"\n<tr><th scope=row>{escape(head)}")
            sheet += [str(escape(at)).join(parts) if usual else "<td>" for at in row]
        PIECES.put(key, sheet)
    return sheet


def grid(squares: Squares, usual: Layer | None, *layers: Layer | None) -> Markup:
    """Return the rows of a table of squares: all as `usual` draws them, but for those of the layers.

    A later layer lies over an earlier one; None is none.
    """
    cells = [*_sheet(squares, usual)]
    places = _places(squares)
    for layer in layers:
        if layer and layer.contents:
            layer.onto(cells, places)
    return Markup("".join(cells))  # noqa: S704 - pieces of templates, and names that were escaped
