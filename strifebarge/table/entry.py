"""What the books say of games that have ended, and of those who played them."""

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """How a game came to be in the books."""

    FINISHED = "finished"
    UNFINISHED = "unfinished"  # ended before its rules would have ended it: nobody won or lost
    IMPORTED = "imported"  # brought here as a file: nobody here sat there


class Rating(Struct, frozen=True):
    """How good somebody seems to be at a game (mu), how uncertain that is (sigma), after so many games.

    The numbers are those of OpenSkill, which gives newcomers 25 and a third of it.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3
    games: int = 0

    @property
    def shown(self) -> int:
        """One number for people: 1000 for a newcomer, more for whoever is almost surely that good."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))


class Seated(Struct):
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
    """One game in the books.  `rated`: the how-manieth rated one of its kind; None if it is not rated."""

    id: str
    table: str
    game: str
    kind: Kind
    public: bool = False
    rated: int | None = None
    series: str  # the first table of its row of rematches
    ended: float = 0
    seats: list[Seated] = []

    def in_seat(self, seat: int) -> list[Seated]:
        """Everybody who sat there."""
        return [each for each in self.seats if each.seat == seat]


class Tally(Struct, frozen=True):
    """One person's public games of one kind, summed up."""

    game: str
    finished: int = 0
    won: int = 0  # the first place, alone or with their team
    shared: int = 0  # the first place, with others
    unfinished: int = 0
    rating: Rating | None = None
