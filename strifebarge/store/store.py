"""Tables, their ledgers and people, in a database.

A table is locked by the transaction that changes it, from its first statement to its last: whoever comes
second waits, and then sees what the first has left.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Engine, Select, delete, func, select, update

from strifebarge.rules import Refused
from strifebarge.rules.match import Snapshot
from strifebarge.table.ports import Player, Receipt, Row
from strifebarge.table.table import RUNNING, No, Table

from .engine import Busy, insert, reading, writing
from .schema import chairs, moves, players, receipts, snapshots, tables

__all__ = ["Busy", "SqlChange", "SqlStore"]

APART = 20  # moves: old snapshots that follow each other more closely are thinned out

TABLE = msgspec.json.Decoder(Table)
JSON = msgspec.json.Decoder()


class SqlStore:
    """The referee's Store in an SQL database."""

    def __init__(self, engine: Engine):
        self.engine = engine

    # -- changing --------------------------------------------------------------

    @contextmanager
    def change(self, id: str) -> Iterator["SqlChange"]:
        """Lock a table and change it.  Raises Refused(NO_TABLE), Busy."""
        with writing(self.engine) as connection:
            change = SqlChange(connection, find(connection, LOCKED, id))
            yield change
            change.write()

    def add(self, table: Table, receipt: Receipt) -> Table:
        """Keep a new table and its receipt; or find the table that this receipt's key was given for."""
        with writing(self.engine) as connection:
            insert_table(connection, table)
            # Of two with the same key at the same moment, the second waits here for the first.
            if insert_receipt(connection, msgspec.structs.replace(receipt, table=table.id)):
                return table
            connection.rollback()
        earlier = self.receipt(receipt.key)
        if earlier is None or earlier.digest != receipt.digest:
            raise Refused(No.KEY_REUSED)
        return self.table(earlier.table)

    def save_player(self, player: Player) -> None:
        values = msgspec.structs.asdict(player)
        with writing(self.engine) as connection:
            connection.execute(
                insert(self.engine, players)
                .values(values)
                .on_conflict_do_update(index_elements=["id"], set_={"name": player.name})
            )

    # -- reading ---------------------------------------------------------------

    def table(self, id: str) -> Table:
        with reading(self.engine) as connection:
            return find(connection, UNLOCKED, id)

    def receipt(self, key: str) -> Receipt | None:
        with reading(self.engine) as connection:
            return receipt_for(connection, key)

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        with reading(self.engine) as connection:
            return newest_snapshot(connection, id, at)

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        with reading(self.engine) as connection:
            return ledger(connection, id, after, upto)

    def tables_of(self, player: str) -> list[Table]:
        theirs = tables.c.id.in_(select(chairs.c.table_id).where(chairs.c.player == player))
        newest_first = UNLOCKED.where(theirs).order_by(tables.c.changed.desc(), tables.c.id)
        with reading(self.engine) as connection:
            return [TABLE.decode(body) for body in connection.scalars(newest_first)]

    def waiting_for(self, player: str) -> int:
        waiting = select(func.count()).where(chairs.c.player == player, chairs.c.to_move)
        with reading(self.engine) as connection:
            return connection.scalar(waiting) or 0

    def player(self, id: str) -> Player | None:
        with reading(self.engine) as connection:
            found = connection.execute(select(players).where(players.c.id == id)).first()
        return Player(*found) if found else None


