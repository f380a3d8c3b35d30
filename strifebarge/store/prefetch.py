"""Prefetching: what a request asks about one table is read once, in two statements.

They are prepared (`prefetch_statements.py`): the table, and its people.  The repositories look here first,
and ask for themselves what was not read.  Nothing is kept for the next request but uptime periods that are
over.
"""

import msgspec
from sqlalchemy import Engine

from strifebarge.notifications.models import Subscriber
from strifebarge.rules import Refused
from strifebarge.store.audit import SqlAuditLog
from strifebarge.store.change import SqlDraft
from strifebarge.store.clocks import SqlClocks
from strifebarge.store.db.engine import PREFETCHED, reading
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.ledger import SqlLedger
from strifebarge.store.listings import SqlLists
from strifebarge.store.prefetch_statements import PEOPLE, TABLE, VACATIONS
from strifebarge.store.tables import decode_table, find_table
from strifebarge.store.talk import SqlTalk
from strifebarge.tables.clock.timekeeper import UptimePeriod
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.model.ports import Receipt
from strifebarge.tables.model.table import Table, TableRefusal

ENDED_FOR = 120  # seconds after which nobody writes to an uptime period any more that another has followed


# -- what was read ---------------------------------------------------------------------


class Prefetched:
    """What one request has read: one table, and the people there."""

    def __init__(self, engine: Engine, id: str, key: str, now: float):
        self.engine = engine
        self.id = id
        self.key = key
        values = {"of": id, "used": key, "now": now}
        with reading(engine) as connection:
            self._row = TABLE.execute(connection, values).fetchone()
            self._people = PEOPLE.execute(connection, values).fetchall() if self._row else []
        self._vacations: list[Vacation] | None = None

    @property
    def body(self) -> str | None:
        """The table as it is stored; None if there is none."""
        return self._row[0] if self._row else None

    def present(self) -> dict[str, float]:
        return {player: until for player, until, _ in self._people if until is not None}

    def spectators(self) -> int:
        return self._row[1] if self._row else 0

    def newest_uptime(self) -> UptimePeriod | None:
        uptime = self._row[2:6] if self._row else [None]
        return UptimePeriod(*uptime) if uptime[0] is not None else None

    def receipt(self) -> Receipt | None:
        receipt = self._row[6:] if self._row else [None]
        return Receipt(*receipt) if receipt[0] is not None else None

    def vacations(self, players: list[str]) -> list[Vacation] | None:
        """Return the vacations of some who sit at this table; None if others are among them."""
        if not self._sit_here(players):
            return None
        if self._vacations is None:
            with reading(self.engine) as connection:
                rows = VACATIONS.execute(connection, {"of": self.id}).fetchall()
            self._vacations = [Vacation(*row) for row in rows]
        return [each for each in self._vacations if each.player in players]

    def subscribers(self, players: list[str]) -> dict[str, Subscriber] | None:
        """Return the subscribers among some who sit at this table; None if others are among them."""
        if not self._sit_here(players):
            return None
        bodies = {player: body for player, _, body in self._people if player in players and body is not None}
        return {player: msgspec.json.decode(body, type=Subscriber) for player, body in bodies.items()}

    def _sit_here(self, players: list[str]) -> bool:
        return {player for player, *_ in self._people}.issuperset(players)


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
        self.uptimes = UptimePeriods()

    def prefetch(self, id: str, now: float, key: str = "") -> None:
        """Read what this request asks about a table and its people; until `forget_prefetched`, or a write."""
        PREFETCHED.set(Prefetched(self.engine, id, key, now))

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
        return decode_table(answers.body)

    def draft(self, id: str, key: str = "") -> SqlDraft:
        """Read a table to change it; a second time, anew.  Raises Refused(NO_TABLE)."""
        answers = prefetched_of(self.engine, id)
        if answers is None or answers.key != key or answers.body is None:
            return SqlDraft.read(self.engine, id, key)
        self.forget_prefetched()
        return SqlDraft(self.engine, answers.body, answers.receipt(), answers.subscribers)

    def present(self, id: str) -> dict[str, float]:
        """Return until when each is there, of the players who have looked at their table."""
        answers = prefetched_of(self.engine, id)
        return super().present(id) if answers is None else answers.present()

    def spectators(self, id: str, now: float) -> int:
        """Count the spectators of a game."""
        answers = prefetched_of(self.engine, id)
        return super().spectators(id, now) if answers is None else answers.spectators()

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
