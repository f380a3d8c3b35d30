"""Statements about people, their devices and accounts, put together once."""

from sqlalchemy import BindParameter, bindparam, delete, func, null, or_, select, update

from strifebarge.store.db.statements import OF, DialectStatement, upsert
from strifebarge.store.schema import (
    accounts,
    chairs,
    chat_messages,
    device_codes,
    devices,
    mutes,
    notes,
    nudges,
    page_visits,
    passkeys,
    personal_links,
    players,
    presence,
    ratings,
    receipts,
    record_players,
    records,
    tables,
    tokens,
    tournament_receipts,
    traces,
    vacations,
)
from strifebarge.tables.model.status import Status

WHO: BindParameter[str] = bindparam("who")
NEW: BindParameter[str] = bindparam("new")
NOW: BindParameter[float] = bindparam("now")

# -- people ----------------------------------------------------------------------

A_PLAYER = (
    *(players.c.id, players.c.name, players.c.created),
    *(players.c.preferences, players.c.gone, players.c.ban),
)
PLAYER = select(*A_PLAYER).where(players.c.id == OF, players.c.gone == "")
PERSON = select(*A_PLAYER).where(players.c.public == OF, players.c.gone != "moved")
TABLES_TO_MOVE = func.count(chairs.c.table_id.distinct())  # somebody may have several seats at one
TURNS = select(TABLES_TO_MOVE).where(chairs.c.player == players.c.id, chairs.c.to_move).scalar_subquery()
LOCK_PLAYER = PLAYER.with_for_update()

# A person who was erased stays so: a form that was on its way must not bring them back.
KEEP_PLAYER = DialectStatement(
    players,
    lambda insert: insert.on_conflict_do_update(
        index_elements=["id"], set_={"name": insert.excluded.name}, where=players.c.gone == ""
    ).returning(players.c.id),
)
ADD_PLAYER = DialectStatement(players, lambda insert: insert.on_conflict_do_nothing().returning(players.c.id))
PREFER = update(players).where(players.c.id == OF).values(preferences=bindparam("wanted"))
RETIRE = (
    update(players)
    .where(players.c.id == OF)
    .values(name="", created=0, preferences="{}", gone="moved", ban=null(), public=bindparam("nowhere"))
)
UNFINISHED = (
    select(chairs.c.table_id)
    .join(tables, tables.c.id == chairs.c.table_id)
    .where(chairs.c.player == WHO, tables.c.status != Status.OVER)
    .distinct()
    .order_by(chairs.c.table_id)
)
NAMES = select(players.c.id, players.c.name).where(players.c.id.in_(bindparam("people", expanding=True)))

# -- devices -----------------------------------------------------------------------

DEVICES = select(devices).where(devices.c.player == WHO).order_by(devices.c.last_seen.desc(), devices.c.id)
ADD_DEVICE = devices.insert()
SEEN = update(devices).where(devices.c.id == OF).values(last_seen=NOW)
END_DEVICES = delete(devices).where(devices.c.player == WHO)
END_DEVICE = END_DEVICES.where(devices.c.id == OF)
END_OTHERS = END_DEVICES.where(devices.c.id != OF)
END_OLD = END_DEVICES.where(devices.c.last_seen < NOW)

# -- accounts ------------------------------------------------------------------------

ACCOUNT = select(accounts).where(accounts.c.login == OF)
ACCOUNT_OF = select(accounts).where(accounts.c.player == WHO)
ADD_ACCOUNT = DialectStatement(
    accounts,
    # Of two whose names look alike at once, the second meets the index of either.
    lambda insert: insert.on_conflict_do_nothing().returning(accounts.c.player),
)
SET_PASSWORD = (
    update(accounts)
    .where(accounts.c.player == WHO, accounts.c.password == bindparam("before"))
    .values(password=bindparam("after"), changed=NOW)
)
DROP_ACCOUNT = delete(accounts).where(accounts.c.player == WHO)

PASSKEYS = select(passkeys).where(passkeys.c.player == WHO).order_by(passkeys.c.since, passkeys.c.id)
PASSKEY = select(passkeys).where(passkeys.c.id == OF)
ADD_PASSKEY = DialectStatement(
    passkeys, lambda insert: insert.on_conflict_do_nothing().returning(passkeys.c.id)
)
USED_PASSKEY = (
    update(passkeys)
    .where(passkeys.c.id == OF, passkeys.c.uses == bindparam("before"))
    .values(uses=bindparam("after"), last_used=NOW)
)
DROP_PASSKEY = delete(passkeys).where(passkeys.c.player == WHO, passkeys.c.id == OF)
DROP_PASSKEYS = delete(passkeys).where(passkeys.c.player == WHO)

# -- codes for a second device -----------------------------------------------------

ADD_CODE = device_codes.insert()
DROP_CODES = delete(device_codes).where(or_(device_codes.c.player == WHO, device_codes.c.expires <= NOW))
SPEND_CODE = (
    update(device_codes)
    .where(
        device_codes.c.code_hash == OF,
        device_codes.c.expires > NOW,
        or_(device_codes.c.used_by.is_(None), device_codes.c.used_by == bindparam("form")),
    )
    .values(used_by=bindparam("form"))
    .returning(device_codes.c.player)
)

LINK_OF = select(personal_links).where(personal_links.c.player == WHO)
KEEP_LINK = upsert(personal_links)
DROP_LINK = delete(personal_links).where(personal_links.c.player == WHO)
DROP_TOKENS = delete(tokens).where(tokens.c.player == WHO)

