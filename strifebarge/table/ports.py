"""What the referee, the pages and the post ask of whoever keeps tables, ledgers, books, letters and people.

Another kind of store is a class for each protocol here, and for `People`.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from strifebarge.rules.ledger import Snapshot

from .chat import Said
from .entry import Entry, Rating, Tally
from .listing import Wanted
from .person import People, Player, public_id
from .table import Table
from .timekeeper import Stretch
from .vacation import Vacation

__all__ = ["Busy", "Change", "Ladder", "People", "Player", "Receipt", "Row", "Store", "public_id"]

if TYPE_CHECKING:
    from .letters import Address, Letter, Reader


class Busy(Exception):
    """The database does not answer in time, or not at all.  The same may be tried again."""


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
    def place(self) -> tuple[int, int]:
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
    """One transaction on one table, which is locked until it ends.

    `table` may be changed freely; it is written, with its revision raised by one,
    when the block ends without an exception and something of it differs, or was
    written beside it.  After an exception nothing at all is written.
    """

    table: Table

    def receipt(self, key: str) -> Receipt | None: ...

    def give_receipt(self, receipt: Receipt) -> None:
        """Raises Refused(KEY_REUSED)."""

    def append(self, rows: list[Row]) -> None: ...
    def keep(self, snapshot: Snapshot) -> None: ...
    def snapshot(self, id: str, at: int | None = None) -> Snapshot: ...
    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]: ...

    def add(self, table: Table) -> None:
        """Keep one more table, new with this one's change."""

    def delete(self) -> None:
        """This table goes, and all that is kept of it."""

    def save_player(self, player: "Player") -> None:
        """Raises Refused(GONE)."""

    def lines(self, id: str) -> list[Said]: ...
    def say(self, line: Said) -> None: ...
    def strike(self, number: int) -> None: ...
    def report(self, number: int, reported: bool = True) -> None: ...
    def enter(self, entry: Entry) -> None: ...

    def next_rated(self, game: str) -> int:
        """The number of one more rated game of its kind; until this transaction ends nobody else has one."""

    def ratings(self, game: str, players: list[str]) -> dict[str, Rating]: ...
    def rate(self, game: str, ratings: dict[str, Rating]) -> None: ...
    def present(self, id: str) -> dict[str, float]: ...

    def readers(self, players: list[str]) -> "dict[str, Reader]": ...
    def letters(self) -> "list[Letter]": ...
    def write_letter(self, letter: "Letter") -> None: ...
    def drop_letters(self, ids: list[str]) -> None: ...

    def note_nudge(self, player: str, now: float, since: float) -> float | None:
        """None if it is noted now; else when they were nudged last, after `since`."""

    def wake(self, at: float) -> None:
        """Should the site have been away for too long, it is back from now on."""

    def stretches(self, number: int) -> list[Stretch]:
        """The times in which the site was there, from that one on (0: the newest alone)."""

    def vacations(self, players: list[str]) -> list[Vacation]: ...

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        """Keep what comes of those there are; nobody else changes them meanwhile."""

    def must_be_here(self, player: str) -> None:
        """Raises Refused(GONE); until this transaction ends nobody can make them leave."""

    def pass_on(self, old: str, new: str) -> None:
        """What is kept beside the table of one person is another's."""

    def forget(self, player: str, former: Player) -> None:
        """Strike out all that a person said here, their names and notes; what must stay is `former`'s."""


class Ladder(Protocol):
    """One transaction on all ratings of one game, with nobody else in it who would rate one."""

    def ratings(self) -> dict[str, Rating]:
        """Everybody's, by their secret id."""

    def rated(self) -> list[Entry]:
        """All rated games, in the order in which they were."""

    def hand_on(self, old: str, new: str) -> bool:
        """One person's rating is another's; False if all must be made anew, for then it is not that alone."""

    def replace(self, ratings: dict[str, Rating], entries: list[Entry]) -> None:
        """These instead of all there were, and what stood in the entries after each game."""


class Outbox(Protocol):
    """What people want to be told, where, and the letters that are on their way."""

    def reader(self, player: str) -> "Reader | None":
        """What somebody wants to be told; None if they never said."""

    def keep_reader(self, reader: "Reader") -> None: ...

    def addresses(self, player: str) -> "list[Address]":
        """Where somebody wants to be told, the oldest first."""

    def address(self, id: str) -> "Address | None": ...

    def keep_address(self, address: "Address") -> "Address":
        """Keep a new address, or find the one that this person has entered already."""

    def confirm(self, id: str) -> None:
        """Send there from now on, or again."""

    def remove_address(self, id: str) -> None: ...

    def asked(self, place: str, since: float) -> int:
        """How many people have entered a mail address since then that is not confirmed."""

    def forget(self, player: str) -> None:
        """All that is kept here about somebody."""

    def look(self, player: str, table: str, now: float) -> None:
        """Somebody has a page of a table before them."""

    def looked(self, player: str, table: str) -> float | None:
        """When they last had."""

    def told(self, player: str, most: int) -> "list[Letter]":
        """The letters somebody has been told and that still stand, the newest first."""

    def letters_for(self, player: str) -> "list[Letter]":
        """All letters to somebody that still stand, those too that are not sent yet; the oldest first."""

    # -- the post ----------------------------------------------------------------

    def due(self, now: float, most: int) -> "list[Letter]":
        """Letters that nobody has judged yet, the oldest first."""

    def put_off(self, letter: str, until: float) -> None: ...

    def drop(self, letters: list[str]) -> None: ...

    def tell(self, letter: "Letter", now: float, to: dict[str, float]) -> bool:
        """Give a letter to the post, for each address from its moment on.

        False if somebody has done so already, or it has been answered meanwhile.
        """

    def send_now(self, letter: "Letter", address: str) -> None:
        """A new letter for one address alone; the same again is one."""

    def ready(self, now: float, most: int) -> list[str]:
        """The addresses for which something is due and that nobody is at."""

    def claim(self, address: str, now: float, until: float) -> "tuple[Address, list[Letter]] | None":
        """An address for this process alone until then, and all that is due there; None if another has it."""

    def delivered(self, address: "Address", letters: list[str], now: float) -> None:
        """These have arrived, or need not any more."""

    def failed(self, address: "Address", trouble: str, retry: float | None, now: float) -> None:
        """They have not.  Again at `retry`; without one the address is given up, and what waits for it."""

    def purge(self, before: float) -> None:
        """Away with letters told, and looks, before that moment."""


