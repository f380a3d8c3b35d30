"""Protocols of the repository that keeps tables, which the store implements.

Every method may raise Busy.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from strifebarge.busy import Busy
from strifebarge.rules.ledger import Snapshot
from strifebarge.table.player import Player

from .audit import AuditEntry
from .bots import Waiting
from .chat import Said
from .clock.judging import FormRepository
from .clock.site_time import TimeRepository
from .clock.timekeeper import UptimePeriod
from .clock.vacation import Vacation
from .listing import Wanted
from .table import Table

__all__ = [
    "Busy",
    "Change",
    "Conversations",
    "Draft",
    "Lists",
    "Outdated",
    "Reads",
    "Receipt",
    "Row",
    "Sign",
    "TableRepository",
]


class Outdated(Exception):
    """Raised where a turn was judged by something that has changed since: it is judged anew."""


class Reads(Enum):
    """Kinds of requests, by what they read at once of a table and of who asks."""

    NEWS = "news"  # who is there, and what has made time stand still
    PAGE = "page"  # that, and all that a table's page shows
    FORM = "form"  # that, the receipt of a form, and who is to be told of what it does


class Sign(NamedTuple):
    """That somebody looks at a table: a player, or a spectator by a mark that does not tell who they are."""

    table: str
    who: str
    until: float  # when they are gone, if they do not ask again


Place: TypeAlias = tuple[int, int]  # in a ledger: a number, and a step of what has that number


class Row(Struct, frozen=True):
    """One line of a table's ledger: what a seat did, and what was told of it.

    Row 0 is the deal: no seat, no action.  The steps of what is composed have one number, and are counted.
    `told` are packed texts.  `fingerprint`, of the position it led to, is "" where others' choices of the
    same question follow at once.  A `final` move is not taken back, nor any before it.  `at` is seconds
    since 1970, UTC.
    """

    number: int
    seat: int | None
    action: dict[str, Any] | None
    told: list[Any] = []
    fingerprint: str = ""
    final: bool = False
    at: float = 0
    by: str = ""  # who acted, by name, where several play the seat
    step: int = 0

    @property
    def place(self) -> Place:
        """Where it stands in the ledger."""
        return self.number, self.step


class Receipt(Struct, frozen=True):
    """That a form was accepted: the same form again gets the same answer again."""

    key: str
    player: str
    table: str
    digest: str  # of all that the form said
    number: int = 0  # of the last move after it
    at: float = 0


class Change(Protocol):
    """One transaction on one table, which is locked from its first statement until it ends.

    `table` may be changed freely; it is written, with its revision raised by one, when the block ends without
    an exception and something of it differs, or was written beside it.  After an exception nothing at all is
    written.
    """

    table: Table

    @property
    def is_current(self) -> bool:
        """True if the table, locked from now on, stands as it was read; else nothing is written."""

    def give_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt.  Raises Refused(KEY_REUSED)."""

    def append(self, rows: list[Row]) -> None: ...
    def keep(self, snapshot: Snapshot) -> None: ...
    def snapshot(self, id: str, at: int | None = None) -> Snapshot: ...
    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]: ...
    def rows_since(self, id: str, place: Place, upto: int) -> list[Row]: ...

    def add(self, table: Table, then: Callable[[Any], object] | None = None) -> None:
        """Keep one more table, new with this one's change; `then` is called with that table's own change."""

    def delete(self) -> None:
        """Delete this table and all that is kept of it."""

    def say(self, line: Said) -> None: ...
    def strike(self, number: int) -> None: ...
    def report(self, number: int, reported: bool = True) -> None: ...

    def add_to_audit_log(self, entry: AuditEntry) -> None: ...

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        """Keep the vacation that `how` makes of those there are; no other change of them comes between."""

    def save_player(self, player: Player) -> None:
        """Keep a person, new or under a new name.  Raises Refused(GONE)."""

    def rename_moves(self, seat: int, old: str, new: str) -> None:
        """Replace a name in moves, where it says which of several in a seat has moved."""

    def count_games_with_bots(self, player: str, since: float) -> tuple[int, int]:
        """Count the other tables at which bots sit and something has happened since a moment.

        Those where a player sits, and those of the whole site; of games that are over there are none.  Until
        this transaction ends no other one counts.
        """

    def must_be_here(self, player: str) -> None:
        """Raise Refused(GONE) for a person who was erased; until this transaction ends they cannot be."""


class Draft(Protocol):
    """A table as it was read, together with the receipt of a form, and the way to write it."""

    table: Table
    revision: int
    receipt: Receipt | None

    def locked(self) -> AbstractContextManager[Change]:
        """Yield the change of the table; at its end `table` is written as it is.

        Raises Outdated, then or at any question before, if the table has changed since it was read; Busy.
        """

    def still_stands(self, key: str = "") -> bool:
        """Return whether the table has not changed since, and no form with this key was accepted."""


class Lists(Protocol):
    """Lists of tables, as pages show them."""

    def tables_of(self, player: str) -> list[Table]:
        """Return all tables where a player sits, the one changed last first."""

    def tables_inviting(self, player: str) -> list[Table]:
        """Return the tables to which somebody was invited by name and has not answered, the newest first."""

    def open_tables(self, wanted: Wanted) -> tuple[list[Table], bool]:
        """Return a page of the list of open tables, those changed last first; and whether more follow."""

    def latest(self, status: str | None, game: str | None, most: int) -> list[Table]:
        """Return at most `most` tables of a status, a game, or all, those changed last first."""

    def faulty(self) -> list[Table]:
        """Return the tables at which a game's code has failed, the newest first; some go on since."""

    def waiting_for(self, player: str) -> int:
        """Count the running tables where it is this player's move."""

    def missed(self, player: str, since: float) -> int:
        """Count the deadlines that somebody has let pass since then."""

    def waiting_for_bots(self, limit: int) -> list[Waiting]:
        """Return questions that wait for bots at running tables, those of longest ago first.

        Of suspended games there are none.  A pause stops clocks alone: bots play on in it, as people may.
        """


