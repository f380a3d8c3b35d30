"""All that is ever said to the database, once and for all: to put a statement together takes longer than to
carry it out.  What differs from time to time is bound by name.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from sqlalchemy import (
    BindParameter,
    Connection,
    String,
    Table,
    bindparam,
    case,
    delete,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from strifebarge.table.table import RUNNING as RUNNING_STATES

from .schema import (
    chairs,
    invited,
    ladders,
    listings,
    moves,
    mutes,
    notes,
    ratings,
    receipts,
    records,
    said,
    secrets,
    seen,
    sitters,
    snapshots,
    stretches,
    tables,
    vacations,
    web_sessions,
)

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
TAKE_CHAIR_AWAY = delete(chairs).where(
    HERE, chairs.c.seat == bindparam("that"), chairs.c.beside == bindparam("place")
)

WITH_PLAYER = chairs.c.player == bindparam("player")
TABLES_OF = (
    select(tables.c.body)
    .where(tables.c.id.in_(select(chairs.c.table_id).where(WITH_PLAYER)))
    .order_by(tables.c.changed.desc(), tables.c.id)
)
RUNNING = (
    select(tables.c.id)
    .where(tables.c.status.in_([str(each) for each in RUNNING_STATES]))
    .order_by(tables.c.id)
)
TABLES_TO_MOVE = func.count(chairs.c.table_id.distinct())  # somebody may have several seats at one
WAITING_FOR = select(TABLES_TO_MOVE).where(WITH_PLAYER, chairs.c.to_move)

INVITE = invited.insert()
UNINVITE = delete(invited).where(invited.c.table_id == OF)
TABLES_INVITING = (
    select(tables.c.body)
    .join(invited, invited.c.table_id == tables.c.id)
    .where(invited.c.player == bindparam("player"), tables.c.status != "over")
    .order_by(tables.c.changed.desc(), tables.c.id)
    .limit(50)
)

KEEP_LISTING = keep(listings)
TAKE_OFF_LIST = delete(listings).where(listings.c.table_id == OF)
OPEN_TABLES = (
    select(tables.c.body)
    .join(listings, listings.c.table_id == tables.c.id)
    .where(
        listings.c.game.in_(bindparam("games", expanding=True)),
        listings.c.changed >= bindparam("since"),
        listings.c.free >= bindparam("free"),
        (bindparam("pace", type_=String) == "") | (listings.c.pace == bindparam("pace")),
        (bindparam("language", type_=String) == "") | (listings.c.language == bindparam("language")),
    )
    .order_by(listings.c.changed.desc(), listings.c.table_id)
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)

SEE = keep(seen)
SEEN = select(seen.c.player, seen.c.until).where(seen.c.table_id == OF)
DROP_SEEN = delete(seen).where(seen.c.table_id == OF, seen.c.player == bindparam("who"))
UNNAME_MOVES = (
    update(moves)
    .where(moves.c.table_id == OF, moves.c.seat == bindparam("where"), moves.c.by == bindparam("name"))
    .values(by=bindparam("flag"))
)
SILENT = select(tables.c.id).where(
    tables.c.status.in_(RUNNING_STATES), tables.c.changed <= bindparam("since")
)

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
NOTE = select(notes.c.text).where(
    notes.c.table_id == OF, notes.c.player == bindparam("whose"), notes.c.seat == bindparam("where")
)
KEEP_NOTE = keep(notes)
MUTED = select(mutes.c.other).where(mutes.c.player == bindparam("whose"))
MUTE = Both(mutes, lambda insert: insert.on_conflict_do_nothing())
UNMUTE = delete(mutes).where(mutes.c.player == bindparam("whose"), mutes.c.other == bindparam("whom"))

# -- time ------------------------------------------------------------------------

DUE = select(tables.c.id).where(tables.c.due <= bindparam("now")).order_by(tables.c.due).limit(200)
STRETCHES = select(stretches).where(stretches.c.number >= bindparam("first")).order_by(stretches.c.number)
NEWEST_STRETCH = select(stretches).order_by(stretches.c.number.desc()).limit(1)
# Of several who note the same, the first one does.
BEAT = (
    update(stretches)
    .where(stretches.c.number == bindparam("newest"), stretches.c.ended == bindparam("before"))
    .values(ended=bindparam("now"), allowed=bindparam("may_pass"))
)
BEGIN_STRETCH = Both(stretches, lambda insert: insert.on_conflict_do_nothing().returning(stretches.c.number))
VACATIONS = (
    select(vacations)
    .where(vacations.c.player.in_(bindparam("people", expanding=True)))
    .order_by(vacations.c.player, vacations.c.began)
)
KEEP_VACATION = keep(vacations)

# -- the books -------------------------------------------------------------------

ENTRIES = select(
    records.c.id,
    records.c.table_id.label("table"),
    records.c.game,
    records.c.kind,
    records.c.public,
    records.c.rated,
    records.c.series,
    records.c.ended,
)
ENTRY = ENTRIES.where(records.c.id == OF)
SERIES = ENTRIES.where(records.c.series == OF).order_by(records.c.ended, records.c.id)
RATED = ENTRIES.where(records.c.game == OF, records.c.rated.is_not(None)).order_by(records.c.rated)
WITH_PERSON = records.c.id.in_(select(sitters.c.record_id).where(sitters.c.player == bindparam("who")))
LATEST = (
    ENTRIES.where(WITH_PERSON, records.c.public == true())
    .order_by(records.c.ended.desc(), records.c.id)
    .limit(bindparam("most"))
)
WITH = (
    select(sitters.c.player, sitters.c.name)
    .join(records, records.c.id == sitters.c.record_id)
    .where(WITH_PERSON, sitters.c.player != bindparam("who"))
    .order_by(records.c.ended.desc(), records.c.id, sitters.c.seat)
    .limit(500)
)
SITTERS = (
    select(*sitters.c)
    .where(sitters.c.record_id.in_(bindparam("of", expanding=True)))
    .order_by(sitters.c.seat, sitters.c.player)
)
FIRST = (records.c.kind == "finished") & (sitters.c.place == 1)
TALLIES = (
    select(
        records.c.game,
        func.sum(case((records.c.kind == "finished", 1), else_=0)),
        func.sum(case((FIRST & ~sitters.c.shared, 1), else_=0)),
        func.sum(case((FIRST & sitters.c.shared, 1), else_=0)),
        func.sum(case((records.c.kind == "unfinished", 1), else_=0)),
    )
    .join(sitters, sitters.c.record_id == records.c.id)
    .where(sitters.c.player == bindparam("who"), records.c.public == true())
    .group_by(records.c.game)
    .order_by(records.c.game)
)
ENTER = records.insert()
ADD_SITTERS = sitters.insert()
NOTE_RATING = (
    update(sitters)
    .where(
        sitters.c.record_id == OF,
        sitters.c.seat == bindparam("where"),
        sitters.c.player == bindparam("who"),
    )
    .values(mu=bindparam("to_mu"), sigma=bindparam("to_sigma"))
)

# To count is to lock: until this transaction ends nobody else rates a game of this kind.
NEXT_RATED = Both(
    ladders,
    lambda insert: insert.on_conflict_do_update(
        index_elements=["game"], set_={"games": ladders.c.games + 1}
    ).returning(ladders.c.games),
)
LADDERS = select(ladders.c.game).order_by(ladders.c.game)
LOCK_LADDER = select(ladders.c.games).where(ladders.c.game == OF).with_for_update()
A_RATING = (ratings.c.mu, ratings.c.sigma, ratings.c.games)
RATINGS = select(ratings.c.player, *A_RATING).where(ratings.c.game == OF)
RATINGS_AMONG = RATINGS.where(ratings.c.player.in_(bindparam("people", expanding=True)))
RATINGS_OF = select(ratings.c.game, *A_RATING).where(ratings.c.player == bindparam("who"))
KEEP_RATING = keep(ratings)
DROP_RATINGS = delete(ratings).where(ratings.c.game == OF)

# -- the site itself -------------------------------------------------------------

SECRET = select(secrets.c.value).where(secrets.c.name == OF)
ADD_SECRET = Both(secrets, lambda insert: insert.on_conflict_do_nothing())

# -- sessions --------------------------------------------------------------------

SESSION = select(web_sessions.c.data).where(
    web_sessions.c.sid_hash == bindparam("known_by"), web_sessions.c.expires > bindparam("now")
)
KEEP_SESSION = keep(web_sessions)
END_SESSION = delete(web_sessions).where(web_sessions.c.sid_hash == bindparam("known_by"))
PURGE_SESSIONS = delete(web_sessions).where(web_sessions.c.expires <= bindparam("now"))