class Store(People, Protocol):
    """Where tables, their ledgers and people are kept."""

    @property
    def outbox(self) -> Outbox: ...

    def add(
        self,
        table: Table,
        receipt: Receipt,
        player: Player | None = None,
        then: Callable[[Change], None] | None = None,
    ) -> Table:
        """Keep a new table, its receipt and who opened it, and at once what `then` does there.

        Or find the table the key was given for before.  Raises Refused(KEY_REUSED) if
        the key was given for something else.
        """

    def change(self, id: str) -> AbstractContextManager[Change]:
        """Lock a table and change it.  Raises Refused(NO_TABLE)."""

    def table(self, id: str) -> Table:
        """Raises Refused(NO_TABLE)."""

    def receipt(self, key: str) -> Receipt | None:
        """What was accepted with this key, if anything."""

    def snapshot(self, id: str, at: int | None = None) -> Snapshot:
        """The newest snapshot, or the newest with at most `at` moves before it."""

    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]:
        """The ledger's rows with after < number <= upto, in order; row 0 with after=-1.

        Those after a table's own number are what somebody is composing.
        """

    def running(self) -> list[str]:
        """The ids of all tables whose game has begun and is not over."""

    def tables_of(self, player: str) -> list[Table]:
        """All tables where a player sits, the one changed last first."""

    def tables_inviting(self, player: str) -> list[Table]:
        """The tables to which somebody was invited by name, and has not answered; the newest first."""

    def companions(self, player: str) -> list[Player]:
        """Those whom somebody has played with and who are still here, by the name they then had.

        The last one first.
        """

    def open_tables(self, wanted: Wanted) -> tuple[list[Table], bool]:
        """A page of the list of open tables, those changed last first; and whether more follow."""

    def waiting_for(self, player: str) -> int:
        """At how many running tables it is this player's move."""

    def player(self, id: str) -> Player | None:
        """None also for one who is nobody any more."""

    def save_player(self, player: Player) -> None:
        """Raises Refused(GONE)."""

    def lines(self, id: str) -> list[Said]:
        """The newest hundred lines said at a table, oldest first."""

    def reported(self) -> list[tuple[str, Said]]:
        """The lines that somebody has reported and nobody has struck out, with their tables; oldest first."""

    def secret(self, name: str, make: Callable[[], str]) -> str:
        """What the site has made for itself under that name; `make` is asked for it once and for all."""

    def note(self, id: str, player: str, seat: int = -1) -> str:
        """What a player has noted for themselves at a table; one of several at a device, for their `seat`."""

    def keep_note(self, id: str, player: str, text: str, seat: int = -1) -> None: ...
    def muted_by(self, player: str) -> frozenset[str]: ...

    def mute(self, player: str, other: str, muted: bool) -> None:
        """Not to read what another says, at any table; or again to read it."""

    # -- time --------------------------------------------------------------------

    def beat(self, at: float, allowed: float, apart: float = 0) -> float | None:
        """Note that the site is there; not if somebody did so less than `apart` seconds ago.

        Returns for how many seconds it was away before, 0 if it was not; None if nothing was noted.
        It is away when more seconds go by than were `allowed` by the beat before.
        """

    def due(self, at: float) -> list[str]:
        """The ids of tables at which a deadline may have passed, that of longest ago first."""

    def missed(self, player: str, since: float) -> int:
        """How many deadlines somebody has let pass since then."""

    def stretches(self, number: int) -> list[Stretch]: ...
    def vacations(self, players: list[str]) -> list[Vacation]: ...
    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation: ...

    # -- who is there ----------------------------------------------------------

    def see(self, id: str, player: str, until: float) -> None:
        """Keep that somebody is at a table, until a moment if they do not ask again."""

    def present(self, id: str) -> dict[str, float]:
        """Until when each is there, of those who sit at a table and have looked at it."""

    def look_on(self, id: str, mark: str, until: float, now: float) -> None:
        """Keep that one more watches a game, until a moment if they do not ask again; forget who is gone.

        `mark` tells them from others who watch it, and who they are it does not tell.
        """

    def onlookers(self, id: str, now: float) -> int:
        """How many watch a game."""

    def silent(self, since: float) -> list[str]:
        """The running games at which nothing has happened since a moment."""

    # -- the books -------------------------------------------------------------

    def entry(self, id: str) -> Entry:
        """What the books say under the address of a record.  Raises Refused(NO_RECORD)."""

    def series(self, id: str) -> list[Entry]:
        """All games of a series that have ended, the first one first."""

    def person(self, public: str) -> Player:
        """Whose page that is.  Raises Refused(NO_PERSON)."""

    def tallies(self, player: str) -> list[Tally]:
        """A person's public games summed up, and their ratings, by game."""

    def latest(self, player: str, most: int) -> list[Entry]:
        """Their public games that ended last."""

    def ladders(self) -> list[str]:
        """The games in which anybody was ever rated."""

    def ladder(self, game: str) -> AbstractContextManager[Ladder]:
        """Lock the ratings of a game."""
