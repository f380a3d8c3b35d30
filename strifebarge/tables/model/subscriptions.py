"""The tables that a program follows, by a token of its person, and where its events are kept."""

import zlib
from collections.abc import Callable
from typing import NamedTuple, Protocol

from msgspec import Struct

from strifebarge.rules import Refusal
from strifebarge.tables.model.table import Table

KEPT_FOR = 3 * 86400  # seconds: an event that is older is told to nobody any more
MOST_KEPT = 5000  # events of one token
MOST_FOLLOWED = 100  # tables that one token follows by its own wish; those that are over do not count
MOST_OVER = 100  # tables that are over and of which one token is still told: the newest of them
QUICKLY = 1  # zlib's level: four times as fast as the usual one, and nearly as small
A_SECOND = 1000  # numbers: the first event of a token has the second of its beginning in its number


class FollowRefusal(Refusal):
    """The reasons why a program is not told events."""

    TOO_OLD = "Events that old are gone. Follow the table again and go on from there."
    NO_EVENT = "This token has no event with that id. Follow the table again and go on from there."
    TOO_MANY = "A token can follow {most} tables at most."
    NO_STREAM = "No streams right now. Ask for events every few seconds."

    @property
    def token(self) -> str:
        """`stream.too_old`: these are about streams, not about a table."""
        return f"stream.{self.name.lower()}"


class EventFacts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Facts from which the last event of a table was told, as far as the token's person may know them."""

    etag: str = ""  # differs as soon as the person's page does
    status: str = ""
    number: int = 0  # of the table's last move
    your_turn: bool = False
    questions: list[int | None] = []  # the questions to the person's own seats
    newest_line: int = 0  # of the chat, by its number
    deleted_lines: list[int] = []  # of the chat, by their numbers
    invited: bool = False  # the person is invited by name, and does not sit there
    over: float = 0.0  # since when the game is over, or followed as one that is over, in seconds since 1970


class Follower(Struct, frozen=True, kw_only=True):
    """A token that is told events."""

    token: str
    language: str  # in which it is told them
    number: int  # of its last event
    floor: int  # the number of the last event that is kept no more
    revision: int = 0  # how often events were written
    last_seen: float = 0  # when it last asked, in seconds since 1970, to the hour


class FollowState(Struct, frozen=True, kw_only=True):
    """A table of which a token is told, as of a revision."""

    table: str
    revision: int
    seat: int | None = None  # which looks, where the person has several at one device
    facts: EventFacts = EventFacts()
    packed: bytes | None = None  # the state that the events so far make; None where nobody folds them

    @property
    def folded(self) -> bool:
        """Tell whether the token folds the events of this table."""
        return self.packed is not None


class SentEvent(Struct, frozen=True, kw_only=True):
    """An event as it is told: JSON of an object with its number."""

    number: int
    at: float
    body: str  # "" where its table has been deleted since
    table: str


class WrittenEvents(NamedTuple):
    """The events and states that one look at the tables of a token leads to, kept together or not at all."""

    events: list[SentEvent]
    followed: list[FollowState]  # as the events leave them
    dropped: list[str]  # tables that are not followed any more
    begun: set[str]  # those of the followed tables that were not followed before


def packed(data: bytes) -> bytes:
    """Return words in the small form in which they are kept."""
    return zlib.compress(data, QUICKLY)


def unpacked(packed: bytes) -> bytes:
    """Return the words that were packed."""
    return zlib.decompress(packed)


class SubscriptionRepository(Protocol):
    """Where it is kept what programs follow, and what they have been told."""

    # Called with a person, a token, and the table that it follows from now on.
    begun: Callable[[str, str, Table], object] | None

    def follower(self, token: str) -> tuple[Follower, list[FollowState]] | None:
        """Return a token that is told events, with all that it follows; None if it never asked."""

    def begin(self, follower: Follower) -> None:
        """Let a token be told events, unless it is already.  Raises Refused(GONE) where it was revoked."""

    def revisions_for(self, token: str, player: str) -> dict[str, int]:
        """Return the revisions of the tables that a token follows or its person plays at, by their ids."""

    def events_after(self, token: str, after: int, most: int) -> list[SentEvent]:
        """Return the events of a token after a number, the oldest first."""

    def write_events(self, before: Follower, written: WrittenEvents, now: float) -> Follower | None:
        """Keep new events and what they leave, and return how the token stands then.

        None if others have written events of it meanwhile, or if somebody may have been erased at one of the
        tables, or the table been deleted, since they were read: what was read may name them.
        """

    def purge(self, before: float) -> None:
        """Delete some tokens that are older than a moment, not all in one call."""


def spent_events(subscriptions: SubscriptionRepository) -> Callable[[float], None]:
    """Return a job that deletes what is too old to be told, some rows at a time."""

    def purge(now: float) -> None:
        subscriptions.purge(now - KEPT_FOR)

    return purge
