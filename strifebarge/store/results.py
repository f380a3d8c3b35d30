"""The repository of results: entries of ended games, the people in them, and their ratings."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, bindparam, case, delete, func, select, true, update

from strifebarge.results.leaderboard import Ranked
from strifebarge.results.models import ESTABLISHED, Entry, EntryKind, PlayerResult, Rating, RatingStep, Tally
from strifebarge.rules import Refused
from strifebarge.store.accounts_statements import HAS_RATING, MOVE_RATING, RATED_GAMES, SPLIT, WITH_OTHERS
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF, DialectStatement, json, upsert
from strifebarge.store.schema import ladders, players, ratings, record_players, records
from strifebarge.tables.model.player import PAGE, PRIVATE, Player
from strifebarge.tables.model.table import TableRefusal

SITTERS_AT_ONCE = 500  # parameters of one statement: SQLite has a limit

ENTRIES = select(
    records.c.id,
    records.c.table_id.label("table"),
    records.c.game,
    records.c.kind,
    records.c.public,
    records.c.rated,
    records.c.series,
    records.c.ended,
)
ENTRY = ENTRIES.where(records.c.id == OF)
SERIES = ENTRIES.where(records.c.series == OF).order_by(records.c.ended, records.c.id)
RATED = ENTRIES.where(records.c.game == OF, records.c.rated.is_not(None)).order_by(records.c.rated)
WITH_PERSON = records.c.id.in_(
    select(record_players.c.record_id).where(record_players.c.player == bindparam("who"))
)
LATEST = (
    ENTRIES.where(WITH_PERSON, records.c.public == true())
    .order_by(records.c.ended.desc(), records.c.id)
    .limit(bindparam("most"))
)
COMPANIONS = (
    select(record_players.c.player, record_players.c.name)
    .join(records, records.c.id == record_players.c.record_id)
    .join(players, players.c.id == record_players.c.player)
    .where(WITH_PERSON, record_players.c.player != bindparam("who"), players.c.gone == "")
    .order_by(records.c.ended.desc(), records.c.id, record_players.c.seat)
    .limit(500)
)
SITTERS = (
    select(*record_players.c)
    .where(record_players.c.record_id.in_(bindparam("of", expanding=True)))
    .order_by(record_players.c.seat, record_players.c.player)
)
# Somebody with several seats of one team has the same rating in each.
STEPS = (
    select(
        records.c.id,
        records.c.game,
        records.c.ended,
        records.c.rated,
        record_players.c.mu,
        record_players.c.sigma,
    )
    .join(records, records.c.id == record_players.c.record_id)
    .where(
        record_players.c.player == bindparam("who"),
        records.c.rated.is_not(None),
        record_players.c.mu.is_not(None),
    )
    .distinct()
    .order_by(records.c.ended.desc(), records.c.rated.desc())
    .limit(bindparam("most"))
)
FIRST = (records.c.kind == "finished") & (record_players.c.place == 1)
TALLIES = (
    select(
        records.c.game,
        func.sum(case((records.c.kind == "finished", 1), else_=0)),
        func.sum(case((FIRST & ~record_players.c.shared, 1), else_=0)),
        func.sum(case((FIRST & record_players.c.shared, 1), else_=0)),
        func.sum(case((records.c.kind == "unfinished", 1), else_=0)),
    )
    .join(record_players, record_players.c.record_id == records.c.id)
    .where(record_players.c.player == bindparam("who"), records.c.public == true())
    .group_by(records.c.game)
    .order_by(records.c.game)
)
# Preferences are written by `json`, and neither their names nor their values are anybody's own words.
IS_PRIVATE = players.c.preferences.contains(json({PAGE: PRIVATE}).strip("{}"))
ON_LEADERBOARDS = (
    (ratings.c.game == OF)
    & (ratings.c.games >= ESTABLISHED)
    & (players.c.gone == "")
    & (players.c.name != "")
    & ~IS_PRIVATE
)
RATED_LATELY = (
    select(record_players.c.player, func.count(records.c.id.distinct()).label("games"))
    .join(records, records.c.id == record_players.c.record_id)
    .where(records.c.game == OF, records.c.rated.is_not(None), records.c.ended >= bindparam("since"))
    .group_by(record_players.c.player)
    .subquery()
)
BEST_FIRST = (ratings.c.displayed.desc(), ratings.c.games.desc(), players.c.public)
BEST = (
    select(players.c.public, players.c.name, ratings.c.displayed, ratings.c.games)
    .join(players, players.c.id == ratings.c.player)
    .where(ON_LEADERBOARDS)
    .order_by(*BEST_FIRST)
    .limit(bindparam("most"))
)
BEST_LATELY = (
    select(players.c.public, players.c.name, ratings.c.displayed, RATED_LATELY.c.games)
    .join(players, players.c.id == ratings.c.player)
    .join(RATED_LATELY, RATED_LATELY.c.player == ratings.c.player)
    .where(ON_LEADERBOARDS)
    .order_by(*BEST_FIRST)
    .limit(bindparam("most"))
)
ENTER = records.insert()
ADD_SITTERS = record_players.insert()
NOTE_RATING = (
    update(record_players)
    .where(
        record_players.c.record_id == OF,
        record_players.c.seat == bindparam("where"),
        record_players.c.player == bindparam("who"),
    )
    .values(mu=bindparam("to_mu"), sigma=bindparam("to_sigma"))
)

# To count is to lock: until this transaction ends nobody else rates a game of this kind.
NEXT_RATED = DialectStatement(
    ladders,
    lambda insert: insert.on_conflict_do_update(
        index_elements=["game"], set_={"games": ladders.c.games + 1}
    ).returning(ladders.c.games),
)
LADDERS = select(ladders.c.game).order_by(ladders.c.game)
LOCK_LADDER = select(ladders.c.games).where(ladders.c.game == OF).with_for_update()
A_RATING = (ratings.c.mu, ratings.c.sigma, ratings.c.games)
RATINGS = select(ratings.c.player, *A_RATING).where(ratings.c.game == OF)
RATINGS_AMONG = RATINGS.where(ratings.c.player.in_(bindparam("people", expanding=True)))
RATINGS_OF = select(ratings.c.game, *A_RATING).where(ratings.c.player == bindparam("who"))
KEEP_RATING = upsert(ratings)
DROP_RATINGS = delete(ratings).where(ratings.c.game == OF)

NOT_ALONE = (HAS_RATING, WITH_OTHERS, SPLIT)  # found where a rating cannot simply be given to another


class SqlResults(AutoTransaction):
    """Implements `strifebarge.results.ports.ResultsRepository` in an SQL database."""

    def entry(self, id: str) -> Entry:
        """Return the entry of a game by its record's id.  Raises Refused(NO_RECORD)."""
        with self.reading() as connection:
            if result := entries(connection, ENTRY, {"of": id}):
                return result[0]
        raise Refused(TableRefusal.NO_RECORD)

    def series(self, id: str) -> list[Entry]:
        """Return the ended games of a row of rematches, the first one first."""
        with self.reading() as connection:
            return entries(connection, SERIES, {"of": id})

    def latest(self, player: str, most: int) -> list[Entry]:
        """Return the public games of a person that ended last, at most `most` of them."""
        with self.reading() as connection:
            return entries(connection, LATEST, {"who": player, "most": most})

    def steps(self, player: str, most: int) -> list[RatingStep]:
        """Return what a person's last rated games made of their ratings, at most `most`, in their order."""
        with self.reading() as connection:
            rows = connection.execute(STEPS, {"who": player, "most": most}).all()
        return [
            RatingStep(id, game, Rating(mu, sigma).displayed) for id, game, _, _, mu, sigma in reversed(rows)
        ]

    def companions(self, player: str) -> list[Player]:
        """Return the people somebody has played with, by the names they then had; the last one first."""
        with self.reading() as connection:
            rows = connection.execute(COMPANIONS, {"who": player}).all()
        latest = {other: Player(other, name) for other, name in reversed(rows)}
        return [latest.pop(other) for other, _ in rows if other in latest]

    def tallies(self, player: str) -> list[Tally]:
        """Sum up a person's public games by game, with their ratings."""
        with self.reading() as connection:
            rated = by_name(connection, RATINGS_OF, {"who": player})
            rows = connection.execute(TALLIES, {"who": player}).all()
        return [Tally(*each, rating=rated.get(each[0])) for each in rows]

    def best(self, game: str, since: float | None, most: int) -> list[Ranked]:
        """Return the people with the best ratings in a game, the best first.

        Left out are people without a name, with a provisional rating or with a private page, and people whose
        last rated game ended before `since`, in seconds since 1970.
        """
        statement = BEST if since is None else BEST_LATELY
        with self.reading() as connection:
            rows = connection.execute(statement, {"of": game, "since": since, "most": most}).all()
        return [Ranked(*each) for each in rows]

    def rated_games(self, player: str) -> list[str]:
        """Return the games in which a person has a rating."""
        return self.scalars(RATED_GAMES, who=player)

    def ladders(self) -> list[str]:
        """Return the games in which anybody was ever rated."""
        return self.scalars(LADDERS)

    @contextmanager
    def ladder(self, game: str) -> Iterator["SqlLadder"]:
        """Lock the ratings of a game and yield them."""
        with self.writing() as connection:
            yield lock_ladder(connection, game)