FIRST_USE = DialectStatement(
    device_codes, lambda insert: insert.on_conflict_do_nothing().returning(device_codes.c.code_hash)
)

# -- what is kept of somebody, and where ---------------------------------------------

TRACES = select(traces.c.table_id).where(traces.c.player == WHO).order_by(traces.c.table_id)
ADD_TRACE = DialectStatement(traces, lambda insert: insert.on_conflict_do_nothing())
DROP_TRACE = delete(traces).where(traces.c.table_id == OF, traces.c.player == WHO)
SAID_BY = (
    select(chat_messages.c.table_id, chat_messages.c.text, chat_messages.c.phrase, chat_messages.c.at)
    .where(
        chat_messages.c.table_id.in_(TRACES.order_by(None)),
        chat_messages.c.player == WHO,
        ~chat_messages.c.deleted,
    )
    .order_by(chat_messages.c.at)
)
NOTES_OF = (
    select(notes.c.table_id, notes.c.text, notes.c.seat)
    .where(notes.c.table_id.in_(TRACES.order_by(None)), notes.c.player == WHO)
    .order_by(notes.c.table_id, notes.c.seat)
)
AGE_RECEIPTS = (
    update(receipts)
    .where(receipts.c.table_id.in_(TRACES.order_by(None)), receipts.c.player == WHO)
    .values(at=receipts.c.at - bindparam("by", type_=receipts.c.at.type))
)
MARKS = {
    "here": select(presence.c.table_id, presence.c.until).where(presence.c.player == WHO),
    "looked": select(page_visits.c.table_id, page_visits.c.at).where(page_visits.c.player == WHO),
    "form": select(receipts.c.table_id, receipts.c.at)
    .where(receipts.c.table_id.in_(TRACES.order_by(None)), receipts.c.player == WHO)
    .order_by(receipts.c.at),
    "tournament": select(null(), tournament_receipts.c.at).where(tournament_receipts.c.player == WHO),
    "nudged": select(null(), nudges.c.at).where(nudges.c.player == WHO),
    "code": select(null(), device_codes.c.expires).where(
        device_codes.c.player == WHO, device_codes.c.used_by.is_(None)
    ),
}
RATED_GAMES = select(ratings.c.game).where(ratings.c.player == WHO)

# What stands beside a table, and has only to be called another's.
HAND_OVER = {
    kind: update(kind).where(kind.c.table_id == OF, kind.c.player == WHO).values(player=NEW)
    for kind in (chat_messages, receipts)
}
NOTES_HERE = select(notes.c.seat, notes.c.text).where(notes.c.table_id == OF, notes.c.player == WHO)
KEEP_NOTE = upsert(notes)
DROP_NOTE = delete(notes).where(notes.c.table_id == OF, notes.c.player == WHO)
MOVE_SITTER = (
    update(record_players)
    .where(record_players.c.record_id == OF, record_players.c.player == WHO)
    .values(player=NEW)
)
both = record_players.alias()
DROP_DOUBLE = delete(record_players).where(
    record_players.c.record_id == OF,
    record_players.c.player == WHO,
    record_players.c.seat.in_(select(both.c.seat).where(both.c.record_id == OF, both.c.player == NEW)),
)
UNNAME_SITTER = (
    update(record_players)
    .where(
        record_players.c.record_id == OF,
        record_players.c.player == WHO,
        record_players.c.seat == bindparam("where"),
    )
    .values(name=bindparam("flag"))
)
FORGET_SAID = (
    update(chat_messages)
    .where(chat_messages.c.table_id == OF, chat_messages.c.player == WHO)
    .values(text="", phrase="", name="", deleted=True)
)

# -- between people ------------------------------------------------------------------

MUTES = select(mutes).where(or_(mutes.c.player == WHO, mutes.c.other == WHO))
DROP_MUTES = delete(mutes).where(or_(mutes.c.player == WHO, mutes.c.other == WHO))
DROP_VACATIONS = delete(vacations).where(vacations.c.player == WHO)
ADD_MUTE = DialectStatement(mutes, lambda insert: insert.on_conflict_do_nothing())

# Each finds something where one person's rating cannot simply be called another's, and all must be made anew:
# the other has one too, somebody else was on their side, or not all of its games have gone over.
HAS_RATING = select(ratings.c.games).where(ratings.c.game == OF, ratings.c.player == NEW)
teammates = record_players.alias()
WITH_OTHERS = (
    select(record_players.c.record_id)
    .join(records, records.c.id == record_players.c.record_id)
    .join(
        teammates,
        (teammates.c.record_id == record_players.c.record_id) & (teammates.c.team == record_players.c.team),
    )
    .where(
        record_players.c.player == NEW,
        teammates.c.player != NEW,
        records.c.game == OF,
        records.c.rated.is_not(None),
    )
    .limit(1)
)
RATED_IN = (
    select(func.count(record_players.c.record_id.distinct()))
    .join(records, records.c.id == record_players.c.record_id)
    .where(record_players.c.player == NEW, records.c.game == OF, records.c.rated.is_not(None))
)
SPLIT = select(ratings.c.games).where(
    ratings.c.game == OF, ratings.c.player == WHO, ratings.c.games != RATED_IN.scalar_subquery()
)
MOVE_RATING = update(ratings).where(ratings.c.game == OF, ratings.c.player == WHO).values(player=NEW)
