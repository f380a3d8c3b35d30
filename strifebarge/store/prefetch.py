"""Prefetching: a request's questions about one table, answered by one statement.

A page needs a dozen small things: who asks, the table, its chat, who is there.  Each statement costs more by
itself than what it finds, so they are the parts of one UNION (`prefetch_statements.py`), all as they stood at
one moment.  The repositories look here first, and ask for themselves what was not read.  Nothing is kept for
the next request but chats, each until its table has another revision, and uptime periods that are over.
"""

from itertools import starmap
from sys import getsizeof
from threading import Lock
from time import monotonic
from typing import NamedTuple

import msgspec
from sqlalchemy import Engine

from strifebarge.lib.sized import SizedDict
from strifebarge.notifications.models import Subscriber
from strifebarge.people.models import Visit
from strifebarge.rules import Refused
from strifebarge.store.accounts import ban_of, decode_preferences
from strifebarge.store.audit import SqlAuditLog
from strifebarge.store.change import SqlDraft
from strifebarge.store.clocks import SqlClocks
from strifebarge.store.db.engine import PREFETCHED, reading
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.ledger import SqlLedger, row_of
from strifebarge.store.listings import SqlLists
from strifebarge.store.prefetch_statements import STATEMENTS, PrefetchedRow
from strifebarge.store.sessions import UNCONFIRMED, CachedSession
from strifebarge.store.tables import decode_table, find_table
from strifebarge.store.talk import SqlTalk
from strifebarge.tables.clock.timekeeper import UptimePeriod
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.model.chat import ChatMessage, Room
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import LedgerPosition, PrefetchKind, Receipt, Row
from strifebarge.tables.model.table import Table, TableRefusal

MOST = 2 * 1024 * 1024  # bytes of chats that a process keeps
OF_A_LINE = 800  # bytes that a line takes beside its text, roughly
CHAT_KEPT_FOR = 600  # seconds; chats of games that ended long ago are deleted without a new revision
NOWHERE = (2**31 - 1, 0)  # a place that no ledger reaches
NO_SESSION = CachedSession("", b"")
NO_REVISION = -1  # of a table whose chat is not kept here
ENDED_FOR = 120  # seconds after which nobody writes to an uptime period any more that another has followed


# -- what was read ---------------------------------------------------------------------


class CachedChat(NamedTuple):
    """The lines of a table's chat, as they stood at a revision of the table."""

    revision: int
    lines: list[ChatMessage]
    read: float  # by the clock of this process


class ChatCache:
    """The chats of the tables that were shown lately, in this process."""

    def __init__(self) -> None:
        self.chats = SizedDict[str, CachedChat](MOST)
        self.lock = Lock()

    def get(self, id: str) -> CachedChat | None:
        """Return what is kept of a table's chat and not too old."""
        with self.lock:
            chat = self.chats.get(id)
        return chat if chat and monotonic() - chat.read < CHAT_KEPT_FOR else None

    def put(self, id: str, revision: int, lines: list[ChatMessage]) -> CachedChat:
        """Keep a table's chat; those that were kept for longest make room."""
        chat = CachedChat(revision, lines, monotonic())
        with self.lock:
            self.chats.put(id, chat, sum(OF_A_LINE + getsizeof(line.text) for line in lines))
        return chat


