"""Play the example of a game: the position that its picture shows, reached by the moves in `example.toml`.

The file says for how many `seats` it is, by which `seed` chance falls, the `options`, and the `moves`: each
the number of a seat and the words of its action, as in `0 fire K9`.
"""

import tomllib
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.lib.encoding import utf8
from strifebarge.rules import Game
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read
from strifebarge.rules.schema import actions
from strifebarge.tables.library.library import Title
from strifebarge.tables.library.settings import options_from

FILE = "example.toml"


class Example(Struct, forbid_unknown_fields=True):
    """The content of an `example.toml`."""

    seats: int = 2
    seed: str = "example"
    options: dict[str, Any] = {}
    moves: list[str] = []


def example_of(title: Title) -> Example | None:
    """Return the example of a game; None if it has none.  Raises ValueError for a file that is not one."""
    path = title.folder / FILE
    if not path.is_file():
        return None
    return msgspec.convert(tomllib.loads(utf8(path.read_bytes()).decode()), Example)


def played(title: Title, example: Example) -> Game[Any]:
    """Return the position of an example as a spectator sees it.

    Raises Refused for a move that the rules do not allow, ValueError for one without a seat.
    """
    return match_of(title, example).view(None)


def match_of(title: Title, example: Example) -> Match:
    """Return the match of an example, played to its end.

    Raises Refused for a move that the rules do not allow, ValueError for one without a seat.
    """
    options = options_from(title.rules, example.options)
    match = Match.new(title.rules, example.seats, example.seed, options)
    for line in example.moves:
        seat, _, text = line.partition(" ")
        match.move(int(seat), read(text, actions(title.rules)))
    return match
