"""The part of the tables' repository about games: moves, snapshots, and the forms accepted."""

from itertools import count
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, bindparam, delete, func, literal, select, union_all

from strifebarge.rules import Refused
from strifebarge.rules.ledger import Snapshot
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import OF, DialectStatement, json
from strifebarge.store.schema import moves, receipts, snapshots, tournament_receipts
from strifebarge.tables.model.ports import LedgerPosition, Receipt, Row
from strifebarge.tables.model.table import TableRefusal

APART = 20  # moves: old snapshots that follow each other more closely are thinned out
KEPT_FOR = 100 * 86400  # seconds; an older form is nobody's second click, and its question is long answered
PURGE_EVERY = 1000  # things kept, in this process
write_numbers = count(1)

LEDGER = (
    select(*(column for column in moves.c if column.name != "table_id"))
    .where(moves.c.table_id == OF, moves.c.number > bindparam("after"))
    .order_by(moves.c.number, moves.c.step)
)
LEDGER_UPTO = LEDGER.where(moves.c.number <= bindparam("upto"))
LAST_ROWS = PreparedStatement(LEDGER_UPTO)  # of a match that is laid out: few
ADD_MOVES = PreparedStatement(moves.insert())

SNAPSHOT = (
    select(snapshots.c.number, snapshots.c.stage, snapshots.c.state)
    .where(snapshots.c.table_id == OF)
    .order_by(snapshots.c.number.desc())
    .limit(1)
)
SNAPSHOT_AT = SNAPSHOT.where(snapshots.c.number <= bindparam("at"))
ADD_SNAPSHOT = PreparedStatement(snapshots.insert())
newest, older = snapshots.alias(), snapshots.alias()
LAST = select(func.max(newest.c.number)).where(newest.c.table_id == OF, newest.c.number < bindparam("before"))
BEFORE_LAST = select(func.max(older.c.number)).where(
    older.c.table_id == OF, older.c.number < LAST.scalar_subquery()
)
# Where the game went back the moves before it lead elsewhere: it is played again from there, or not at all.
WENT_BACK = select(moves.c.number).where(moves.c.table_id == OF, moves.c.seat.is_(None))
# The last one before a number, if it follows the one before it too closely.
THIN_OUT = PreparedStatement(
    delete(snapshots).where(
        snapshots.c.table_id == OF,
        snapshots.c.number == LAST.scalar_subquery(),
        snapshots.c.number - BEFORE_LAST.scalar_subquery() < APART,
        snapshots.c.number.not_in(WENT_BACK),
    )
)

USED: BindParameter[str] = bindparam("used")
RECEIPT = union_all(
    select(receipts).where(receipts.c.key == USED),
    select(
        *(tournament_receipts.c.key, tournament_receipts.c.player, tournament_receipts.c.tournament_id),
        *(tournament_receipts.c.digest, literal(0), tournament_receipts.c.at),
    ).where(tournament_receipts.c.key == USED),
)
PURGE_RECEIPTS = delete(receipts).where(receipts.c.at < bindparam("before"))
ADD_RECEIPT = PreparedStatement(
    DialectStatement(receipts, lambda insert: insert.on_conflict_do_nothing().returning(receipts.c.key))
)

decode = msgspec.json.decode


class SqlLedger(Repository):
    """Reads ledgers, snapshots and receipts."""

    def receipt(self, key: str) -> Receipt | None:
        """Return what was accepted with this key, if anything."""
        with self.reading() as connection:
            row = connection.execute(RECEIPT, {"used": key}).first()
        return Receipt(*row) if row else None

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        """Return the newest snapshot, or the newest with at most `at` moves before it."""
        statement = SNAPSHOT if at is None else SNAPSHOT_AT
        with self.reading() as connection:
            row = connection.execute(statement, {"of": id, "at": at}).first()
        if row is None:
            raise Refused(TableRefusal.NO_TABLE)
        return Snapshot(*row)

    def rows(self, id: str, after: int, last: int | None = None) -> list[Row]:
        """Return the ledger's rows with after < number <= upto, in order; row 0 with after=-1.

        Those after a table's own number are being composed.
        """
        statement = LEDGER if last is None else LEDGER_UPTO
        with self.reading() as connection:
            db_rows = connection.execute(statement, {"of": id, "after": after, "upto": last}).all()
        return [row_of(*row) for row in db_rows]

    def rows_since(self, id: str, position: LedgerPosition, last: int) -> list[Row]:
        """Return the ledger's rows after a place, up to a number, in order."""
        values = {"of": id, "after": position[0] - 1, "upto": last}
        with self.reading() as connection:
            db_rows = LAST_ROWS.execute(connection, values).fetchall()
        rows = [row_of(*row[:5], bool(row[5]), *row[6:]) for row in db_rows]
        return [row for row in rows if row.ledger_position > position]


def row_of(number: int, seat: int | None, action: str | None, log: str, *rest: Any) -> Row:
    """Return a row of a ledger as it was stored."""
    return Row(number, seat, None if action is None else decode(action), decode(log), *rest)


# -- inside a transaction --------------------------------------------------------


def add_rows(connection: Connection, table: str, rows: list[Row]) -> None:
    values = [
        {
            "table_id": table,
            **msgspec.structs.asdict(row),
            "action": None if row.action is None else json(row.action),
            "log": json(row.log),
        }
        for row in rows
    ]
    ADD_MOVES.execute_many(connection, values)


def add_snapshot(connection: Connection, table: str, snapshot: Snapshot) -> None:
    """Keep a snapshot, and thin out those before it: a game is taken up from the newest alone."""
    THIN_OUT.execute(connection, {"of": table, "before": snapshot.number})
    ADD_SNAPSHOT.execute(connection, {"table_id": table, **msgspec.structs.asdict(snapshot)})


def add_receipt(connection: Connection, receipt: Receipt) -> bool:
    """Keep a receipt and return True, or return False if its key was used.  Sometimes delete old ones."""
    if now_and_then():
        connection.execute(PURGE_RECEIPTS, {"before": receipt.at - KEPT_FOR})
    values = msgspec.structs.asdict(receipt)
    values["table_id"] = values.pop("table")
    return ADD_RECEIPT.execute(connection, values).fetchone() is not None


def now_and_then() -> bool:
    """Return whether it is time to delete what is old."""
    return next(write_numbers) % PURGE_EVERY == 0