class Prefetched:
    """Answers that one request has read: about one table, for one visitor, at one moment."""

    def __init__(
        self,
        engine: Engine,
        id: str,
        reads: PrefetchKind,
        visitor: tuple[str, str],
        key: str,
        now: float,
        position: LedgerPosition | None = None,
        session: CachedSession | None = None,
    ):
        self.engine = engine
        self.id = id
        self.reads = reads
        self.visitor = visitor
        self.key = key
        self.now = now
        self.position = position  # in the ledger, after which its rows are read
        self.session = session  # that is to be confirmed
        self.parts: dict[str, list[PrefetchedRow]] = {}
        self.chat: list[ChatMessage] | None = None
        self._seated: set[str] | None = None

    def read(self, chats: ChatCache) -> None:
        """Ask the database.  Raises Busy."""
        chat = chats.get(self.id) if self.whole else None
        player, device = self.visitor
        session = self.session or NO_SESSION
        values = {
            "session": session.known_by,
            "session_data": session.data,
            "of": self.id,
            "who": player,
            "by": device,
            "used": self.key,
            "now": self.now,
            "known": chat.revision if chat else NO_REVISION,
        }
        values["since"], values["step"] = self.position or NOWHERE
        with reading(self.engine) as connection:
            rows = STATEMENTS[self.reads].execute(connection, values).fetchall()
        for row in starmap(PrefetchedRow, rows):
            self.parts.setdefault(row.part, []).append(row)
        if self.whole and self.body is not None:
            revision = self.parts["table"][0].number
            if chat is None or chat.revision != revision:
                chat = chats.put(self.id, revision, self._lines())
            self.chat = chat.lines

    # -- its parts ---------------------------------------------------------------

    @property
    def confirms_session(self) -> bool:
        """True if the session that was remembered is as the database has it."""
        return "session" in self.parts

    @property
    def whole(self) -> bool:
        """True if all was read that a table's page shows."""
        return self.reads is PrefetchKind.PAGE

    def is_whole_for(self, player: str) -> bool:
        """Return whether all was read that this person's page of the table shows."""
        return self.whole and self.visitor[0] == player

    @property
    def body(self) -> str | None:
        """The table as it is stored; None if there is none."""
        rows = self.parts.get("table")
        return rows[0].text if rows else None

    def visit(self) -> Visit | None:
        """Return whose device asks, if it is anybody's."""
        for row in self.parts.get("person", ()):
            player = Player(
                row.text, row.text1, row.time, decode_preferences(row.text2), row.text3, ban_of(row.text4)
            )
            return Visit(player, row.number, row.time1)
        return None

    def present(self) -> dict[str, float]:
        return {row.text: row.time for row in self.parts.get("presence", ())}

    def spectators(self) -> int:
        return int(self.parts["spectators"][0].number)

    def newest_uptime(self) -> UptimePeriod | None:
        for row in self.parts.get("uptime", ()):
            return UptimePeriod(row.number, row.time, row.time1, row.time2)
        return None

    def vacations(self, players: list[str]) -> list[Vacation] | None:
        """Return the vacations of some who sit at this table; None if others are among them."""
        if not self.seated().issuperset(players):
            return None
        rows = [row for row in self.parts.get("vacation", ()) if row.text in players]
        periods = [Vacation(row.text, row.time, row.time1) for row in rows]
        return sorted(periods, key=lambda each: (each.player, each.began))

    def muted(self) -> frozenset[str]:
        return frozenset(row.text for row in self.parts.get("muted", ()))

    def note(self, seat: int) -> str:
        return next((row.text for row in self.parts.get("note", ()) if row.number == seat), "")

    def subscribers(self, players: list[str]) -> dict[str, Subscriber] | None:
        """Return the subscribers among some who sit at this table; None if others are among them."""
        if self.reads is PrefetchKind.NEWS or not self.seated().issuperset(players):
            return None
        rows = [row for row in self.parts.get("subscriber", ()) if row.text in players]
        return {row.text: msgspec.json.decode(row.text1, type=Subscriber) for row in rows}

    def receipt(self) -> Receipt | None:
        for row in self.parts.get("receipt", ()):
            return Receipt(row.text, row.text1, row.text2, row.text3, row.number, row.time)
        return None

    def rows_since(self, position: LedgerPosition, last: int) -> list[Row] | None:
        """Return the ledger's rows after a place; None if those were not read."""
        if self.reads is PrefetchKind.NEWS or self.position != position:
            return None
        rows = [
            row_of(
                *(row.number, row.number1, row.text, row.text1, row.text2),
                *(bool(row.time2), row.time, row.text3, int(row.time1)),
            )
            for row in self.parts.get("move", ())
            if row.number <= last
        ]
        return sorted(rows, key=lambda row: row.ledger_position)

    def _lines(self) -> list[ChatMessage]:
        messages = [
            ChatMessage(
                row.number >> 2,
                Room(row.text),
                row.text1,
                row.text2,
                row.number1,
                row.text3,
                row.text4,
                row.time,
                deleted=bool(row.number & 1),
                reported=bool(row.number & 2),
            )
            for row in self.parts.get("chat", ())
        ]
        return sorted(messages, key=lambda line: line.number)

    def note_seated(self, table: Table) -> None:
        """Note who sits at the table, which is as it was read."""
        self._seated = {player for chair in table.chairs for player in chair.players}

    def seated(self) -> set[str]:
        """Return the ids of all who sit at the table."""
        if self._seated is None:
            if self.body is None:
                return set()
            self.note_seated(decode_table(self.body))
        return self._seated or set()


# -- asked by the repositories -----------------------------------------------------------


def prefetched(engine: Engine) -> Prefetched | None:
    """Return what the request of this thread has read, unless something was written since."""
    current: Prefetched | None = PREFETCHED.get()
    return current if current is not None and current.engine is engine else None


def prefetched_of(engine: Engine, id: str) -> Prefetched | None:
    """Return what the request of this thread has read of this table, unless something was written since."""
    current = prefetched(engine)
    return current if current is not None and current.id == id else None


class UptimePeriods:
    """The uptime periods that are over, in this process: nobody changes them any more."""

    def __init__(self) -> None:
        self.over: dict[int, UptimePeriod] = {}

    def since(self, number: int, newest: UptimePeriod) -> list[UptimePeriod] | None:
        """Return the periods from a number on, the newest as it is given; None if not all are kept."""
        numbers = range(number, newest.number)
        if not all(each in self.over for each in numbers):
            return None
        return [*(self.over[each] for each in numbers), newest]

    def add(self, periods: list[UptimePeriod]) -> None:
        """Keep those of these periods, which follow one another, that nobody writes to any more."""
        if periods and periods[-1].ended - periods[-1].began > ENDED_FOR:
            self.over.update((each.number, each) for each in periods[:-1])


