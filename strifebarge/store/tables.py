"""Write and read the rows of a table: its body, and rows for queries."""

from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from strifebarge.people.merging import known_to
from strifebarge.rules import Refused
from strifebarge.store.accounts import add_traces
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.statements import OF, DialectStatement, json, upsert
from strifebarge.store.schema import chairs, invitations, listings, tables
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.listing import Listing, listing
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.table import Status, Table, TableRefusal

decode_table = msgspec.json.Decoder(Table).decode

TABLE = select(tables.c.body).where(tables.c.id == OF)
LOCK_TABLE = TABLE.with_for_update()  # on SQLite the whole database is locked already
ADD_TABLE = DialectStatement(
    tables, lambda insert: insert.on_conflict_do_nothing(index_elements=["id"]).returning(tables.c.id)
)
# With its key among what is set, SQLite would look for the rows of all tables that refer to it.
CHANGING = [column for column in tables.c if column.name not in ("id", "game", "created")]
WRITE_TABLE = PreparedStatement(
    update(tables)
    .where(tables.c.id == OF, tables.c.revision == bindparam("before"))
    .values({column.name: bindparam(f"new_{column.name}", type_=column.type) for column in CHANGING})
)
DELETE_TABLE = delete(tables).where(tables.c.id == OF)

KEEP_CHAIRS = PreparedStatement(upsert(chairs))
TAKE_CHAIR_AWAY = delete(chairs).where(
    chairs.c.table_id == OF, chairs.c.seat == bindparam("that"), chairs.c.coplayer == bindparam("place")
)

INVITE = invitations.insert()
UNINVITE = delete(invitations).where(invitations.c.table_id == OF)

KEEP_LISTING = upsert(listings)
TAKE_OFF_LIST = delete(listings).where(listings.c.table_id == OF)


class IndexRows(NamedTuple):
    """Rows for queries; the body of the table says the same."""

    chairs: list[dict[str, Any]]
    people: set[str]  # everybody of whom anything is kept here
    invited: list[str]  # by name, without an answer yet
    line: Listing | None  # on the list of open tables


NOTHING = IndexRows([], set(), [], None)


def find_table(connection: Connection, id: str, lock: bool = False) -> Table:
    """Return a table.  Raises Refused(NO_TABLE)."""
    body = connection.scalar(LOCK_TABLE if lock else TABLE, {"of": id})
    if body is None:
        raise Refused(TableRefusal.NO_TABLE)
    return decode_table(body)


def add_table(connection: Connection, table: Table) -> None:
    """Add a table.  Raises Busy if its id is taken: at the next try there is another id."""
    if connection.execute(ADD_TABLE(connection), _values(table)).first() is None:
        raise Busy(f"there is a table {table.id} already")
    _write_index_rows(connection, table.id, NOTHING, index_rows(table))


def write_table(connection: Connection, table: Table) -> bool:
    """Write a table that was changed once since it was read; False if others have changed it meanwhile."""
    values = {f"new_{name}": value for name, value in _values(table).items()}
    values |= {"of": table.id, "before": table.revision - 1}
    written: int = WRITE_TABLE.execute(connection, values).rowcount
    return written == 1


def write_index_rows(connection: Connection, table: Table, before: IndexRows, met: set[str]) -> None:
    """Write what has changed of the rows for queries; `met` are people of whom something is kept here now."""
    now = index_rows(table)
    _write_index_rows(connection, table.id, before, now._replace(people=now.people | met))


def index_rows(table: Table) -> IndexRows:
    invited_players = [player for player, each in table.invited.items() if not each.declined]
    return IndexRows(_chairs(table), known_to(table), invited_players, listing(table))


def _values(table: Table) -> dict[str, Any]:
    times = table.times
    return {
        "id": table.id,
        "game": table.game,
        "status": table.status,
        "revision": table.revision,
        "version": table.version,
        "number": table.position.number,
        "host": table.host,
        "parent": table.series.parent,
        "created": times.created,
        "changed": times.changed,
        "started": times.started,
        "ended": times.ended,
        "due": table.due,
        "body": json(table),
    }


def _chairs(table: Table) -> list[dict[str, Any]]:
    """Return the chairs' rows: one for each person in a seat, or for a free seat.

    A bot sits in a row until its game is over, so that few rows are looked at where bots are counted.
    """
    over = table.status == Status.OVER
    return [
        {
            "table_id": table.id,
            "seat": chair.seat,
            "coplayer": index,
            "player": None if over and is_bot(player) else player,
            "to_move": table.asks(player),
        }
        for chair in table.chairs
        for index, player in enumerate(chair.players or [None])
    ]


def _write_index_rows(connection: Connection, id: str, before: IndexRows, now: IndexRows) -> None:
    _write_chairs(connection, id, before.chairs, now.chairs)
    add_traces(connection, id, now.people - before.people)
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
        KEEP_CHAIRS.execute_many(connection, changed)
    there = {(chair["seat"], chair["coplayer"]) for chair in now}
    gone = [
        {"of": id, "that": chair["seat"], "place": chair["coplayer"]}
        for chair in before
        if (chair["seat"], chair["coplayer"]) not in there
    ]
    if gone:
        connection.execute(TAKE_CHAIR_AWAY, gone)
