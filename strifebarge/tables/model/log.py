"""The log of a game: the lines that its ledger's rows tell, as far as they still hold."""

from typing import Any

from msgspec import Struct

from strifebarge.tables.model.ports import Row

UNDO = {"do": "undo"}  # the action of a seat that takes its last move back


class Line(Struct, frozen=True, array_like=True):
    """One line of the log, and the move it tells of."""

    number: int
    text: Any  # packed text
    heading: bool = False  # it stands over those that follow
    apart: bool = False  # there is a blank line before it
    by: str = ""  # who it was, where several play the seat
    seat: int | None = None

    @property
    def style(self) -> str:
        """How it is set: the classes of its list item."""
        return " ".join(["heading"] * self.heading + ["apart"] * self.apart)


def lines_of(rows: list[Row], unseal: bool = False) -> list[Line]:
    """Return the log that these rows tell."""
    lines, apart = [], False
    for row in effective(rows):
        for packed in row.log:
            kind = packed.get("line")
            if kind != "blank":
                text = unsealed(packed) if unseal else packed
                lines.append(Line(row.number, text, kind == "heading", apart, row.by, row.seat))
            apart = kind == "blank"
    return lines


def own_of(lines: list[Line], rows: list[Row], seat: int) -> list[Line]:
    """Return the lines that a seat's own last move told."""
    last = _last_of(rows, seat)
    return [line for line in lines if line.number == last and line.seat == seat]


def news_of(lines: list[Line], rows: list[Row], seat: int) -> list[Line]:
    """Return the lines told since a seat's own last move, or by others who composed at the same time.

    For a seat that has not moved yet they are those of all moves, without the deal.
    """
    last = _last_of(rows, seat)
    if last is None:
        return [line for line in lines if line.number]
    return [line for line in lines if line.number > last or (line.number == last and line.seat != seat)]


def _last_of(rows: list[Row], seat: int) -> int | None:
    """Return the number of a seat's own last move; None where it has made none.  Rows are in order."""
    return next((row.number for row in reversed(rows) if row.seat == seat), None)


def unsealed(value: Any) -> Any:
    """Return a packed line without its secrets' seals, for when the game is over."""
    match value:
        case {"secret": content}:
            return unsealed(content)
        case dict():
            return {name: unsealed(part) for name, part in value.items()}
        case list():
            return [unsealed(part) for part in value]
    return value


def effective(rows: list[Row]) -> list[Row]:
    """Return the rows whose lines still hold.

    An undo takes away its seat's last move, going back all moves after a number; both tell of themselves.
    """
    if not [row for row in rows if row.action and (row.seat is None or row.action == UNDO)]:
        return rows  # as in most games
    remaining: list[Row] = []
    for row in rows:
        if (to := went_back(row)) is not None:
            remaining = [each for each in remaining if each.number <= to]
        if is_undo(row):
            own = (i for i in range(len(remaining) - 1, -1, -1) if remaining[i].seat == row.seat)
            undone = next((i for i in own if not is_undo(remaining[i])), None)
            if undone is not None:
                del remaining[undone]
        remaining.append(row)
    return remaining


def went_back(row: Row) -> int | None:
    """Return the move to which the game went back here, because the rules had changed."""
    return row.action["to"] if row.seat is None and row.action else None


def is_undo(row: Row) -> bool:
    """Return whether a seat took its last move back here."""
    return row.action == UNDO
