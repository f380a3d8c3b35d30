"""How to play a game: its rules in short, the positions that its diagrams show, and what its terms mean.

Beside a game's rules lie `how.md`, at most 120 words, with a line `![caption](name)` for each diagram;
`diagrams.toml`, which says by its name what each diagram shows; `glossary.toml` has a sentence for each term.
A game that has no `how.md` is told of by the first paragraph of its rules and the position of its example.
"""

import re
import tomllib
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from strifebarge.lib.encoding import utf8
from strifebarge.rules.match import Match
from strifebarge.tables.library.examples import Example, example_of, match_of
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.chair import FLAGS, LETTERS, Chair
from strifebarge.tables.model.parts import TableSettings
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.table import Table
from strifebarge.tables.view import View, show_table

FILE = "diagrams.toml"
EXAMPLE = "example"  # the id of the table that a diagram shows, which is nowhere
DIAGRAM = re.compile(r"^!\[(?P<caption>[^\]]+)\]\((?P<name>[\w-]+)\)$", re.MULTILINE)


class Diagram(Struct, forbid_unknown_fields=True):
    """A position to be drawn: of the game's example, or one of its own, as one seat sees it.

    Whatever is left out is as in `example.toml`.
    """

    seat: int | None = None  # whose eyes; None: a spectator's
    picked: str = ""  # what is picked up on the board
    first: int | None = (
        None  # how many moves of the example come first; None: all, if there are no other ones
    )
    moves: list[str] = []  # the moves after these
    seats: int | None = None
    seed: str | None = None
    options: dict[str, Any] | None = None

    def position(self, example: Example) -> Example:
        """Return the position that is shown, given the game's example."""
        first = self.first if self.first is not None else 0 if self.moves else len(example.moves)
        return Example(
            seats=example.seats if self.seats is None else self.seats,
            seed=example.seed if self.seed is None else self.seed,
            options=example.options if self.options is None else self.options,
            moves=[*example.moves[:first], *self.moves],
        )


class Captioned(NamedTuple):
    """A diagram with what is said below it."""

    caption: str
    diagram: Diagram


class HowToPlay(NamedTuple):
    """The rules of a game in short."""

    language: str
    text: str  # Markdown
    diagrams: list[Captioned]


def how_to_play(title: Title, language: str) -> HowToPlay:
    """Return how a game is played, in a language or else in English.

    Raises ValueError for a diagram that `diagrams.toml` does not have.
    """
    spoken, prose = title.prose_in(language, "how")
    if not prose:
        spoken, prose = title.opening(language)
        there = example_of(title) is not None
        return HowToPlay(spoken, prose, [Captioned("", Diagram())] if there else [])
    diagrams = _diagrams(title)
    captioned = []
    for match in DIAGRAM.finditer(prose):
        if match["name"] not in diagrams:
            raise ValueError(f"{FILE} has no diagram {match['name']!r}")
        captioned.append(Captioned(match["caption"], diagrams[match["name"]]))
    return HowToPlay(spoken, DIAGRAM.sub("", prose).strip(), captioned)


def _diagrams(title: Title) -> dict[str, Diagram]:
    """Return the diagrams of a game by their names.  Raises ValueError for a file that is not one."""
    path = title.folder / FILE
    if not path.is_file():
        return {}
    return msgspec.convert(tomllib.loads(utf8(path.read_bytes()).decode()), dict[str, Diagram])


def glossary(title: Title, language: str) -> tuple[str, dict[str, str]]:
    """Return a language, and in it what each term of a game means; {} if the game explains none.

    Raises ValueError for a file that is not one.
    """
    for code, name in ((language, f"glossary.{language}.toml"), ("en", "glossary.toml")):
        path = title.folder / name
        if path.is_file():
            return code, msgspec.convert(tomllib.loads(utf8(path.read_bytes()).decode()), dict[str, str])
    return "en", {}


def view_of(title: Title, diagram: Diagram) -> View:
    """Return the view that a diagram shows: of a table at which its moves have just been made.

    Raises Refused for a move that the rules do not allow, ValueError for one without a seat.
    """
    example = diagram.position(example_of(title) or Example())
    match = match_of(title, example)
    chairs = [Chair(seat, str(seat), FLAGS[LETTERS[seat]], True) for seat in range(example.seats)]
    table = Table(
        id=EXAMPLE,
        game=title.slug,
        seed=example.seed,
        chairs=chairs,
        settings=TableSettings(options=example.options),
        rules_version=title.version,
        status=Status.OVER if match.result else Status.PLAYING,
    )
    table.position.waiting = _to_move(match)
    table.ending.result = match.result
    viewer = None if diagram.seat is None else str(diagram.seat)
    return show_table(table, title, viewer, match, as_seen=True)


def _to_move(match: Match) -> list[int]:
    return [] if match.result else [*match.waiting_for()]
