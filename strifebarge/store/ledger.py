"""What happened at a table: its moves, the game as it stood between some of them, and the forms accepted."""

from itertools import count

import msgspec
from sqlalchemy import Connection, bindparam, delete, select

from strifebarge.rules import Refused
from strifebarge.rules.match import Snapshot
from strifebarge.table.ports import Receipt, Row
from strifebarge.table.table import No

from .part import Part
from .schema import moves, receipts, snapshots
from .statements import OF, Both, json

APART = 20  # moves: old snapshots that follow each other more closely are thinned out
KEPT_FOR = 100 * 86400  # seconds; an older form is nobody's second click, and its question is long answered
PURGE_EVERY = 1000  # things kept, in this process
kept = count(1)

LEDGER = (
    select(*(column for column in moves.c if column.name != "table_id"))
    .where(moves.c.table_id == OF, moves.c.number > bindparam("after"))
    .order_by(moves.c.number)
)
LEDGER_UPTO = LEDGER.where(moves.c.number <= bindparam("upto"))
ADD_MOVES = moves.insert()

SNAPSHOT = (
    select(snapshots.c.number, snapshots.c.stage, snapshots.c.state)
    .where(snapshots.c.table_id == OF)
    .order_by(snapshots.c.number.desc())
    .limit(1)
)
SNAPSHOT_AT = SNAPSHOT.where(snapshots.c.number <= bindparam("at"))
OLDER_SNAPSHOTS = (
    select(snapshots.c.number)
    .where(snapshots.c.table_id == OF, snapshots.c.number < bindparam("before"))
    .order_by(snapshots.c.number.desc())
    .limit(2)
)
ADD_SNAPSHOT = snapshots.insert()
DROP_SNAPSHOT = delete(snapshots).where(snapshots.c.table_id == OF, snapshots.c.number == bindparam("old"))

RECEIPT = select(receipts).where(receipts.c.key == bindparam("used"))
PURGE_RECEIPTS = delete(receipts).where(receipts.c.at < bindparam("before"))
ADD_RECEIPT = Both(receipts, lambda insert: insert.on_conflict_do_nothing().returning(receipts.c.key))

decode = msgspec.json.decode


class SqlLedger(Part):
    """What the referee reads of it."""

    def receipt(self, key: str) -> Receipt | None:
        with self.reading() as connection:
            found = connection.execute(RECEIPT, {"used": key}).first()
        return Receipt(*found) if found else None

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        wanted = SNAPSHOT if at is None else SNAPSHOT_AT
        with self.reading() as connection:
            found = connection.execute(wanted, {"of": id, "at": at}).first()
        if found is None:
            raise Refused(No.NO_TABLE)
        return Snapshot(*found)

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        wanted = LEDGER if upto is None else LEDGER_UPTO
        with self.reading() as connection:
            found = connection.execute(wanted, {"of": id, "after": after, "upto": upto}).all()
        return [
            Row(number, seat, action and decode(action), decode(told), *rest)
            for number, seat, action, told, *rest in found
        ]


# -- inside a transaction --------------------------------------------------------


def add_rows(connection: Connection, table: str, rows: list[Row]) -> None:
    values = [
        {
            "table_id": table,
            **msgspec.structs.asdict(row),
            "action": None if row.action is None else json(row.action),
            "told": json(row.told),
        }
        for row in rows
    ]
    connection.execute(ADD_MOVES, values)


def add_snapshot(connection: Connection, table: str, snapshot: Snapshot) -> None:
    """Keep a snapshot, and thin out those before it: a game is taken up from the newest alone."""
    here = {"of": table}
    older = connection.scalars(OLDER_SNAPSHOTS, {**here, "before": snapshot.number}).all()
    match older:
        case [last, before] if last - before < APART:
            connection.execute(DROP_SNAPSHOT, {**here, "old": last})
    connection.execute(ADD_SNAPSHOT, {"table_id": table, **msgspec.structs.asdict(snapshot)})


def add_receipt(connection: Connection, receipt: Receipt) -> bool:
    """Whether it is kept; not if its key has been used.  Now and then, away with those of old."""
    if now_and_then():
        connection.execute(PURGE_RECEIPTS, {"before": receipt.at - KEPT_FOR})
    values = msgspec.structs.asdict(receipt)
    values["table_id"] = values.pop("table")
    return connection.execute(ADD_RECEIPT(connection), values).first() is not None


def now_and_then() -> bool:
    """Whether it is time again to throw away what is old."""
    return next(kept) % PURGE_EVERY == 0