class SqlChange:
    """One transaction on one table; see the port.  What is given to it is in the database at once, and
    for others when the transaction ends."""

    def __init__(self, connection: Connection, table: Table):
        self.connection = connection
        self.table = table
        self.revision = table.revision
        self.before = msgspec.json.encode(table)
        self.sat = chairs_of(table)
        self.more = False  # something was written beside the table

    def receipt(self, key: str) -> Receipt | None:
        return receipt_for(self.connection, key)

    def give_receipt(self, receipt: Receipt) -> None:
        self.more = True
        if not insert_receipt(self.connection, receipt):  # given at another table since we looked
            raise Refused(No.KEY_REUSED)

    def append(self, rows: list[Row]) -> None:
        if rows:
            self.more = True
            self.connection.execute(moves.insert(), [move_values(self.table.id, row) for row in rows])

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, and thin out those before it: the game is taken up from the newest alone."""
        self.more = True
        older = (
            select(snapshots.c.number)
            .where(snapshots.c.table_id == self.table.id, snapshots.c.number < snapshot.number)
            .order_by(snapshots.c.number.desc())
            .limit(2)
        )
        match self.connection.scalars(older).all():
            case [last, before] if last - before < APART:
                self.connection.execute(
                    delete(snapshots).where(snapshots.c.table_id == self.table.id, snapshots.c.number == last)
                )
        values = {"table_id": self.table.id, **msgspec.structs.asdict(snapshot)}
        self.connection.execute(snapshots.insert(), values)

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        return newest_snapshot(self.connection, id, at)

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        return ledger(self.connection, id, after, upto)

    def add(self, table: Table) -> None:
        insert_table(self.connection, table)

    def write(self) -> None:
        """The table as it is now, if there is anything new."""
        if not self.more and msgspec.json.encode(self.table) == self.before:
            return
        self.table.revision = self.revision + 1
        written = self.connection.execute(
            update(tables)
            .where(tables.c.id == self.table.id, tables.c.revision == self.revision)
            .values(table_values(self.table))
        )
        if written.rowcount != 1:  # somebody got past the lock, as on a file system that has none
            raise Busy(f"table {self.table.id} was changed by somebody else at the same time")
        self._write_chairs()

    def _write_chairs(self) -> None:
        now = chairs_of(self.table)
        for seat in self.sat.keys() | now.keys():
            if self.sat.get(seat) != now.get(seat):
                self._write_chair(seat, now.get(seat))

    def _write_chair(self, seat: int, values: dict[str, Any] | None) -> None:
        here = (chairs.c.table_id == self.table.id) & (chairs.c.seat == seat)
        if values is None:
            self.connection.execute(delete(chairs).where(here))
        elif seat in self.sat:
            self.connection.execute(update(chairs).where(here).values(values))
        else:
            self.connection.execute(chairs.insert(), values)


# -- asking the database ---------------------------------------------------------

UNLOCKED = select(tables.c.body)
LOCKED = UNLOCKED.with_for_update()  # SQLite has locked everything, and leaves it out


def find(connection: Connection, how: Select[Any], id: str) -> Table:
    body = connection.scalar(how.where(tables.c.id == id))
    if body is None:
        raise Refused(No.NO_TABLE)
    return TABLE.decode(body)


def receipt_for(connection: Connection, key: str) -> Receipt | None:
    found = connection.execute(select(receipts).where(receipts.c.key == key)).first()
    return Receipt(*found) if found else None


def newest_snapshot(connection: Connection, id: str, at: int | None) -> Snapshot:
    wanted = select(snapshots.c.number, snapshots.c.stage, snapshots.c.state).where(
        snapshots.c.table_id == id
    )
    if at is not None:
        wanted = wanted.where(snapshots.c.number <= at)
    found = connection.execute(wanted.order_by(snapshots.c.number.desc()).limit(1)).first()
    if found is None:
        raise Refused(No.NO_TABLE)
    return Snapshot(*found)


def ledger(connection: Connection, id: str, after: int, upto: int | None) -> list[Row]:
    within: ColumnElement[bool] = moves.c.number > after
    if upto is not None:
        within &= moves.c.number <= upto
    found = connection.execute(LEDGER.where(moves.c.table_id == id, within).order_by(moves.c.number))
    return [
        Row(number, seat, action and JSON.decode(action), JSON.decode(told), fingerprint, final, at)
        for number, seat, action, told, fingerprint, final, at in found
    ]


LEDGER = select(
    moves.c.number,
    moves.c.seat,
    moves.c.action,
    moves.c.told,
    moves.c.fingerprint,
    moves.c.final,
    moves.c.at,
)


# -- telling the database --------------------------------------------------------


def insert_table(connection: Connection, table: Table) -> None:
    connection.execute(tables.insert(), table_values(table))
    connection.execute(chairs.insert(), list(chairs_of(table).values()))


def insert_receipt(connection: Connection, receipt: Receipt) -> bool:
    """Whether it is kept; not if its key has been used."""
    values = msgspec.structs.asdict(receipt)
    values["table_id"] = values.pop("table")
    kept = connection.execute(
        insert(connection.engine, receipts).values(values).on_conflict_do_nothing().returning(receipts.c.key)
    )
    return kept.first() is not None


COLUMNS = [column.name for column in tables.c if column.name != "body"]


def table_values(table: Table) -> dict[str, Any]:
    values = {name: getattr(table, name) for name in COLUMNS}
    return {**values, "body": json(table)}


def chairs_of(table: Table) -> dict[int, dict[str, Any]]:
    """The chairs' rows, by seat."""
    waiting = table.waiting if table.status in RUNNING else []
    return {
        chair.seat: {
            "table_id": table.id,
            "seat": chair.seat,
            "player": chair.player,
            "to_move": chair.player is not None and chair.seat in waiting,
        }
        for chair in table.chairs
    }


def move_values(id: str, row: Row) -> dict[str, Any]:
    action = None if row.action is None else json(row.action)
    return {"table_id": id, **msgspec.structs.asdict(row), "action": action, "told": json(row.told)}


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()
