"""Answer what pages and commands ask about games that have ended."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from strifebarge.results import bookkeeper
from strifebarge.results.importing import bring
from strifebarge.results.leaderboard import LISTED, LeaderboardLine, month_of, standings
from strifebarge.results.models import Entry, Tally
from strifebarge.results.ports import ResultsRepository
from strifebarge.results.record import Record
from strifebarge.results.recording import record_from
from strifebarge.results.replaying import CheckedRecord, checked
from strifebarge.results.trends import Trend, trends
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import FormToken

MOST_STEPS = 1000  # of a person's ratings that are looked at: those of their last rated games


class RebuiltRatings(NamedTuple):
    """The ratings of one game, made anew."""

    game: str
    people: int  # who have a rating now
    changed: int  # for whom anything was different before


class Results:
    """Entries, records and ratings of ended games.  Every method may raise Busy."""

    def __init__(self, repository: ResultsRepository, referee: Referee):
        self.repository = repository
        self.referee = referee

    # -- entries -------------------------------------------------------------------

    def entry(self, id: str) -> Entry:
        """Return the entry of a game by its record's id.  Raises Refused(NO_RECORD)."""
        return self.repository.entry(id)

    def series(self, entry: Entry) -> list[Entry]:
        """Return all ended games of the row of rematches that a game belongs to, the first one first."""
        return self.repository.series(entry.series)

    def latest(self, player: str, most: int) -> list[Entry]:
        """Return the public games of a person that ended last, at most `most` of them."""
        return self.repository.latest(player, most)

    def tallies(self, player: str) -> list[Tally]:
        """Sum up a person's public games by game, with their ratings."""
        return self.repository.tallies(player)

    def trends(self, player: str) -> dict[str, Trend]:
        """Return how a person's ratings have changed, by game."""
        steps = self.repository.steps(player, MOST_STEPS)
        return trends(steps, whole=len(steps) < MOST_STEPS)

    def past_players(self, player: str) -> list[Player]:
        """Return the people somebody has played with, the last one first."""
        return self.repository.companions(player)

    def data_of(self, player: str) -> list[dict[str, Any]]:
        """Return a person's ratings, ready for JSON."""
        rated = [each for each in self.tallies(player) if each.rating]
        return [{"game": each.game, **msgspec.to_builtins(each.rating)} for each in rated]

    # -- records -------------------------------------------------------------------

    def record(self, table: str) -> Record:
        """Return the record of an ended game with its draws.  Raises Refused(NO_TABLE, NOT_OVER)."""
        record = self.bare_record(table)
        record.draws = self.check(record).draws  # none where the rules have changed since
        return record

    def bare_record(self, table: str) -> Record:
        """Return the record of an ended game without its draws, which spares playing it again.

        Raises Refused(NO_TABLE, NOT_OVER).
        """
        tables = self.referee.store
        stored = tables.table(table)
        if stored.status is not Status.OVER:
            raise Refused(TableRefusal.NOT_OVER)
        return record_from(stored, self.repository.entry(stored.ending.record), tables.rows(table, 0))

    def all_records(self, game: str | None = None) -> Iterator[Record]:
        """Yield the records of all games that are over, or of one game, the earliest first, without draws.

        One is read at a time; those that are deleted meanwhile are left out.
        """
        for table in self.referee.store.ended(game):
            try:
                record = self.bare_record(table)
            except Refused:
                continue
            yield record

    def record_data(self, table: str) -> dict[str, Any]:
        """Return the record of an ended game without its draws, ready for JSON.

        Raises Refused(NO_TABLE, NOT_OVER).
        """
        plain: dict[str, Any] = msgspec.to_builtins(self.bare_record(table))
        return plain

    def check(self, record: Record) -> CheckedRecord:
        """Play a record again, and return what came of it."""
        return checked(record, self.referee.library)

    def bring(self, player: Player, data: bytes, form: FormToken) -> Table:
        """Keep a game from a file as a table that is over.  Raises WrongRecord and leaves no trace."""
        return bring(self.referee, player, data, form)

    # -- ratings -------------------------------------------------------------------

    def leaderboard(self, game: str, this_month: bool = False) -> list[LeaderboardLine]:
        """Return the best at a game: of all rated players, or of players who have finished one this month."""
        since = month_of(self.referee.now()) if this_month else None
        return standings(self.repository.best(game, since, LISTED))

    def rebuild_ratings(self, game: str) -> RebuiltRatings:
        """Make all ratings of a game anew from its entries."""
        with self.repository.ladder(game) as ladder:
            return RebuiltRatings(game, *bookkeeper.rebuild(ladder))

    def rebuild_all_ratings(self) -> list[RebuiltRatings]:
        """Make the ratings of all games anew from their entries."""
        return [self.rebuild_ratings(game) for game in self.repository.ladders()]

    def hand_ratings_on(self, old: str, new: str) -> None:
        """Give one person's ratings to another, to whom their games have gone already."""
        for game in self.repository.rated_games(old):
            with self.repository.ladder(game) as ladder:
                bookkeeper.transfer_rating(ladder, old, new)
