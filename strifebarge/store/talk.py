"""The part of the tables' repository about talk: lines, private notes, and who reads whom."""

import msgspec
from sqlalchemy import Connection, bindparam, delete, select, update

from strifebarge.store.accounts import add_traces
from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import OF, Both, keep
from strifebarge.store.ledger import now_and_then
from strifebarge.store.schema import mutes, notes, said, tables
from strifebarge.store.tables import find_table
from strifebarge.tables.model import chat
from strifebarge.tables.model.chat import Room, Said

NEWEST_SAID = (
    select(*(column for column in said.c if column.name != "table_id"))
    .where(said.c.table_id == OF)
    .order_by(said.c.number.desc())
    .limit(100)
)
ADD_SAID = said.insert()
THAT_LINE = (said.c.table_id == OF, said.c.number == bindparam("that"))
STRIKE = update(said).where(*THAT_LINE).values(text="", phrase="", struck=True)
REPORT = update(said).where(*THAT_LINE).values(reported=bindparam("whether"))
REPORTED = select(said).where(said.c.reported, ~said.c.struck).order_by(said.c.at, said.c.table_id)
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


class SqlTalk(Repository):
    """Everything but saying something, which is part of a change of the table."""

    def lines(self, id: str) -> list[Said]:
        with self.reading() as connection:
            found = connection.execute(NEWEST_SAID, {"of": id}).all()
        return [Said(number, Room(room), *rest) for number, room, *rest in found][::-1]

    def reported(self) -> list[tuple[str, Said]]:
        """Return the reported lines that were not struck out, with their tables; the oldest first."""
        with self.reading() as connection:
            found = connection.execute(REPORTED).all()
        return [(table, Said(number, Room(room), *rest)) for table, number, room, *rest in found]

    def note(self, id: str, player: str, seat: int = -1) -> str:
        with self.reading() as connection:
            return connection.scalar(NOTE, {"of": id, "whose": player, "where": seat}) or ""

    def keep_note(self, id: str, player: str, text: str, seat: int = -1) -> None:
        """Keep what a player has noted at a table.  Raises Refused(NO_TABLE)."""
        with self.writing() as connection:
            find_table(connection, id)
            add_traces(connection, id, {player})
            values = {"table_id": id, "player": player, "text": text, "seat": seat}
            connection.execute(KEEP_NOTE(connection), values)

    def muted_by(self, player: str) -> frozenset[str]:
        return frozenset(self.scalars(MUTED, whose=player))

    def mute(self, player: str, other: str, muted: bool) -> None:
        """Let a player not read what another says at any table, or read it again."""
        with self.writing() as connection:
            if muted:
                connection.execute(MUTE(connection), {"player": player, "other": other})
            else:
                connection.execute(UNMUTE, {"whose": player, "whom": other})


def add_line(connection: Connection, table: str, line: Said) -> None:
    """Keep a line; now and then, throw away those of games that ended long ago."""
    if now_and_then():
        connection.execute(PURGE_SAID, {"before": line.at - chat.KEPT_FOR})
    connection.execute(ADD_SAID, {"table_id": table, **msgspec.structs.asdict(line)})
