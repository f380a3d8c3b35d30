"""The repository of the events that programs are told."""

from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import (
    BindParameter,
    Connection,
    Engine,
    bindparam,
    delete,
    exc,
    func,
    insert,
    select,
    union,
    update,
)

from strifebarge.people.models import IdentityRefusal
from strifebarge.rules import Refused
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF, DialectStatement, json, upsert
from strifebarge.store.schema import chairs, events, followed_tables, followers, tables
from strifebarge.tables.model.subscriptions import (
    KEPT_FOR,
    MOST_KEPT,
    EventFacts,
    Follower,
    FollowState,
    SentEvent,
    WrittenEvents,
)
from strifebarge.tables.model.table import Table

WHOSE: BindParameter[str] = bindparam("whose")
FOLLOWER = PreparedStatement(select(followers).where(followers.c.token == WHOSE))
FOLLOWED = PreparedStatement(
    select(followed_tables).where(followed_tables.c.token == WHOSE).order_by(followed_tables.c.table_id)
)
BEGIN = DialectStatement(followers, lambda insert: insert.on_conflict_do_nothing())
PLAYED_BY = (
    select(tables.c.id, tables.c.revision)
    .join(chairs, chairs.c.table_id == tables.c.id)
    .where(chairs.c.player == bindparam("player"), tables.c.status != "over")
)
FOLLOWED_BY = (
    select(tables.c.id, tables.c.revision)
    .join(followed_tables, followed_tables.c.table_id == tables.c.id)
    .where(followed_tables.c.token == WHOSE)
)
REVISIONS_FOR = PreparedStatement(
    union(PLAYED_BY, FOLLOWED_BY).order_by("id")
)  # PostgreSQL takes an OR for a scan
# Until the transaction ends the table is not deleted, nor anybody erased there, but moves are made.
HOLD_TABLE = PreparedStatement(
    select(tables.c.revision).where(tables.c.id == OF).with_for_update(read=True, key_share=True)
)
DROP_FOLLOWERS = delete(followers).where(
    followers.c.token.in_(
        union(
            select(followed_tables.c.token).where(followed_tables.c.table_id == OF),
            select(events.c.token).where(events.c.table_id == OF),
        )
    )
)
BLANK_EVENTS = update(events).where(events.c.table_id == OF).values(body="")
BLANK_STATES = update(followed_tables).where(followed_tables.c.table_id == OF).values(state=None)
OLD_FOLLOWERS = PreparedStatement(
    select(followers.c.token).where(followers.c.last_seen < bindparam("before")).limit(2)
)
DROP_FOLLOWER = PreparedStatement(
    delete(followers).where(followers.c.token == WHOSE, followers.c.last_seen < bindparam("before"))
)
EVENTS_AFTER = PreparedStatement(
    select(events.c.number, events.c.at, events.c.body, events.c.table_id)
    .where(events.c.token == WHOSE, events.c.number > bindparam("after"))
    .order_by(events.c.number)
    .limit(bindparam("most"))
)
ADD_EVENTS = PreparedStatement(insert(events))
OLDEST = PreparedStatement(
    select(events.c.at).where(events.c.token == WHOSE).order_by(events.c.number).limit(1)
)
NEWEST_OLD = select(func.max(events.c.number)).where(
    events.c.token == WHOSE, events.c.at < bindparam("before")
)
DROP_EVENTS = delete(events).where(events.c.token == WHOSE, events.c.number <= bindparam("upto"))
TELL = PreparedStatement(
    update(followers)
    .where(followers.c.token == WHOSE, followers.c.revision == bindparam("before"))
    .values({name: bindparam(f"new_{name}") for name in ("number", "floor", "revision", "last_seen")})
)
KEEP_FOLLOWED = PreparedStatement(upsert(followed_tables))
UNFOLLOW = delete(followed_tables).where(followed_tables.c.token == WHOSE, followed_tables.c.table_id == OF)


