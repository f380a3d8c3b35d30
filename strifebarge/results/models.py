"""Entries of games that have ended, and ratings of the people who played them."""

from enum import StrEnum

from msgspec import Struct

from strifebarge.rules import Text


class EntryKind(StrEnum):
    """How a game came to have an entry."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"  # ended before its rules would have ended it: nobody won or lost
    IMPORTED = "imported"  # brought here as a file: nobody here sat there


ESTABLISHED = 5  # rated games after which a rating counts on leaderboards


class Rating(Struct, frozen=True):
    """How good somebody is at a game (mu), how uncertain that is (sigma), and how many games were rated.

    The numbers are those of OpenSkill, which gives newcomers 25 and a third of it.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3
    games: int = 0

    @property
    def displayed(self) -> int:
        """Return one number for people: 1000 for a newcomer; it grows with skill and with certainty."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))

    @property
    def is_provisional(self) -> bool:
        """Return whether too few games were rated for a place on a leaderboard."""
        return self.games < ESTABLISHED


class PlayerResult(Struct):
    """Somebody who sat in a seat while a game was played, and where that led them."""

    seat: int
    team: int  # the first of the seats that played as one; mostly the seat itself
    player: str
    name: str  # what they were called at this table
    place: int | None = None  # 1 is the first; those in a tie share the better one
    shared: bool = False  # with somebody of another team
    mu: float | None = None  # their rating after this game, if it was rated
    sigma: float | None = None

    @property
    def rating(self) -> Rating | None:
        return None if self.mu is None or self.sigma is None else Rating(self.mu, self.sigma)


class Entry(Struct, kw_only=True):
    """One ended game.  `rated` counts the rated games of its kind from 1; None if this one is not rated."""

    id: str
    table: str
    game: str
    kind: EntryKind
    public: bool = False
    rated: int | None = None
    series: str  # the first table of its row of rematches
    ended: float = 0
    seats: list[PlayerResult] = []

    def in_seat(self, seat: int) -> list[PlayerResult]:
        """Return everybody who sat in a seat."""
        return [each for each in self.seats if each.seat == seat]


def caveat(entry: Entry) -> Text | None:
    """Return what to know of a game before believing its result; None if there is nothing."""
    match entry.kind:
        case EntryKind.IMPORTED:
            return Text("Imported from a file. It follows the rules, but we can't tell who played it.")
        case EntryKind.UNFINISHED:
            return Text("Ended early: nobody won or lost.")
    return None


class RatingStep(Struct, frozen=True):
    """A person's rating after one rated game."""

    record: str
    game: str
    rating: int


class Tally(Struct, frozen=True):
    """One person's public games of one kind, summed up."""

    game: str
    finished: int = 0
    won: int = 0  # the first place, alone or with their team
    shared: int = 0  # the first place, with others
    unfinished: int = 0
    rating: Rating | None = None
