"""The change of one table: one transaction, with whatever of the other chapters belongs into it."""

import msgspec
from sqlalchemy import Connection, bindparam, update

from strifebarge.rules import Refused
from strifebarge.rules.match import Snapshot
from strifebarge.table.chat import Said
from strifebarge.table.entry import Entry, Rating
from strifebarge.table.letters import Letter, Reader
from strifebarge.table.ports import Player, Receipt, Row
from strifebarge.table.table import Chair, No, Table

from . import books, ledger, outbox, people, talk
from .clocks import SqlClocks
from .ledger import SqlLedger
from .part import Within
from .schema import moves
from .statements import OF
from .table import add_table, beside, decode_table, write_table
from .talk import SqlTalk

UNNAME_MOVES = (
    update(moves)
    .where(moves.c.table_id == OF, moves.c.seat == bindparam("where"), moves.c.by == bindparam("name"))
    .values(by=bindparam("flag"))
)


class SqlChange(SqlLedger, SqlTalk, SqlClocks, Within):
    """One transaction on one table, as the port has it.

    What it is given is in the database at once, and there for others when the transaction ends.
    """

    def __init__(self, connection: Connection, table: Table):
        super().__init__(connection)
        self.table = table
        self.revision = table.revision
        self.body = msgspec.json.encode(table)
        self.beside = beside(table)
        self.met: set[str] = set()
        self.more = False  # something was written beside the table

    def write(self) -> None:
        """The table as it is now, if there is anything new."""
        if self.more or msgspec.json.encode(self.table) != self.body:
            self.table.revision = self.revision + 1
            write_table(self.connection, self.table, self.beside, self.met)

    # -- what happens at it ------------------------------------------------------

    def give_receipt(self, receipt: Receipt) -> None:
        self.more = True
        if not ledger.add_receipt(self.connection, receipt):  # given at another table since we looked
            raise Refused(No.KEY_REUSED)
        self.met.add(receipt.player)

    def append(self, rows: list[Row]) -> None:
        if rows:
            self.more = True
            ledger.add_rows(self.connection, self.table.id, rows)

    def keep(self, snapshot: Snapshot) -> None:
        self.more = True
        ledger.add_snapshot(self.connection, self.table.id, snapshot)

    def add(self, table: Table) -> None:
        add_table(self.connection, table)

    # -- what is said there ------------------------------------------------------

    def say(self, line: Said) -> None:
        self.more = True
        talk.add_line(self.connection, self.table.id, line)
        self.met.add(line.player)

    def strike(self, number: int) -> None:
        self.more = True
        self.connection.execute(talk.STRIKE, {"of": self.table.id, "that": number})

    def report(self, number: int) -> None:
        self.more = True
        self.connection.execute(talk.REPORT, {"of": self.table.id, "that": number})

    # -- the books ---------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        self.more = True
        books.enter(self.connection, entry)

    def next_rated(self, game: str) -> int:
        return books.next_rated(self.connection, game)

    def ratings(self, game: str, players: list[str]) -> dict[str, Rating]:
        return books.ratings_among(self.connection, game, players)

    def rate(self, game: str, ratings: dict[str, Rating]) -> None:
        books.keep_ratings(self.connection, game, ratings)

    # -- letters -----------------------------------------------------------------

    def readers(self, players: list[str]) -> dict[str, Reader]:
        return outbox.readers_among(self.connection, players)

    def letters(self) -> list[Letter]:
        return outbox.letters_of(self.connection, self.table.id)

    def write_letter(self, letter: Letter) -> None:
        outbox.keep_letter(self.connection, letter)

    def drop_letters(self, ids: list[str]) -> None:
        outbox.drop_letters(self.connection, ids)

    def note_nudge(self, player: str, now: float, since: float) -> float | None:
        return outbox.note_nudge(self.connection, player, now, since)

    # -- people ------------------------------------------------------------------

    def save_player(self, player: Player) -> None:
        people.keep_player(self.connection, player)

    def must_be_here(self, player: str) -> None:
        people.must_be_here(self.connection, player)

    def pass_on(self, old: str, new: str) -> None:
        self.more = True
        people.pass_on(self.connection, self.table.id, self.table.record, old, new)

    def forget(self, player: str, former: Player) -> None:
        self.more = True
        flags = [Chair(chair.seat).called for chair in self.table.chairs]
        people.forget(self.connection, self.table.id, self.table.record, player, flags)
        self._unname_moves(player, flags)
        people.add_player(self.connection, former)
        self.pass_on(player, former.id)

    def _unname_moves(self, player: str, flags: list[str]) -> None:
        """Where several play a seat it is kept by name who of them has moved."""
        before = decode_table(self.body)
        called = {
            (chair.seat, name)
            for chair in before.chairs
            for each, name in (*chair.people, *chair.sat.items())
            if each == player
        }
        for seat, name in called:
            values = {"of": self.table.id, "where": seat, "name": name, "flag": flags[seat]}
            self.connection.execute(UNNAME_MOVES, values)