class SqlSubscriptions(AutoTransaction):
    """Implements `strifebarge.tables.model.subscriptions.SubscriptionRepository` in an SQL database."""

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self.begun: Callable[[str, str, Table], object] | None = None

    def follower(self, token: str) -> tuple[Follower, list[FollowState]] | None:
        with self.reading() as connection:
            follower_row = FOLLOWER.execute(connection, {"whose": token}).fetchone()
            rows = FOLLOWED.execute(connection, {"whose": token}).fetchall() if follower_row else []
        return (_follower(*follower_row), [_followed(*row) for row in rows]) if follower_row else None

    def begin(self, follower: Follower) -> None:
        with self.writing() as connection:
            try:
                connection.execute(BEGIN(connection), msgspec.structs.asdict(follower))
            except exc.IntegrityError as gone:
                raise Refused(IdentityRefusal.GONE) from gone

    def revisions_for(self, token: str, player: str) -> dict[str, int]:
        with self.reading() as connection:
            rows = REVISIONS_FOR.execute(connection, {"whose": token, "player": player}).fetchall()
        return {id: revision for id, revision in rows}

    def events_after(self, token: str, after: int, most: int) -> list[SentEvent]:
        with self.reading() as connection:
            rows = EVENTS_AFTER.execute(connection, {"whose": token, "after": after, "most": most}).fetchall()
        return [SentEvent(number=number, at=at, body=body, table=id) for number, at, body, id in rows]

    def write_events(self, before: Follower, written: WrittenEvents, now: float) -> Follower | None:
        events, followed, dropped, begun = written
        whose = {"whose": before.token}
        number = events[-1].number if events else before.number
        with self.writing() as connection:
            # First the tables, then the token, as in erasing: otherwise each could wait for the other.
            in_order = sorted(followed, key=lambda each: each.table)
            if not all(_stands(connection, each, begun) for each in in_order):
                return None
            floor = max(before.floor, number - MOST_KEPT, _too_old(connection, before.token, now - KEPT_FOR))
            new = {
                "new_number": number,
                "new_floor": floor,
                "new_revision": before.revision + 1,
                "new_last_seen": now,
            }
            if TELL.execute(connection, {**whose, "before": before.revision, **new}).rowcount != 1:
                return None
            if floor > before.floor:
                connection.execute(DROP_EVENTS, {**whose, "upto": floor})
            if events:
                ADD_EVENTS.execute_many(connection, [_event_row(before.token, each) for each in events])
            if followed:
                KEEP_FOLLOWED.execute_many(connection, [_row(before.token, each) for each in followed])
            for id in dropped:
                connection.execute(UNFOLLOW, {**whose, "of": id})
        return msgspec.structs.replace(
            before, number=number, floor=floor, revision=before.revision + 1, last_seen=now
        )

    def purge(self, before: float) -> None:
        with self.reading() as connection:
            tokens = OLD_FOLLOWERS.execute(connection, {"before": before}).fetchall()
        if not tokens:
            return
        with self.writing() as connection:
            for (token,) in sorted(tokens):
                DROP_FOLLOWER.execute(connection, {"whose": token, "before": before})


def _stands(connection: Connection, each: FollowState, begun: set[str]) -> bool:
    """Return whether a table is there, and as it was read if it was not followed until now.

    Erasing a person ends what follows their tables, which cannot be seen where it is not kept yet.
    """
    row = HOLD_TABLE.execute(connection, {"of": each.table}).fetchone()
    return row is not None and (each.table not in begun or row[0] == each.revision)


def _too_old(connection: Connection, token: str, before: float) -> int:
    """Return the number of the newest event that is older than a moment, or 0."""
    oldest = OLDEST.execute(connection, {"whose": token}).fetchone()
    if oldest is None or oldest[0] >= before:
        return 0
    return connection.scalar(NEWEST_OLD, {"whose": token, "before": before}) or 0


def _follower(
    token: str, language: str, number: int, floor: int, revision: int, last_seen: float
) -> Follower:
    return Follower(
        token=token, language=language, number=number, floor=floor, revision=revision, last_seen=last_seen
    )


def _followed(
    token: str, table: str, revision: int, seat: int | None, facts: str, state: bytes | None
) -> FollowState:
    old_facts = msgspec.json.decode(facts, type=EventFacts)
    return FollowState(table=table, revision=revision, seat=seat, facts=old_facts, packed=state)


def _event_row(token: str, each: SentEvent) -> dict[str, Any]:
    return {"token": token, "number": each.number, "at": each.at, "table_id": each.table, "body": each.body}


def _row(token: str, each: FollowState) -> dict[str, Any]:
    return {
        "token": token,
        "table_id": each.table,
        "revision": each.revision,
        "seat": each.seat,
        "facts": json(each.facts),
        "state": each.packed,
    }


# -- inside the change of a table ------------------------------------------------------


def forget_told(connection: Connection, id: str) -> None:
    """Delete all that was told to programs which follow a table, or did: it names somebody who is erased.

    They are told that the events they know are too old, and begin anew.
    """
    connection.execute(DROP_FOLLOWERS, {"of": id})


def blank_told(connection: Connection, id: str) -> None:
    """Delete the words of events of a table that is deleted: erasing a person later would not find them."""
    connection.execute(BLANK_EVENTS, {"of": id})
    connection.execute(BLANK_STATES, {"of": id})