class AuditLog(Protocol):
    """Entries about what the site's hosts have done; each is added by the change that it tells of."""

    def audit_log(self, most: int) -> list[AuditEntry]:
        """Return the newest entries, at most `most`, the newest first."""


class Conversations(Protocol):
    """Lines that people read and note at tables; saying something is an act (`acts.talk`)."""

    def lines(self, id: str) -> list[Said]:
        """Return the newest hundred lines said at a table, the oldest first."""

    def reported(self) -> list[tuple[str, Said]]:
        """Return the reported lines that were not struck out, with their tables; the oldest first."""

    def note(self, id: str, player: str, seat: int = -1) -> str:
        """Return what a player has noted at a table; one of several at a device, for their `seat`."""

    def keep_note(self, id: str, player: str, text: str, seat: int = -1) -> None:
        """Keep what a player has noted at a table.  Raises Refused(NO_TABLE)."""

    def muted_by(self, player: str) -> frozenset[str]:
        """Return the secret ids of the people whom a player does not read."""

    def mute(self, player: str, other: str, muted: bool) -> None:
        """Let a player not read what another says at any table, or read it again."""


class TableRepository(Lists, Conversations, AuditLog, TimeRepository, FormRepository, Protocol):
    """Where tables and their ledgers are kept."""

    told: Callable[[Table], object] | None  # called for each table that was changed, after the commit

    def add(
        self,
        table: Table,
        receipt: Receipt,
        player: Player | None = None,
        then: Callable[[Change], None] | None = None,
    ) -> Table:
        """Keep a new table, its receipt and who opened it, with what `then` does there.

        Or return the table for which a form with this key was accepted before.
        Raises Refused(KEY_REUSED) if the key was used for something else.
        """

    def prefetch(
        self,
        id: str,
        reads: Reads,
        visitor: tuple[str, str],
        now: float,
        key: str = "",
        place: Place | None = None,
    ) -> None:
        """Read at once, in one statement, what this thread's request is going to ask about a table.

        The methods answer from that, as it stood at this one moment, until `forget_prefetched`, or until this
        thread writes anything.  `visitor`: the secret ids of the person and the device of the session, or "".
        `key`: that of the form.  `place`: up to where the ledger is known; its rows after that are read too.
        """

    def forget_prefetched(self) -> None:
        """Forget what was read at once: the methods ask the database from now on."""

    def draft(self, id: str, key: str = "") -> Draft:
        """Read a table to change it, and the receipt of the form with this key.  Raises Refused(NO_TABLE)."""

    def change(self, id: str) -> AbstractContextManager[Change]:
        """Yield the change of a table, locked until the end of the block.  Raises Refused(NO_TABLE)."""

    def table(self, id: str) -> Table:
        """Return a table.  Raises Refused(NO_TABLE)."""

    def revisions(self, ids: list[str]) -> dict[str, int]:
        """Return the revisions of these tables, of those that are there."""

    def receipt(self, key: str) -> Receipt | None:
        """Return what was accepted with this key, if anything."""

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        """Return the newest snapshot, or the newest with at most `at` moves before it."""

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        """Return the ledger's rows with after < number <= upto, in order; row 0 with after=-1.

        Those after a table's own number are being composed.
        """

    def rows_since(self, id: str, place: Place, upto: int) -> list[Row]:
        """Return the ledger's rows after a place, up to a number, in order."""

    def running(self) -> list[str]:
        """Return the ids of all tables whose game has begun and is not over."""

    def secret(self, name: str, make: Callable[[], str]) -> str:
        """Return what the site keeps for itself under a name; `make` is called the first time only."""

    # -- time --------------------------------------------------------------------

    def due(self, at: float) -> list[str]:
        """Return the ids of tables at which a deadline may have passed, that of longest ago first."""

    def wake(self, at: float) -> float:
        """Note that the site is up from now on, should it have been down for too long.

        Returns that time; a later one if the site was down then, as where a form waited meanwhile: from when
        on it was up.
        """

    def uptime_periods(self, number: int) -> list[UptimePeriod]:
        """Return the times in which the site was up, from that one on (0: the newest alone)."""

    def vacations(self, players: list[str]) -> list[Vacation]:
        """Return the vacations of some people, those of each the oldest first."""

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        """Keep the vacation that `how` makes of those there are; no other change of them comes between."""

    # -- who is there ----------------------------------------------------------

    def see(self, players: list[Sign], spectators: list[Sign], now: float) -> list[Sign]:
        """Note who is at tables, and who watches, until a moment if they do not ask again.

        Nothing is kept of players who do not sit at their table any more.  Return the signs at tables that
        are locked just now: they may be noted later.
        """

    def present(self, id: str) -> dict[str, float]:
        """Return until when each is there, of the players who have looked at their table."""

    def here_at(self, ids: list[str], now: float) -> dict[str, frozenset[str]]:
        """Return the players who are at these tables now, of those at which there are any."""

    def spectators(self, id: str, now: float) -> int:
        """Count the spectators of a game."""

    def silent(self, since: float) -> list[str]:
        """Return the running games at which nothing has happened since a moment."""

    def open_since(self, since: float) -> list[str]:
        """Return the tables that have not begun, and at which nothing has happened since a moment."""

    def over_since(self, since: float) -> list[str]:
        """Return the unrated games that are over, and at which nothing has happened since a moment."""

    def ended(self, game: str | None) -> list[str]:
        """Return the ids of all tables whose game is over, or of those with one game, the earliest first."""
