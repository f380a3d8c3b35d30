"""All that is ever said to the database, once and for all: to put a statement together takes longer than to
carry it out.  What differs from time to time is bound by name.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from sqlalchemy import BindParameter, Connection, Table, bindparam, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from .schema import chairs, moves, mutes, notes, players, receipts, said, snapshots, tables, web_sessions

Insert: TypeAlias = postgresql.Insert | sqlite.Insert

OF: BindParameter[str] = bindparam("of")  # none may be called as a column is


class Both:
    """A statement in either database's words, where SQL has none that both understand."""

    def __init__(self, table: Table, how: Callable[[Any], Insert]):
        self.words = {"postgresql": how(postgresql.insert(table)), "sqlite": how(sqlite.insert(table))}

    def __call__(self, connection: Connection) -> Insert:
        return self.words[connection.dialect.name]


def keep(table: Table) -> Both:
    """INSERT, or UPDATE what is there already by its primary key."""
    key = [column.name for column in table.primary_key]
    rest = [column.name for column in table.c if column.name not in key]
    return Both(
        table,
        lambda insert: insert.on_conflict_do_update(
            index_elements=key, set_={name: insert.excluded[name] for name in rest}
        ),
    )


# -- tables ----------------------------------------------------------------------

TABLE = select(tables.c.body).where(tables.c.id == OF)
LOCK_TABLE = TABLE.with_for_update()  # on SQLite the whole database is locked already
ADD_TABLE = Both(
    tables, lambda insert: insert.on_conflict_do_nothing(index_elements=["id"]).returning(tables.c.id)
)
WRITE_TABLE = update(tables).where(tables.c.id == OF, tables.c.revision == bindparam("before"))

HERE = chairs.c.table_id == OF
KEEP_CHAIRS = keep(chairs)
TAKE_CHAIRS_AWAY = delete(chairs).where(HERE, chairs.c.seat >= bindparam("from_seat"))

WITH_PLAYER = chairs.c.player == bindparam("player")
TABLES_OF = (
    select(tables.c.body)
    .where(tables.c.id.in_(select(chairs.c.table_id).where(WITH_PLAYER)))
    .order_by(tables.c.changed.desc(), tables.c.id)
)
WAITING_FOR = select(func.count()).where(WITH_PLAYER, chairs.c.to_move)

# -- what happened there ---------------------------------------------------------

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

# -- what people say -------------------------------------------------------------

NEWEST_SAID = (
    select(*(column for column in said.c if column.name != "table_id"))
    .where(said.c.table_id == OF)
    .order_by(said.c.number.desc())
    .limit(100)
)
ADD_SAID = said.insert()
THAT_LINE = (said.c.table_id == OF, said.c.number == bindparam("that"))
STRIKE = update(said).where(*THAT_LINE).values(text="", phrase="", struck=True)
REPORT = update(said).where(*THAT_LINE).values(reported=True)
PURGE_SAID = delete(said).where(
    said.c.table_id.in_(select(tables.c.id).where(tables.c.ended < bindparam("before")))
)
NOTE = select(notes.c.text).where(notes.c.table_id == OF, notes.c.player == bindparam("whose"))
KEEP_NOTE = keep(notes)
MUTED = select(mutes.c.other).where(mutes.c.player == bindparam("whose"))
MUTE = Both(mutes, lambda insert: insert.on_conflict_do_nothing())
UNMUTE = delete(mutes).where(mutes.c.player == bindparam("whose"), mutes.c.other == bindparam("whom"))

# -- people ----------------------------------------------------------------------

PLAYER = select(players).where(players.c.id == OF)
PLAYER_AND_TURNS = select(
    players,
    select(func.count()).where(chairs.c.player == players.c.id, chairs.c.to_move).scalar_subquery(),
).where(players.c.id == OF)
KEEP_PLAYER = keep(players)

SESSION = select(web_sessions.c.data).where(
    web_sessions.c.sid_hash == bindparam("known_by"), web_sessions.c.expires > bindparam("now")
)
KEEP_SESSION = keep(web_sessions)
END_SESSION = delete(web_sessions).where(web_sessions.c.sid_hash == bindparam("known_by"))
PURGE_SESSIONS = delete(web_sessions).where(web_sessions.c.expires <= bindparam("now"))