class PrefetchedTables(SqlLists, SqlLedger, SqlTalk, SqlClocks, SqlAuditLog, AutoTransaction):
    """Answers questions about a table from what its request has read at once, where it has."""

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self.chats = ChatCache()
        self.uptimes = UptimePeriods()

    def prefetch(
        self,
        id: str,
        reads: PrefetchKind,
        visitor: tuple[str, str],
        now: float,
        key: str = "",
        position: LedgerPosition | None = None,
    ) -> None:
        """Read at once what this request asks about a table; until `forget_prefetched`, or a write.

        If its session was remembered, and is as it was, that is confirmed.
        """
        prefetched = Prefetched(self.engine, id, reads, visitor, key, now, position, UNCONFIRMED.get())
        prefetched.read(self.chats)
        if prefetched.confirms_session:
            UNCONFIRMED.set(None)
        PREFETCHED.set(prefetched)

    def forget_prefetched(self) -> None:
        """Ask the database itself from now on."""
        PREFETCHED.set(None)

    def table(self, id: str) -> Table:
        """Return a table.  Raises Refused(NO_TABLE)."""
        answers = prefetched_of(self.engine, id)
        if answers is None:
            with self.reading() as connection:
                return find_table(connection, id)
        if answers.body is None:
            raise Refused(TableRefusal.NO_TABLE)
        decoded = decode_table(answers.body)
        answers.note_seated(decoded)
        return decoded

    def draft(self, id: str, key: str = "") -> SqlDraft:
        """Read a table to change it; a second time, anew.  Raises Refused(NO_TABLE)."""
        answers = prefetched_of(self.engine, id)
        if (
            answers is None
            or answers.reads is not PrefetchKind.FORM
            or answers.key != key
            or answers.body is None
        ):
            return SqlDraft.read(self.engine, id, key)
        self.forget_prefetched()
        return SqlDraft(self.engine, answers.body, answers.receipt(), answers.subscribers)

    def rows_since(self, id: str, position: LedgerPosition, last: int) -> list[Row]:
        """Return the ledger's rows after a place, up to a number, in order."""
        answers = prefetched_of(self.engine, id)
        rows = None if answers is None else answers.rows_since(position, last)
        return super().rows_since(id, position, last) if rows is None else rows

    def present(self, id: str) -> dict[str, float]:
        """Return until when each is there, of the players who have looked at their table."""
        answers = prefetched_of(self.engine, id)
        return super().present(id) if answers is None else answers.present()

    def spectators(self, id: str, now: float) -> int:
        """Count the spectators of a game."""
        answers = prefetched_of(self.engine, id)
        return super().spectators(id, now) if answers is None or not answers.whole else answers.spectators()

    def _newest_uptime(self) -> UptimePeriod | None:
        answers = prefetched(self.engine)
        return super()._newest_uptime() if answers is None else answers.newest_uptime()

    def uptime_periods(self, number: int) -> list[UptimePeriod]:
        """Return the times in which the site was up, from that one on (0: the newest alone)."""
        answers = prefetched(self.engine)
        newest = answers.newest_uptime() if answers and number else None
        cached = self.uptimes.since(number, newest) if newest else None
        if cached is None:
            cached = super().uptime_periods(number)
            self.uptimes.add(cached)
        return cached

    def vacations(self, players: list[str]) -> list[Vacation]:
        """Return the vacations of some people, those of each the oldest first."""
        answers = prefetched(self.engine)
        cached = answers.vacations(players) if answers else None
        return super().vacations(players) if cached is None else cached

    def waiting_for(self, player: str) -> int:
        """Count the running tables where it is this player's move."""
        answers = prefetched(self.engine)
        visit = answers.visit() if answers else None
        return visit.turns if visit and visit.player.id == player else super().waiting_for(player)

    def lines(self, id: str) -> list[ChatMessage]:
        """Return the newest hundred lines said at a table, the oldest first."""
        answers = prefetched_of(self.engine, id)
        return super().lines(id) if answers is None or answers.chat is None else [*answers.chat]

    def muted_by(self, player: str) -> frozenset[str]:
        """Return the secret ids of the people whom a player does not read."""
        answers = prefetched(self.engine)
        return (
            super().muted_by(player)
            if answers is None or not answers.is_whole_for(player)
            else answers.muted()
        )

    def note(self, id: str, player: str, seat: int = -1) -> str:
        """Return what a player has noted at a table; one of several at a device, for their `seat`."""
        answers = prefetched_of(self.engine, id)
        if answers is None or not answers.is_whole_for(player):
            return super().note(id, player, seat)
        return answers.note(seat)
