"""Boards: the view that a game's `board.py` is given to prepare a board from.

A game may have `board.py` beside its rules.  Its `board(view)` returns what `board.html` shows, which
has it under the name `board`; its function `text(view)` returns what `text.html` shows, as `text`.  Its
function `sheet(view)` returns the log as a `ScoreSheet`, `plates(view)` what players' plates show.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from strifebarge.rules.action import Action, Refused
from strifebarge.rules.notation import write
from strifebarge.rules.ranking import Ranking
from strifebarge.rules.text import Text

G_co = TypeVar("G_co", covariant=True)  # the game's class
S_co = TypeVar("S_co", covariant=True)  # the class of its seats


class Offer(NamedTuple):
    """An action that the viewer is asked to choose from, and `refused`, why it may not be chosen, or None."""

    action: Action
    refused: Refused | None

    @property
    def notation(self) -> str:
        """Return how it is written: `fire K9`."""
        return write(self.action)

    @property
    def label(self) -> Text:
        """Return what its button says."""
        return self.action.words


class Place(Protocol):
    """A seat at the table, as everyone sees it.

    `seat`, its number; `letter`, that of its flag; `name`, of who sits there; `role`, the seat's own name,
    or ""; `mine`, it is the viewer's; `to_move`, the game waits for it; `chosen`, it has answered a question
    that others are still asked; `out` of the game; `left` for good.
    """

    @property
    def seat(self) -> int: ...
    @property
    def letter(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def mine(self) -> bool: ...
    @property
    def to_move(self) -> bool: ...
    @property
    def chosen(self) -> bool: ...
    @property
    def out(self) -> bool: ...
    @property
    def left(self) -> bool: ...


class Line(Protocol):
    """A line of the log: the `number` of the move it tells of, and its `text`, packed."""

    @property
    def number(self) -> int: ...
    @property
    def text(self) -> Any: ...


class BoardView(Protocol[G_co, S_co]):
    """The table in one viewer's eyes.  There is nothing in it that this viewer may not see.

    - `game`: the game as the viewer sees it; what is hidden from them is None
    - `you`: the viewer's own seat in it, or None for a spectator
    - `mine`: the viewer is to move
    - `offers`: what the viewer may choose from, in the order of the game
    - `offered(action)`: its offer, or None where it is not on offer
    - `choice`: what the viewer has chosen while others still choose, written as in `throw rock`; or None
    - `planning`: the viewer is not to move, and may plan what they will do then: buttons plan it
    - `planned`: the moves of their plan that answer nothing, written as in `fire K9`
    - `picked`: what was picked on the page by a link of `pick(...)`, or ""
    - `filled`: the values of each field of a form that was sent and refused, by the field's name
    - `places`: the seats at the table, by number
    - `lines`: the latest lines of the log; `news`: those told since the viewer's own last move
    - `number`: of the position shown, which is that of the last move in it
    - `live`: it is the position now, and not a page of the history
    - `turned`: the viewer has turned this table's board round
    - `result`: the ranking once the game is over, or None
    """

    @property
    def game(self) -> G_co: ...
    @property
    def you(self) -> S_co | None: ...
    @property
    def mine(self) -> bool: ...
    @property
    def offers(self) -> Sequence[Offer]: ...
    def offered(self, action: Action) -> Offer | None: ...
    @property
    def choice(self) -> str | None: ...
    @property
    def planning(self) -> bool: ...
    @property
    def planned(self) -> Sequence[str]: ...
    @property
    def picked(self) -> str: ...
    @property
    def filled(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def places(self) -> Sequence[Place]: ...
    @property
    def lines(self) -> Sequence[Line]: ...
    @property
    def news(self) -> Sequence[Line]: ...
    @property
    def number(self) -> int: ...
    @property
    def live(self) -> bool: ...
    @property
    def turned(self) -> bool: ...
    @property
    def result(self) -> Ranking | None: ...


class Squares:
    """The squares of a board by their names, row by row, each row with a head: make them once, and keep them.

    Two that have the same rows are the same.  A name or a head stands for itself: names are not repeated.
    """

    __slots__ = ("_hash", "rows")

    def __init__(self, rows: Iterable[tuple[object, Iterable[str]]]):
        self.rows = tuple((str(head), tuple(row)) for head, row in rows)
        self._hash = hash(self.rows)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Squares) and self.rows == other.rows)


class ScoreSheet(NamedTuple):
    """The moves of a game as a score sheet, which the page shows in place of the log.

    - `columns`: the heads of the columns after the first, which numbers the rows
    - `rows`: the head of each row and its cells; None is a cell that stays empty
    - `sentences`: the sentences of the log that tell of a cell, one line for each cell, in their order
    - `earlier`: how many cells, from the first on, no line tells of, for they were there at the start
    - `name`: what these moves are called, in English, such as an opening; "" if they have no name
    """

    columns: Sequence[Text]
    rows: Sequence[tuple[str, Sequence[str | None]]]
    sentences: frozenset[str]
    earlier: int = 0
    name: str = ""
