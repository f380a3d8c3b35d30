"""A table in the database: its body, and beside it, for queries, what the body says as well."""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from strifebarge.rules import Refused
from strifebarge.table.handover import known_to
from strifebarge.table.listing import Listing, listing
from strifebarge.table.ports import Busy
from strifebarge.table.table import RUNNING, No, Status, Table

from .people import add_traces
from .schema import chairs, invited, listings, tables
from .statements import OF, Both, json, keep

TABLE = select(tables.c.body).where(tables.c.id == OF)
LOCK_TABLE = TABLE.with_for_update()  # on SQLite the whole database is locked already
ADD_TABLE = Both(
    tables, lambda insert: insert.on_conflict_do_nothing(index_elements=["id"]).returning(tables.c.id)
)
WRITE_TABLE = update(tables).where(tables.c.id == OF, tables.c.revision == bindparam("before"))
COLUMNS = [column.name for column in tables.c if column.name != "body"]

KEEP_CHAIRS = keep(chairs)
TAKE_CHAIR_AWAY = delete(chairs).where(
    chairs.c.table_id == OF, chairs.c.seat == bindparam("that"), chairs.c.beside == bindparam("place")
)

INVITE = invited.insert()
UNINVITE = delete(invited).where(invited.c.table_id == OF)

KEEP_LISTING = keep(listings)
TAKE_OFF_LIST = delete(listings).where(listings.c.table_id == OF)

decode_table = msgspec.json.Decoder(Table).decode


class Beside(NamedTuple):
    """What is kept beside a table's body."""

    chairs: list[dict[str, Any]]
    known: set[str]  # everybody of whom anything is kept here
    invited: list[str]  # by name, without an answer yet
    line: Listing | None  # on the list of open tables


NOTHING = Beside([], set(), [], None)


def find_table(connection: Connection, id: str, lock: bool = False) -> Table:
    """Raises Refused(NO_TABLE)."""
    body = connection.scalar(LOCK_TABLE if lock else TABLE, {"of": id})
    if body is None:
        raise Refused(No.NO_TABLE)
    return decode_table(body)


def add_table(connection: Connection, table: Table) -> None:
    """Raises Busy if its id is another table's: at the next try there is another id."""
    if connection.execute(ADD_TABLE(connection), _values(table)).first() is None:
        raise Busy(f"there is a table {table.id} already")
    _write_beside(connection, table.id, NOTHING, beside(table))


def write_table(connection: Connection, table: Table, before: Beside, met: set[str]) -> None:
    """A table that was changed, and of whom else something is now kept here.

    Raises Busy if somebody got past the lock, as on a file system that knows none.
    """
    values = {**_values(table), "of": table.id, "before": table.revision - 1}
    if connection.execute(WRITE_TABLE, values).rowcount != 1:
        raise Busy(f"table {table.id} was changed by somebody else at the same time")
    now = beside(table)
    _write_beside(connection, table.id, before, now._replace(known=now.known | met))


def beside(table: Table) -> Beside:
    asked = [player for player, each in table.invited.items() if not each.declined]
    return Beside(_chairs(table), known_to(table), asked, listing(table))


def _values(table: Table) -> dict[str, Any]:
    return {**{name: getattr(table, name) for name in COLUMNS}, "body": json(table)}


def _chairs(table: Table) -> list[dict[str, Any]]:
    """The chairs' rows: one for each who sits there, or for a free seat."""
    waiting = table.waiting if table.status in RUNNING - {Status.SUSPENDED} else []
    return [
        {
            "table_id": table.id,
            "seat": chair.seat,
            "beside": place,
            "player": player,
            "to_move": chair.seat in waiting,
        }
        for chair in table.chairs
        for place, (player, _) in enumerate(list(chair.people) or [(None, "")])
    ]


def _write_beside(connection: Connection, id: str, before: Beside, now: Beside) -> None:
    _write_chairs(connection, id, before.chairs, now.chairs)
    add_traces(connection, id, now.known - before.known)
    if now.invited != before.invited:
        connection.execute(UNINVITE, {"of": id})
        if now.invited:
            connection.execute(INVITE, [{"table_id": id, "player": player} for player in now.invited])
    if now.line and now.line != before.line:
        values = {"table_id": id, **msgspec.structs.asdict(now.line)}
        connection.execute(KEEP_LISTING(connection), values)
    elif before.line and not now.line:
        connection.execute(TAKE_OFF_LIST, {"of": id})


def _write_chairs(
    connection: Connection, id: str, before: list[dict[str, Any]], now: list[dict[str, Any]]
) -> None:
    if changed := [chair for chair in now if chair not in before]:
        connection.execute(KEEP_CHAIRS(connection), changed)
    there = {(chair["seat"], chair["beside"]) for chair in now}
    gone = [
        {"of": id, "that": chair["seat"], "place": chair["beside"]}
        for chair in before
        if (chair["seat"], chair["beside"]) not in there
    ]
    if gone:
        connection.execute(TAKE_CHAIR_AWAY, gone)
