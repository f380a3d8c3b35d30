"""The world as the referee knows it: where tables are kept.  A new store is one class."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha256
from typing import Any, Protocol

from msgspec import Struct

from strifebarge.rules.match import Snapshot

from .chat import Said
from .entry import Entry, Rating, Tally
from .table import Table


class Busy(Exception):
    """The database does not answer in time, or not at all.  The same may be tried again."""


class Row(Struct, frozen=True):
    """One line of a table's ledger: what a seat did, and what was told of it.

    Row 0 is the deal: no seat, no action.  `fingerprint` is "" where others' choices
    of the same question follow at once.  `at` is seconds since 1970, UTC.
    """

    number: int
    seat: int | None
    action: dict[str, Any] | None
    told: list[Any] = []
    fingerprint: str = ""
    final: bool = False
    at: float = 0
    by: str = ""  # who acted, by name, where several play the seat


class Receipt(Struct, frozen=True):
    """That a form was accepted: the same form again gets the same answer again."""

    key: str
    player: str
    table: str
    digest: str  # of all that the form said
    number: int = 0  # of the last move after it
    at: float = 0


class Player(Struct):
    """A person: a guest until they choose a name."""

    id: str  # a secret: whoever had it would be them
    name: str = ""
    created: float = 0

    @property
    def public(self) -> str:
        """What others know them by."""
        return public_id(self.id)


def public_id(player: str) -> str:
    """The id of a person's page: the first 64 bits of SHA-256, from which nobody gets back to the secret."""
    return sha256(f"person {player}".encode()).hexdigest()[:16]


class Change(Protocol):
    """One transaction on one table, which is locked until it ends.

    `table` may be changed freely; it is written, with its revision raised by one,
    when the block ends without an exception and something of it differs.  After an
    exception nothing at all is written.
    """

    table: Table

    def receipt(self, key: str) -> Receipt | None: ...
    def give_receipt(self, receipt: Receipt) -> None: ...
    def append(self, rows: list[Row]) -> None: ...
    def keep(self, snapshot: Snapshot) -> None: ...
    def snapshot(self, id: str, at: int | None = None) -> Snapshot: ...
    def rows(self, id: str, after: int, upto: int | None = None) -> list[Row]: ...
    def add(self, table: Table) -> None: ...
    def save_player(self, player: "Player") -> None: ...
    def lines(self, id: str) -> list[Said]: ...
    def say(self, line: Said) -> None: ...
    def strike(self, number: int) -> None: ...
    def report(self, number: int) -> None: ...
    def enter(self, entry: Entry) -> None: ...
    def next_rated(self, game: str) -> int: ...
    def ratings(self, game: str, players: list[str]) -> dict[str, Rating]: ...
    def rate(self, game: str, ratings: dict[str, Rating]) -> None: ...
    def seen(self, id: str) -> dict[str, float]: ...


class Ladder(Protocol):
    """One transaction on all ratings of one game, with nobody else in it who would rate one."""

    def ratings(self) -> dict[str, Rating]:
        """Everybody's, by their secret id."""

    def rated(self) -> list[Entry]:
        """All rated games, in the order in which they were."""

    def replace(self, ratings: dict[str, Rating], entries: list[Entry]) -> None:
        """These instead of all there were, and what stood in the entries after each game."""


class Store(Protocol):
    """Where tables, their ledgers and people are kept."""

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
        """The ledger's rows with after < number <= upto, in order; row 0 with after=-1."""

    def tables_of(self, player: str) -> list[Table]:
        """All tables where a player sits, the one changed last first."""

    def waiting_for(self, player: str) -> int:
        """At how many running tables it is this player's move."""

    def player(self, id: str) -> Player | None: ...

    def player_and_turns(self, id: str) -> tuple[Player, int] | None:
        """A player, and at how many running tables it is their move."""

    def save_player(self, player: Player) -> None: ...

    def lines(self, id: str) -> list[Said]:
        """The newest hundred lines said at a table, oldest first."""

    def note(self, id: str, player: str) -> str:
        """What a player has noted for themselves at a table."""

    def keep_note(self, id: str, player: str, text: str) -> None: ...
    def muted_by(self, player: str) -> frozenset[str]: ...

    def mute(self, player: str, other: str, muted: bool) -> None:
        """Not to read what another says, at any table; or again to read it."""

    # -- who is there ----------------------------------------------------------

    def see(self, id: str, player: str, until: float) -> None:
        """Keep that somebody is at a table, until a moment if they do not ask again."""

    def seen(self, id: str) -> dict[str, float]:
        """Until when each is there, of those who sit at a table and have looked at it."""

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
