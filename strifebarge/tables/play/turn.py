"""The turn of one act: its table, its form and when that came; and all that is to be written."""

import re
from collections.abc import Callable, Sequence, Sized
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from strifebarge.rules import Refused, Standard
from strifebarge.rules.ledger import Snapshot
from strifebarge.tables.clock.judging import JudgedForm as Judged
from strifebarge.tables.clock.judging import Judging
from strifebarge.tables.clock.presence import TablePresence
from strifebarge.tables.clock.vacation import Vacation, vacations_etag
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.model.bots import BotRules
from strifebarge.tables.model.events import AgreementAsked, Event, EventListener
from strifebarge.tables.model.ports import Change, Outdated, Receipt, Row, TableRepository
from strifebarge.tables.model.seat_changes import seat_changes, sitting
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.matches import (
    CachedMatch,
    MatchCache,
    ask_anew,
    cache_key,
    clear_mismatch,
    must_be_newest,
)
from strifebarge.tables.play.queries import Views

KEY = re.compile(r"[0-9A-Za-z._-]{16,64}")


class FormToken(Struct, frozen=True):
    """The part of a form beside its content: a key that is used once, the question it answers, its seat."""

    key: str
    content: str = ""  # all that the form says, for the digest
    question: int | None = None  # the number of the question
    seat: int | None = None  # for which the form was made, where somebody has several

    def digest(self, act: str, player: str, subject: str) -> str:
        """Return a hash of all that the form says: another form with the same key has another one."""
        parts = [act, player, subject, str(self.question), self.content]
        return sha256("\0".join(parts).encode()).hexdigest()

    def receipt(self, act: str, player: str, subject: str, at: float) -> Receipt:
        """Return the receipt that the form gets once it is accepted.  Raises Refused(NO_KEY)."""
        if not KEY.fullmatch(self.key):
            raise Refused(TableRefusal.NO_KEY)
        return Receipt(self.key, player, subject, self.digest(act, player, subject), at=at)


class Context(Protocol):
    """The parts of the referee that a turn needs."""

    @property
    def store(self) -> TableRepository: ...
    @property
    def library(self) -> Library: ...
    @property
    def matches(self) -> MatchCache: ...
    @property
    def views(self) -> Views: ...
    @property
    def judging(self) -> Judging: ...
    @property
    def entropy(self) -> Callable[[int], bytes]: ...
    @property
    def subscribers(self) -> Sequence[EventListener]: ...
    @property
    def bots(self) -> BotRules: ...
    def catch_up(self) -> float: ...