class SqlLadder:
    """Implements `strifebarge.results.ports.Ladder`: one transaction on all ratings of one game."""

    def __init__(self, connection: Connection, game: str):
        self.connection = connection
        self.game_key = {"of": game}

    def ratings(self) -> dict[str, Rating]:
        """Return all ratings by the players' secret ids."""
        return by_name(self.connection, RATINGS, self.game_key)

    def rated(self) -> list[Entry]:
        """Return all rated games in the order in which they were rated."""
        return entries(self.connection, RATED, self.game_key)

    def hand_on(self, old: str, new: str) -> bool:
        """Give one person's rating to another; return False where all ratings must be made anew instead."""
        values = {**self.game_key, "who": old, "new": new}
        if any(self.connection.scalar(each, values) for each in NOT_ALONE):
            return False
        self.connection.execute(MOVE_RATING, values)
        return True

    def replace(self, ratings: dict[str, Rating], entries: list[Entry]) -> None:
        """Replace all ratings, and the ratings that stand in these entries."""
        self.connection.execute(DROP_RATINGS, self.game_key)
        keep_ratings(self.connection, self.game_key["of"], ratings)
        notes = [
            {"of": entry.id, "where": each.seat, "who": each.player, "to_mu": each.mu, "to_sigma": each.sigma}
            for entry in entries
            for each in entry.seats
        ]
        if notes:
            self.connection.execute(NOTE_RATING, notes)


