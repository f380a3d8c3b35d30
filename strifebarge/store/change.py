"""The change of one table: read first, then written in one transaction with all that belongs to it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, bindparam, select, update

from strifebarge.notifications.models import Notification, Subscriber
from strifebarge.results.models import Entry, Rating
from strifebarge.rules import Refused
from strifebarge.rules.ledger import Snapshot
from strifebarge.store import accounts as people
from strifebarge.store import ledger, talk
from strifebarge.store import notifications as outbox
from strifebarge.store import results as books
from strifebarge.store.audit import SqlAuditLog
from strifebarge.store.bots import count_games
from strifebarge.store.clocks import SqlClocks
from strifebarge.store.db import engine as database
from strifebarge.store.db.repository import InTransaction
from strifebarge.store.db.statements import OF, json
from strifebarge.store.entrants import end_game
from strifebarge.store.ledger import SqlLedger
from strifebarge.store.schema import moves, receipts, tables
from strifebarge.store.subscriptions import blank_told, forget_told
from strifebarge.store.tables import (
    DELETE_TABLE,
    IndexRows,
    add_table,
    decode_table,
    index_rows,
    write_index_rows,
    write_table,
)
from strifebarge.store.talk import SqlTalk
from strifebarge.tables.model.chat import ChatMessage
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Busy, Outdated, Receipt, Row
from strifebarge.tables.model.table import Chair, Table, TableRefusal
from strifebarge.tournaments.models import GameOutcome

RENAME_MOVES = (
    update(moves)
    .where(moves.c.table_id == OF, moves.c.seat == bindparam("where"), moves.c.by == bindparam("name"))
    .values(by=bindparam("new"))
)


# A table and the receipt of a form, as they stood at one moment.
DRAFT = (
    select(tables.c.body, receipts)
    .select_from(tables.outerjoin(receipts, receipts.c.key == bindparam("used")))
    .where(tables.c.id == OF)
)
REVISION = select(tables.c.revision).where(tables.c.id == OF)
LOCK_REVISION = REVISION.with_for_update()  # on SQLite the whole database is locked already


STANDING = (
    select(tables.c.revision, receipts.c.key)
    .select_from(tables.outerjoin(receipts, receipts.c.key == bindparam("used")))
    .where(tables.c.id == OF)
)


class SqlDraft:
    """A table as it was read; what becomes of it is written if it still stands like that."""

    def __init__(
        self,
        engine: Engine,
        body: str,
        receipt: Receipt | None,
        subscribers: Callable[[list[str]], dict[str, Subscriber] | None],
    ):
        self.engine = engine
        self.on_change: Callable[[Table], object] | None = None  # called with the table, once it is written
        self.body = body
        self.receipt = receipt
        self.subscribers = subscribers  # those among some people, if they were read with the table
        self.table = decode_table(body)
        self.revision = self.table.revision
        self.index_rows = index_rows(self.table)

    @classmethod
    def read(cls, engine: Engine, id: str, key: str = "") -> "SqlDraft":
        """Read a table, and the receipt of the form with this key.  Raises Refused(NO_TABLE)."""
        with database.reading(engine) as connection:
            row = connection.execute(DRAFT, {"of": id, "used": key}).first()
        if row is None:
            raise Refused(TableRefusal.NO_TABLE)
        body, *receipt = row
        stored_receipt = Receipt(*receipt) if receipt[0] is not None else None
        return cls(engine, body, stored_receipt, lambda _: None)

    @contextmanager
    def locked(self) -> Iterator["SqlChange"]:
        """Write what the table has become, if it still stands as it was read.  Raises Outdated, Busy.

        The table is locked by the first statement: that which writes it, or one that comes before.
        """
        with database.writing(self.engine) as connection:
            change = SqlChange(connection, self.table, self.body, self.index_rows, self)
            yield change
            if change.stands is not False:
                change.write()
        change.tell(self.on_change)

    def still_stands(self, key: str = "") -> bool:
        """Return whether the table is as it was, and no form with this key was accepted meanwhile."""
        with database.reading(self.engine) as connection:
            row = connection.execute(STANDING, {"of": self.table.id, "used": key}).first()
        if row is None:
            raise Refused(TableRefusal.NO_TABLE)
        return bool(row.revision == self.revision and row.key is None)


class SqlChange(SqlLedger, SqlTalk, SqlClocks, SqlAuditLog, InTransaction):
    """One transaction on one table, as the port has it.

    What it is given is in the database at once, and there for others when the transaction ends.
    """

    def __init__(
        self,
        connection: Connection,
        table: Table,
        body: str = "",
        before: IndexRows | None = None,
        draft: SqlDraft | None = None,
    ):
        super().__init__(connection)
        self.table = table
        self.revision = table.revision
        self.body = body or json(table)
        self.index_rows = before or index_rows(table)
        self.draft = draft  # of a table that may have changed since it was read
        self.stands = None if draft else True  # whether it has not; None while nobody has looked
        self.met: set[str] = set()
        self.deleted = False
        self.more = False  # something was written beside the table
        self.written = False
        self.waiting: list[Callable[[Connection], None]] = []  # what is written once the table is locked

    @property
    def connection(self) -> Connection:
        """The transaction, with the table locked as it was read.  Raises Outdated."""
        if not self.is_current:
            raise Outdated
        return self._connection

    @connection.setter
    def connection(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def is_current(self) -> bool:
        """True if the table, which is locked from now on, stands as it was read."""
        if self.stands is None:
            self.stands = self._connection.scalar(LOCK_REVISION, {"of": self.table.id}) == self.revision
            if self.stands:
                self._write_what_waits()
        return self.stands

    def write(self) -> None:
        """Write the table as it is now, if there is anything new.  Raises Outdated."""
        if self.deleted:
            return
        if not self.more and json(self.table) == self.body:
            if not self.is_current:
                raise Outdated
            return
        self.table.revision = self.revision + 1
        self.written = True
        if not write_table(self._connection, self.table):
            if self.stands is None:
                raise Outdated
            # Somebody got past the lock, as on a file system that knows none.
            raise Busy(f"table {self.table.id} was changed by somebody else at the same time")
        self._write_what_waits()
        write_index_rows(self._connection, self.table, self.index_rows, self.met)

    def _write_what_waits(self) -> None:
        waiting, self.waiting = self.waiting, []
        for write in waiting:
            write(self._connection)

    def _soon(self, write: Callable[[Connection], None]) -> None:
        """Write something as soon as the table is locked, which most turns do by writing the table itself."""
        self.more = True
        if self.stands:
            write(self._connection)
        else:
            self.waiting.append(write)

    def tell(self, on_change: Callable[[Table], object] | None) -> None:
        """Tell that the table was changed, once the transaction has ended."""
        if self.written and on_change is not None:
            on_change(self.table)

    # -- what happens at it ------------------------------------------------------

    def give_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt.  Raises Refused(KEY_REUSED)."""

        def give(connection: Connection) -> None:
            if not ledger.add_receipt(connection, receipt):  # given at another table since we looked
                raise Refused(TableRefusal.KEY_REUSED)

        self.met.add(receipt.player)
        self._soon(give)

    def append(self, rows: list[Row]) -> None:
        if rows:
            self._soon(lambda connection: ledger.add_rows(connection, self.table.id, rows))

    def keep(self, snapshot: Snapshot) -> None:
        self._soon(lambda connection: ledger.add_snapshot(connection, self.table.id, snapshot))

    def add(self, table: Table, then: Callable[["SqlChange"], object] | None = None) -> None:
        """Keep one more table, new with this one's change; `then` is called with that table's own change."""
        add_with(self.connection, table, then)

    def delete(self) -> None:
        """Delete the table, and all that is kept of it."""
        self.connection.execute(DELETE_TABLE, {"of": self.table.id})
        blank_told(self.connection, self.table.id)
        self.deleted = True

    # -- what is said there ------------------------------------------------------

    def say(self, line: ChatMessage) -> None:
        self.more = True
        talk.add_line(self.connection, self.table.id, line)
        self.met.add(line.player)

    def strike(self, number: int) -> None:
        self.more = True
        self.connection.execute(talk.STRIKE, {"of": self.table.id, "that": number})

    def report(self, number: int, reported: bool = True) -> None:
        self.more = True
        values = {"of": self.table.id, "that": number}
        self.connection.execute(talk.REPORT, {**values, "whether": reported})

    # -- the books ---------------------------------------------------------------

    def enter(self, entry: Entry) -> None:
        """Keep the entry of a game."""
        self.more = True
        books.enter(self.connection, entry)

    def next_rated(self, game: str) -> int:
        """Return the number of one more rated game; until this transaction ends no other game gets one."""
        return books.next_rated(self.connection, game)

    def ratings(self, game: str, players: list[str]) -> dict[str, Rating]:
        """Return the ratings of these people, by their secret ids."""
        return books.ratings_among(self.connection, game, players)

    def rate(self, game: str, ratings: dict[str, Rating]) -> None:
        """Keep new ratings."""
        books.keep_ratings(self.connection, game, ratings)

    def ladder(self, game: str) -> books.SqlLadder:
        """Return all ratings of a game, locked until this transaction ends."""
        return books.lock_ladder(self.connection, game)

    # -- tournaments -------------------------------------------------------------

    def end_tournament_game(self, outcome: GameOutcome, places: list[int]) -> None:
        """Keep how the game of this table has ended, if it has not ended before."""
        self.more = True
        end_game(self.connection, self.table.id, outcome, places)

    # -- notifications -----------------------------------------------------------

    def subscribers(self, players: list[str]) -> dict[str, Subscriber]:
        cached = self.draft.subscribers(players) if self.draft else None
        return cached if cached is not None else outbox.subscribers_among(self.connection, players)

    def notifications(self) -> list[Notification]:
        return outbox.notifications_of(self.connection, self.table.id)

    def write_notification(self, notification: Notification) -> None:
        outbox.keep_notification(self.connection, notification)

    def drop_notifications(self, ids: list[str]) -> None:
        outbox.drop_notifications(self.connection, ids)

    def note_nudge(self, player: str, now: float, since: float) -> float | None:
        return outbox.note_nudge(self.connection, player, now, since)

    # -- people ------------------------------------------------------------------

    def save_player(self, player: Player) -> None:
        """Keep a person, new or under a new name.  Raises Refused(GONE)."""
        people.keep_player(self.connection, player)

    def count_games_with_bots(self, player: str, since: float) -> tuple[int, int]:
        """Count the other tables at which bots sit and something has happened since a moment.

        Those where a player sits, and those of the whole site; of games that are over there are none.  Until
        this transaction ends no other one counts.
        """
        return count_games(self.connection, self.table.id, player, since)

    def must_be_here(self, player: str) -> None:
        """Raise Refused(GONE) for a person who was erased; until this transaction ends they cannot be."""
        people.must_be_here(self.connection, player)

    def rename_moves(self, seat: int, old: str, new: str) -> None:
        """Replace a name in moves, where it says which of several in a seat has moved."""
        values = {"of": self.table.id, "where": seat, "name": old, "new": new}
        self.connection.execute(RENAME_MOVES, values)

    def hand_over(self, old: str, new: str) -> None:
        self.more = True
        people.hand_over(self.connection, self.table.id, self.table.ending.record, old, new)

    def forget(self, player: str, former: Player) -> None:
        self.more = True
        flags = [Chair(chair.seat).called for chair in self.table.chairs]
        people.forget(self.connection, self.table.id, self.table.ending.record, player, flags)
        self._unname_moves(player, flags)
        people.add_player(self.connection, former)
        forget_told(self.connection, self.table.id)
        self.hand_over(player, former.id)

    def _unname_moves(self, player: str, flags: list[str]) -> None:
        """Replace a person's name in moves, where it says which of several in a seat has moved."""
        before = decode_table(self.body)
        called = {
            (chair.seat, name)
            for chair in before.chairs
            for each, name in (*chair.people, *chair.sat.items())
            if each == player
        }
        for seat, name in called:
            self.rename_moves(seat, name, flags[seat])


def add_with(connection: Connection, table: Table, then: Callable[[SqlChange], object] | None = None) -> None:
    """Add a table in an open transaction, with what `then` does there."""
    add_table(connection, table)
    if then:
        change = SqlChange(connection, table)
        then(change)
        change.write()
