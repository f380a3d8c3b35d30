"""The one statement in which a request asks about a table, for each of three kinds of requests.

Its parts have the same columns: the name of the part, texts, integers and times, those not needed empty.
"""

from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Double,
    Integer,
    LargeBinary,
    Text,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal_column,
    null,
    or_,
    select,
    union_all,
)

from strifebarge.store.accounts_statements import TABLES_TO_MOVE
from strifebarge.store.clocks import NEWEST_UPTIME
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.statements import OF
from strifebarge.store.schema import (
    chairs,
    devices,
    moves,
    mutes,
    notes,
    players,
    presence,
    receipts,
    spectators,
    subscribers,
    tables,
    vacations,
    web_sessions,
)
from strifebarge.store.talk import NEWEST_SAID
from strifebarge.tables.model.ports import PrefetchKind

WHO: BindParameter[str] = bindparam("who")
NOW: BindParameter[float] = bindparam("now", type_=Double())
KNOWN_REVISION: BindParameter[int] = bindparam(
    "known", type_=Integer()
)  # the revision whose chat is known already


class PrefetchedRow(NamedTuple):
    """One row, of any part."""

    part: str
    text: Any  # of a part that has texts, the first
    text1: Any
    text2: Any
    text3: Any
    text4: Any
    number: Any
    number1: Any
    time: Any  # seconds since 1970
    time1: Any
    time2: Any


KINDS: dict[str, tuple[int, Any]] = {"text": (5, Text()), "number": (2, Integer()), "time": (3, Double())}


def part(name: str, **columns: tuple[Any, ...]) -> Any:
    """Return a SELECT that finds rows of one part: its columns by their kinds, and none for the others."""
    selected: list[Any] = [literal_column(f"'{name}'", Text()).label("part")]
    for kind, (many, type_) in KINDS.items():
        of_kind = columns.get(kind, ())
        none: list[Any] = [cast(null(), type_)] * (many - len(of_kind))
        selected += [column.label(f"{kind}{number or ''}") for number, column in enumerate((*of_kind, *none))]
    return select(*selected)


CHAIR_PLAYERS = select(chairs.c.player).where(chairs.c.table_id == OF)
REVISION = select(tables.c.revision).where(tables.c.id == OF).scalar_subquery()
uptime = NEWEST_UPTIME.subquery().c
line = NEWEST_SAID.where(REVISION != KNOWN_REVISION).subquery().c

PERSON = (
    part(
        "person",
        text=(players.c.id, players.c.name, players.c.preferences, players.c.gone, players.c.ban),
        number=(select(TABLES_TO_MOVE).where(chairs.c.player == WHO, chairs.c.to_move).scalar_subquery(),),
        time=(players.c.created, devices.c.last_seen),
    )
    .select_from(players.join(devices, devices.c.player == players.c.id))
    .where(players.c.id == WHO, players.c.gone == "", devices.c.id == bindparam("by"))
)
TABLE = part("table", text=(tables.c.body,), number=(tables.c.revision,)).where(tables.c.id == OF)
PRESENCE = part("presence", text=(presence.c.player,), time=(presence.c.until,)).where(
    presence.c.table_id == OF
)
UPTIME = part("uptime", number=(uptime.number,), time=(uptime.began, uptime.ended, uptime.allowed))
VACATIONS = part("vacation", text=(vacations.c.player,), time=(vacations.c.began, vacations.c.until)).where(
    vacations.c.player.in_(CHAIR_PLAYERS)
)
SPECTATORS = (
    part("spectators", number=(func.count(),))
    .select_from(spectators)
    .where(spectators.c.table_id == OF, spectators.c.until >= NOW)
)
TALK = part(
    "chat",
    text=(line.room, line.player, line.name, line.text, line.phrase),
    number=(
        4 * line.number + case((line.deleted, 1), else_=0) + case((line.reported, 2), else_=0),
        line.seat,
    ),
    time=(line.at,),
)
MUTED = part("muted", text=(mutes.c.other,)).where(mutes.c.player == WHO)
NOTES = part("note", text=(notes.c.text,), number=(notes.c.seat,)).where(
    notes.c.table_id == OF, notes.c.player == WHO
)
SUBSCRIBERS = part("subscriber", text=(subscribers.c.player, subscribers.c.body)).where(
    subscribers.c.player.in_(CHAIR_PLAYERS)
)
RECEIPT = part(
    "receipt",
    text=(receipts.c.key, receipts.c.player, receipts.c.table_id, receipts.c.digest),
    number=(receipts.c.number,),
    time=(receipts.c.at,),
).where(receipts.c.key == bindparam("used"))

# The session of who asks, if it is as it is remembered.
SESSION = part("session").where(
    exists().where(
        web_sessions.c.sid_hash == bindparam("session"),
        web_sessions.c.data == bindparam("session_data", type_=LargeBinary()),
        web_sessions.c.expires > NOW,
    )
)

# Rows of the ledger after a place.
SINCE: BindParameter[int] = bindparam("since", type_=Integer())
MOVES = part(
    "move",
    text=(moves.c.action, moves.c.log, moves.c.fingerprint, moves.c.by),
    number=(moves.c.number, moves.c.seat),
    time=(moves.c.at, cast(moves.c.step, Double()), cast(case((moves.c.final, 1), else_=0), Double())),
).where(
    moves.c.table_id == OF,
    moves.c.number >= SINCE,
    or_(moves.c.number > SINCE, moves.c.step > bindparam("step", type_=Integer())),
)

NEWS = (SESSION, PERSON, TABLE, PRESENCE, UPTIME, VACATIONS)
STATEMENTS = {
    PrefetchKind.NEWS: PreparedStatement(union_all(*NEWS)),
    PrefetchKind.PAGE: PreparedStatement(
        union_all(*NEWS, SPECTATORS, TALK, MUTED, NOTES, SUBSCRIBERS, MOVES)
    ),
    PrefetchKind.FORM: PreparedStatement(union_all(*NEWS, SUBSCRIBERS, RECEIPT, MOVES)),
}
