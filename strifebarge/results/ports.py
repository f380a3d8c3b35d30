"""Protocols of what results are kept in; `strifebarge/store/results.py` implements them.

Every method may raise Busy.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from strifebarge.table.player import Player
from strifebarge.table.table import Table

from .leaderboard import Ranked
from .models import Entry, Rating, Step, Tally


class Ladder(Protocol):
    """One transaction on all ratings of one game; nobody else rates that game until it ends."""

    def ratings(self) -> dict[str, Rating]:
        """Return all ratings by the players' secret ids."""

    def rated(self) -> list[Entry]:
        """Return all rated games in the order in which they were rated."""

    def hand_on(self, old: str, new: str) -> bool:
        """Give one person's rating to another; return False where all ratings must be made anew instead."""

    def replace(self, ratings: dict[str, Rating], entries: list[Entry]) -> None:
        """Replace all ratings, and the ratings that stand in these entries."""


class ResultsRepository(Protocol):
    """Where the entries of ended games and the ratings are kept."""

    def entry(self, id: str) -> Entry:
        """Return the entry of a game by its record's id.  Raises Refused(NO_RECORD)."""

    def series(self, id: str) -> list[Entry]:
        """Return the ended games of a row of rematches, the first one first."""

    def latest(self, player: str, most: int) -> list[Entry]:
        """Return the public games of a person that ended last, at most `most` of them."""

    def tallies(self, player: str) -> list[Tally]:
        """Sum up a person's public games by game, with their ratings."""

    def steps(self, player: str, most: int) -> list[Step]:
        """Return what a person's last rated games made of their ratings, at most `most`, in their order."""

    def companions(self, player: str) -> list[Player]:
        """Return the people somebody has played with, by the names they then had; the last one first."""

    def best(self, game: str, since: float | None, most: int) -> list[Ranked]:
        """Return the people with the best ratings in a game, the best first.

        Left out are people without a name, with a provisional rating or with a private page, and people whose
        last rated game ended before `since`, in seconds since 1970.
        """

    def rated_games(self, player: str) -> list[str]:
        """Return the games in which a person has a rating."""

    def ladders(self) -> list[str]:
        """Return the games in which anybody was ever rated."""

    def ladder(self, game: str) -> AbstractContextManager[Ladder]:
        """Lock the ratings of a game."""


class ResultsChange(Protocol):
    """The open change of a table, as far as results need it."""

    table: Table

    def enter(self, entry: Entry) -> None:
        """Keep the entry of a game."""

    def next_rated(self, game: str) -> int:
        """Return the number of one more rated game; until this transaction ends no other game gets one."""

    def ratings(self, game: str, players: list[str]) -> dict[str, Rating]:
        """Return the ratings of these people, by their secret ids."""

    def rate(self, game: str, ratings: dict[str, Rating]) -> None:
        """Keep new ratings."""

    def ladder(self, game: str) -> Ladder:
        """Return all ratings of a game, locked until this transaction ends."""
