"""Read a table's ledger: its rows as far as the table knows them, and the moves that they tell of."""

from typing import Protocol

from strifebarge.rules import Action
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.log import effective, is_undo
from strifebarge.tables.model.ports import LedgerPosition, Row
from strifebarge.tables.model.table import Table

RECENT = 40  # moves that log lines on a table's page go back


class Ledger(Protocol):
    """Where snapshots and moves are read: the store, or an open change."""

    def snapshot(self, id: str, at: int | None = None) -> Snapshot: ...
    def rows(self, id: str, after: int, last: int | None = None) -> list[Row]: ...
    def rows_since(self, id: str, position: LedgerPosition, last: int) -> list[Row]: ...


def known_rows(ledger: Ledger, table: Table, after: int) -> list[Row]:
    """Return the rows of a ledger after a number, as far as the table knows them."""
    # A move may come in between the reading of the one and of the other.
    last = max(table.position.reached, (table.position.number, 0))
    return [row for row in ledger.rows(table.id, after, last[0]) if row.ledger_position <= last]


def standing_moves(ledger: Ledger, table: Table) -> int:
    """Return how many moves of a game stand, of those that everybody may know of.

    What was undone or taken back does not, though numbers never go back.
    """
    rows = effective(known_rows(ledger, table, 0))
    moves = {row.number for row in rows if row.seat is not None and not is_undo(row)}
    return sum(number <= table.position.number for number in moves)


def moves_of(rows: list[Row], title: Title, after: int) -> list[Move]:
    """Return the moves that a ledger's rows tell of, after a number."""
    kinds: tuple[type[Action], ...] = (*actions(title.rules), *FRAMEWORK)
    return [
        Move(row.number, row.seat, from_json(row.action, kinds), row.final, row.step)
        for row in rows
        if row.number > after and row.seat is not None
    ]


def recent(rows: list[Row], number: int) -> list[Row]:
    """Return the rows of the last moves up to a number, and of what is composed since."""
    return [row for row in rows if row.number > number - RECENT]
