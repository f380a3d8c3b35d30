"""The part of the tables' repository about talk: lines, private notes, and who reads whom."""

from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from strifebarge.store.accounts import add_traces
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import OF, DialectStatement, upsert
from strifebarge.store.ledger import now_and_then
from strifebarge.store.schema import chat_messages, mutes, notes, tables
from strifebarge.store.tables import find_table
from strifebarge.tables.model import chat
from strifebarge.tables.model.chat import ChatMessage, Room

NEWEST_SAID = PreparedStatement(
    select(*(column for column in chat_messages.c if column.name != "table_id"))
    .where(chat_messages.c.table_id == OF)
    .order_by(chat_messages.c.number.desc())
    .limit(100)
)
ADD_SAID = chat_messages.insert()
THAT_LINE = (chat_messages.c.table_id == OF, chat_messages.c.number == bindparam("that"))
STRIKE = update(chat_messages).where(*THAT_LINE).values(text="", phrase="", deleted=True)
REPORT = update(chat_messages).where(*THAT_LINE).values(reported=bindparam("whether"))
REPORTED = (
    select(chat_messages)
    .where(chat_messages.c.reported, ~chat_messages.c.deleted)
    .order_by(chat_messages.c.at, chat_messages.c.table_id)
)
PURGE_SAID = delete(chat_messages).where(
    chat_messages.c.table_id.in_(select(tables.c.id).where(tables.c.ended < bindparam("before")))
)

NOTE = PreparedStatement(
    select(notes.c.text).where(
        notes.c.table_id == OF, notes.c.player == bindparam("whose"), notes.c.seat == bindparam("where")
    )
)
KEEP_NOTE = upsert(notes)

MUTED = PreparedStatement(select(mutes.c.other).where(mutes.c.player == bindparam("whose")))
MUTE = DialectStatement(mutes, lambda insert: insert.on_conflict_do_nothing())
UNMUTE = delete(mutes).where(mutes.c.player == bindparam("whose"), mutes.c.other == bindparam("whom"))


class SqlTalk(Repository):
    """Everything but saying something, which is part of a change of the table."""

    def lines(self, id: str) -> list[ChatMessage]:
        with self.reading() as connection:
            rows = NEWEST_SAID.execute(connection, {"of": id}).fetchall()
        return [line_of(*row[:8], bool(row[8]), bool(row[9])) for row in reversed(rows)]

    def reported(self) -> list[tuple[str, ChatMessage]]:
        """Return the reported lines that were not struck out, with their tables; the oldest first."""
        with self.reading() as connection:
            rows = connection.execute(REPORTED).all()
        return [(table, line_of(*line)) for table, *line in rows]

    def note(self, id: str, player: str, seat: int = -1) -> str:
        with self.reading() as connection:
            row = NOTE.execute(connection, {"of": id, "whose": player, "where": seat}).fetchone()
        return row[0] if row else ""

    def keep_note(self, id: str, player: str, text: str, seat: int = -1) -> None:
        """Keep what a player has noted at a table.  Raises Refused(NO_TABLE)."""
        with self.writing() as connection:
            find_table(connection, id)
            add_traces(connection, id, {player})
            values = {"table_id": id, "player": player, "text": text, "seat": seat}
            connection.execute(KEEP_NOTE(connection), values)

    def muted_by(self, player: str) -> frozenset[str]:
        with self.reading() as connection:
            return frozenset(other for (other,) in MUTED.execute(connection, {"whose": player}).fetchall())

    def mute(self, player: str, other: str, muted: bool) -> None:
        """Let a player not read what another says at any table, or read it again."""
        with self.writing() as connection:
            if muted:
                connection.execute(MUTE(connection), {"player": player, "other": other})
            else:
                connection.execute(UNMUTE, {"whose": player, "whom": other})


def line_of(number: int, room: str, *rest: Any) -> ChatMessage:
    return ChatMessage(number, Room(room), *rest)


def add_line(connection: Connection, table: str, line: ChatMessage) -> None:
    """Keep a line; now and then, throw away those of games that ended long ago."""
    if now_and_then():
        connection.execute(PURGE_SAID, {"before": line.at - chat.KEPT_FOR})
    connection.execute(ADD_SAID, {"table_id": table, **msgspec.structs.asdict(line)})
