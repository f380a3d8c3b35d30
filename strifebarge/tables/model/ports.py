"""Protocols of the repository that keeps tables, which the store implements.

Every method may raise Busy.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct

from strifebarge.lib.busy import Busy

if TYPE_CHECKING:
    from strifebarge.store.change import SqlChange as Change
    from strifebarge.store.change import SqlDraft as Draft
    from strifebarge.store.store import SqlTables as Conversations
    from strifebarge.store.store import SqlTables as Lists
    from strifebarge.store.store import SqlTables as TableRepository
else:  # annotations only
    Change = Draft = Lists = Conversations = TableRepository = object


__all__ = [
    "Busy",
    "Change",
    "Conversations",
    "Draft",
    "Lists",
    "Outdated",
    "PresenceSign",
    "Receipt",
    "Row",
    "TableRepository",
]


class Outdated(Exception):
    """Raised where a turn was judged by something that has changed since: it is judged anew."""


class PresenceSign(NamedTuple):
    """That somebody looks at a table: a player, or a spectator by a mark that does not tell who they are."""

    table: str
    who: str
    until: float  # when they are gone, if they do not ask again


LedgerPosition: TypeAlias = tuple[int, int]  # in a ledger: a number, and a step of what has that number


class Row(Struct, frozen=True):
    """One line of a table's ledger: what a seat did, and what was told of it.

    Row 0 is the deal: no seat, no action.  The steps of what is composed have one number, and are counted.
    `log` are packed texts.  `fingerprint`, of the position it led to, is "" where others' choices of the
    same question follow at once.  A `final` move is not taken back, nor any before it.  `at` is seconds
    since 1970, UTC.
    """

    number: int
    seat: int | None
    action: dict[str, Any] | None
    log: list[Any] = []
    fingerprint: str = ""
    final: bool = False
    at: float = 0
    by: str = ""  # who acted, by name, where several play the seat
    step: int = 0

    @property
    def ledger_position(self) -> LedgerPosition:
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