class Turn:
    """One act at one table, judged before anything is written.

    `table` may be changed freely.  What else is to be kept is handed over: rows of the ledger, snapshots,
    events, and writes of the act's own.  All of it is written in one transaction, or nothing.
    """

    def __init__(
        self,
        referee: Context,
        table: Table,
        now: float,
        player: str | None = None,
        form: FormToken | None = None,
    ):
        self.referee = referee
        self.table = table
        self.now = now  # when the form came, in seconds since 1970, UTC
        self.form = form
        self.judged: Judged | None = None  # what others may know of it while it is judged
        self.by = player  # whose form it is; None: the turn comes by itself
        self.standing = cache_key(table)
        self.sitting = sitting(table)
        self.cached: CachedMatch | None = None
        self.played = False  # whether the match has gone on from where it was taken up
        self.quiet = False  # whether nobody else may know that anything has happened
        self.rows: list[Row] = []
        self.snapshots: list[Snapshot] = []
        self.events: list[Event] = []
        self.writes: list[Callable[[Any], None]] = []
        self.last_writes: list[Callable[[Any], None]] = []
        self.planned: dict[str, Vacation] = {}  # by player: the vacation that is to be written

    def wake(self) -> None:
        """Take the time of a site that is up.  Raises Busy.

        Where the site's time was set forward and this process has not looked since, it looks now.
        """
        woken = self.referee.store.wake(self.now)
        if woken > self.now:
            woken = max(woken, self.now + self.referee.catch_up())
        self.now = woken

    @property
    def player(self) -> str:
        """The player whose form it is."""
        if self.by is None:
            raise Refused(TableRefusal.NOT_SEATED)
        return self.by

    @property
    def seat(self) -> int | None:
        """For which seat the form was made, if it says so."""
        return self.form.seat if self.form else None

    @property
    def title(self) -> Title:
        return self.referee.library.of(self.table)

    # -- reading ---------------------------------------------------------------

    def present(self) -> TablePresence:
        """Return who is at the table."""
        return self.referee.views.presence(self.table, self.now)

    def playing(self) -> CachedMatch:
        """Return the match of a running table.  Raises Refused; Diverged if the rules lead elsewhere now."""
        table = self.table
        if table.status is Status.OVER:
            raise Refused(Standard.GAME_OVER)
        table.must_be_running()
        if table.suspension:
            raise Refused(TableRefusal.SUSPENDED)
        cached = self.match()
        clear_mismatch(table, self.now)
        if table.status is Status.SUSPENDED:
            raise Refused(TableRefusal.SUSPENDED)
        return cached

    def match(self) -> CachedMatch:
        """Return the match, also of a table that is suspended.

        Seats whose choices other rules do not offer any more are asked anew.  Raises Diverged; Busy where
        newer code has played the table.
        """
        if self.cached is None:
            referee, title = self.referee, self.title
            must_be_newest(self.table, title, referee.library, self.now)
            self.cached = referee.matches.ready(referee.store, title, self.table, self.standing)
            ask_anew(self.table, self.cached.anew)
        return self.cached

    def vacations(self, player: str) -> list[Vacation]:
        """Return a player's vacations, with the one that this turn has planned."""
        stored = self.referee.store.vacations([player])
        planned = self.planned.get(player)
        if planned is None:
            return stored
        return [each for each in stored if each.began != planned.began] + [planned]

    # -- what is to be written ---------------------------------------------------

    @property
    def state(self) -> tuple[Any, ...]:
        """What is to be written as it stands: an act that leaves it the same changes nothing."""
        lists: list[Sized] = [self.rows, self.snapshots, self.events, self.writes, self.last_writes]
        return msgspec.json.encode(self.table), *map(len, lists)

    def emit(self, event: Event) -> None:
        """Tell the subscribers, when the turn is written."""
        self.events.append(event)

    def write(self, what: Callable[[Any], None]) -> None:
        """Let something be written beside the table, in the same transaction.

        It is called with the open change, may look again at what must hold at that moment, and may raise
        Refused, or Outdated to have the turn judged anew.
        """
        self.writes.append(what)

    def write_last(self, what: Callable[[Any], None]) -> None:
        """Let something be written after all else, when the subscribers have seen what the act did.

        It may still change the table.
        """
        self.last_writes.append(what)

    def conclude(self) -> None:
        """Note on the table that something has happened there, unless nobody else may know of it."""
        self.table.played_by.untold += seat_changes(self.sitting, self.table, self.now)
        self.table.wait_from(self.now)
        if not self.quiet:
            self.table.version += 1
            self.table.times.changed = self.now
            self.emit(AgreementAsked(at=self.now, by=self.by))

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        """Let a vacation be kept that follows from those there are.  Raises Refused.

        A turn writes one vacation of a player, however often it changes it: the last one.
        """
        seen = self.vacations(player)
        vacation = how(seen)
        if player not in self.planned:

            def unchanged(vacations: list[Vacation]) -> Vacation:
                if vacations_etag(vacations) != vacations_etag(seen):
                    raise Outdated
                return self.planned[player]

            self.write(lambda change: change.set_vacation(player, unchanged))
        self.planned[player] = vacation
        return vacation

    def commit(self, change: Change, receipt: Receipt | None = None) -> None:
        """Write all of it into an open change of the table, the subscribers' part included."""
        self.table.forget_plans()
        for write in self.writes:
            write(change)
        change.append(self.rows)
        for snapshot in self.snapshots:  # after the rows, which say which of those before are needed
            change.keep(snapshot)
        for event in self.events:
            for subscriber in self.referee.subscribers:
                subscriber(change, event)
        for write in self.last_writes:
            write(change)
        if receipt:
            change.give_receipt(msgspec.structs.replace(receipt, number=self.table.position.number))