# -- inside a transaction --------------------------------------------------------


def lock_ladder(connection: Connection, game: str) -> SqlLadder:
    """Lock the ratings of a game until the transaction ends, and return them."""
    connection.execute(LOCK_LADDER, {"of": game})
    return SqlLadder(connection, game)


def entries(connection: Connection, statement: Select[Any], values: dict[str, Any]) -> list[Entry]:
    """Return the entries that a statement finds, with everybody who sat there."""
    result = [
        Entry(**{**row, "kind": EntryKind(row["kind"])})
        for row in connection.execute(statement, values).mappings()
    ]
    for start in range(0, len(result), SITTERS_AT_ONCE):
        by_id = {entry.id: entry for entry in result[start : start + SITTERS_AT_ONCE]}
        for id, *seated in connection.execute(SITTERS, {"of": list(by_id)}):
            by_id[id].seats = [*by_id[id].seats, PlayerResult(*seated)]
    return result


def by_name(connection: Connection, statement: Select[Any], values: dict[str, Any]) -> dict[str, Rating]:
    """Return ratings by the first column of each row: a player or a game."""
    return {name: Rating(*rest) for name, *rest in connection.execute(statement, values)}


def ratings_among(connection: Connection, game: str, players: list[str]) -> dict[str, Rating]:
    """Return the ratings of some players in one game by their secret ids."""
    return by_name(connection, RATINGS_AMONG, {"of": game, "people": players})


def keep_ratings(connection: Connection, game: str, ratings: dict[str, Rating]) -> None:
    """Keep the ratings of some players in one game, instead of those they had."""
    rows = [
        {"game": game, "player": player, "displayed": rating.displayed, **msgspec.structs.asdict(rating)}
        for player, rating in ratings.items()
    ]
    if rows:
        connection.execute(KEEP_RATING(connection), rows)


def enter(connection: Connection, entry: Entry) -> None:
    """Keep the entry of a game that has ended."""
    values = msgspec.structs.asdict(entry)
    values["table_id"] = values.pop("table")
    seats = values.pop("seats")
    connection.execute(ENTER, values)
    if seats:
        sat = [{"record_id": entry.id, **msgspec.structs.asdict(each)} for each in seats]
        connection.execute(ADD_SITTERS, sat)


def next_rated(connection: Connection, game: str) -> int:
    """Count one more rated game of its kind and return its number."""
    return connection.scalar(NEXT_RATED(connection), {"game": game, "games": 1}) or 1
