"""The repository of tournaments.

A tournament is locked by the transaction that changes it, from its first statement to its last.  How a game
has ended is written by the transaction of its table, which locks the game's row alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, bindparam, delete, exists, func, or_, select, true

from strifebarge.rules import Refused
from strifebarge.store.accounts import keep_player
from strifebarge.store.bots import ALONE, BOTS
from strifebarge.store.change import add_with
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF, DialectStatement, json, upsert
from strifebarge.store.entrants import PLAYS_THERE, WHO
from strifebarge.store.ledger import KEPT_FOR, now_and_then
from strifebarge.store.schema import entrants, tournament_games, tournament_receipts, tournaments
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Busy, Receipt
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.turn import Turn
from strifebarge.tournaments.models import Entrant, GameOutcome, Tournament, TournamentGame, TournamentStage
from strifebarge.tournaments.reasons import TournamentRefusal

TOURNAMENTS = select(tournaments.c.revision, tournaments.c.organiser, tournaments.c.body)
TOURNAMENT = TOURNAMENTS.where(tournaments.c.id == OF)
LOCK_TOURNAMENT = TOURNAMENT.with_for_update()  # on SQLite the whole database is locked already
ENTRANTS = (
    select(*(column for column in entrants.c if column.name != "tournament_id"))
    .where(entrants.c.tournament_id == OF)
    .order_by(entrants.c.number)
)
GAMES = (
    select(*(column for column in tournament_games.c if column.name != "tournament_id"))
    .where(tournament_games.c.tournament_id == OF)
    .order_by(tournament_games.c.round, tournament_games.c.board, tournament_games.c.attempt)
)
ADD_TOURNAMENT = DialectStatement(
    tournaments, lambda insert: insert.on_conflict_do_nothing().returning(tournaments.c.id)
)
KEEP_TOURNAMENT = upsert(tournaments)
KEEP_ENTRANT = upsert(entrants)
DROP_ENTRANT = delete(entrants).where(entrants.c.tournament_id == OF, entrants.c.number == bindparam("that"))
ADD_GAMES = tournament_games.insert()
DELETE_TOURNAMENT = delete(tournaments).where(tournaments.c.id == OF)

RECEIPT = select(
    tournament_receipts.c.key,
    tournament_receipts.c.player,
    tournament_receipts.c.tournament_id,
    tournament_receipts.c.digest,
    tournament_receipts.c.at,
).where(tournament_receipts.c.key == bindparam("used"))
ADD_RECEIPT = DialectStatement(
    tournament_receipts,
    lambda insert: insert.on_conflict_do_nothing().returning(tournament_receipts.c.key),
)

PURGE_RECEIPTS = delete(tournament_receipts).where(tournament_receipts.c.at < bindparam("before"))

IDS = select(tournaments.c.id)
LISTED = (
    IDS.where(tournaments.c.listed == true())
    .order_by(tournaments.c.changed.desc(), tournaments.c.id)
    .limit(bindparam("most"))
)
OF_PLAYER = IDS.where(or_(tournaments.c.organiser == WHO, PLAYS_THERE)).order_by(
    tournaments.c.changed.desc(), tournaments.c.id
)
RUNS = exists().where(
    tournament_games.c.tournament_id == tournaments.c.id, tournament_games.c.outcome == GameOutcome.RUNNING
)
ENDED = select(func.count()).where(
    tournament_games.c.tournament_id == tournaments.c.id, tournament_games.c.outcome != GameOutcome.RUNNING
)
VERSIONS = select(tournaments.c.id, tournaments.c.revision + ENDED.scalar_subquery()).where(
    tournaments.c.id.in_(bindparam("those", expanding=True))
)
DUE = IDS.where(tournaments.c.stage == TournamentStage.RUNNING, ~RUNS).order_by(tournaments.c.changed)
OPEN_SINCE = IDS.where(
    tournaments.c.stage == TournamentStage.OPEN, tournaments.c.changed < bindparam("since")
)
COUNT_BOTS = (
    select(func.count().filter(tournaments.c.organiser == WHO), func.count())
    .select_from(entrants.join(tournaments))
    .where(entrants.c.player.in_(BOTS), tournaments.c.stage != TournamentStage.OVER)
)

decode = msgspec.json.Decoder(Tournament).decode
decode_numbers = msgspec.json.Decoder(list[int]).decode


class SqlTournaments(AutoTransaction):
    """Implements `strifebarge.tournaments.ports.TournamentRepository` in an SQL database."""

    on_change: Callable[[str], object] | None = None

    def tournament(self, id: str) -> Tournament:
        """Return a tournament.  Raises Refused(NO_TOURNAMENT)."""
        with self.reading() as connection:
            return find_tournament(connection, id)

    def add(self, tournament: Tournament, organiser: Player, receipt: Receipt) -> str:
        """Keep a new tournament, and return its id; or that of the one this form has opened before.

        Raises Refused: KEY_REUSED, GONE.
        """
        with self.writing() as connection:
            keep_player(connection, organiser)
            if earlier := receipt_of(connection, receipt):
                return earlier
            if connection.execute(ADD_TOURNAMENT(connection), tournament_row(tournament)).first() is None:
                raise Busy(f"there is a tournament {tournament.id} already")
            add_tournament_receipt(connection, receipt, tournament.id)
        return tournament.id

    @contextmanager
    def change(self, id: str, receipt: Receipt | None = None) -> "Iterator[SqlTournamentChange | None]":
        """Yield the change of a tournament, locked until the end of the block.

        Yields None where the form was accepted before; its receipt is kept with the change.  Raises Refused:
        NO_TOURNAMENT, KEY_REUSED.
        """
        with self.writing() as connection:
            change = SqlTournamentChange(connection, find_tournament(connection, id, lock=True))
            if receipt and receipt_of(connection, receipt):
                yield None
                return
            yield change
            change.write()
            if receipt and change.written:
                add_tournament_receipt(connection, receipt, id)
        if self.on_change and change.written:
            self.on_change(id)

    def accepted(self, key: str) -> bool:
        """Return whether a form of this key was accepted."""
        with self.reading() as connection:
            return connection.execute(RECEIPT, {"used": key}).first() is not None

    def versions(self, ids: list[str]) -> dict[str, int]:
        """Return the versions of the tournaments among these that there are."""
        with self.reading() as connection:
            return {id: version for id, version in connection.execute(VERSIONS, {"those": ids})}

    def listed(self, most: int) -> list[Tournament]:
        """Return the listed tournaments, those changed last first."""
        return self._select_tournaments(LISTED, {"most": most})

    def of_player(self, player: str) -> list[Tournament]:
        """Return the tournaments that somebody plays in or organises, those changed last first."""
        return self._select_tournaments(OF_PLAYER, {"who": player})

    def _select_tournaments(self, statement: Select[Any], values: dict[str, Any]) -> list[Tournament]:
        with self.reading() as connection:
            return [find_tournament(connection, id) for id in connection.scalars(statement, values).all()]

    def due(self) -> list[str]:
        """Return the ids of the tournaments that are to go on: no game is running."""
        return self.scalars(DUE)

    def open_since(self, since: float) -> list[str]:
        """Return the tournaments that have not started, and where nothing has happened since a moment."""
        return self.scalars(OPEN_SINCE, since=since)


class SqlTournamentChange:
    """One transaction on one tournament, as the port has it."""

    def __init__(self, connection: Connection, tournament: Tournament):
        self.connection = connection
        self.tournament = tournament
        self.written = False
        self.deleted = False
        self.entrants_before = {each.number: entrant_row(tournament.id, each) for each in tournament.entrants}
        self.games_before = {_place(game) for game in tournament.games}

    def open_table(self, turn: Turn) -> None:
        """Keep a new table with all that its first turn has to write."""
        add_with(self.connection, turn.table, turn.commit)

    def save_player(self, player: Player) -> None:
        """Keep a person, new or under a new name.  Raises Refused(GONE)."""
        keep_player(self.connection, player)

    def count_bots(self) -> tuple[int, int]:
        """Count the bots in tournaments that are not over: in those of its organiser, and in all."""
        if self.connection.dialect.name == "postgresql":
            self.connection.execute(ALONE)
        own, all_here = self.connection.execute(COUNT_BOTS, {"who": self.tournament.organiser}).one()
        return own, all_here

    def delete(self) -> None:
        """Delete this tournament and all that is kept of it."""
        self.connection.execute(DELETE_TOURNAMENT, {"of": self.tournament.id})
        self.deleted = True

    def write(self) -> None:
        """Write what has changed, if `written`."""
        tournament = self.tournament
        if not self.written or self.deleted:
            return
        tournament.revision += 1
        self.connection.execute(KEEP_TOURNAMENT(self.connection), tournament_row(tournament))
        rows = {each.number: entrant_row(tournament.id, each) for each in tournament.entrants}
        for number in self.entrants_before.keys() - rows.keys():
            self.connection.execute(DROP_ENTRANT, {"of": tournament.id, "that": number})
        changed = [row for number, row in rows.items() if row != self.entrants_before.get(number)]
        if changed:
            self.connection.execute(KEEP_ENTRANT(self.connection), changed)
        new = [
            game_row(tournament.id, game)
            for game in tournament.games
            if _place(game) not in self.games_before
        ]
        if new:
            self.connection.execute(ADD_GAMES, new)


def _place(game: TournamentGame) -> tuple[int, int, int]:
    return game.round, game.board, game.attempt


# -- rows ----------------------------------------------------------------------------


def find_tournament(connection: Connection, id: str, lock: bool = False) -> Tournament:
    """Return a tournament.  Raises Refused(NO_TOURNAMENT)."""
    stored = connection.execute(LOCK_TOURNAMENT if lock else TOURNAMENT, {"of": id}).first()
    if stored is None:
        raise Refused(TournamentRefusal.NO_TOURNAMENT)
    tournament = decode(stored.body)
    tournament.revision, tournament.organiser = stored.revision, stored.organiser
    tournament.entrants = [Entrant(*row) for row in connection.execute(ENTRANTS, {"of": id})]
    tournament.games = [_game(row) for row in connection.execute(GAMES, {"of": id})]
    return tournament


def _game(row: Any) -> TournamentGame:
    return TournamentGame(
        round=row.round,
        board=row.board,
        attempt=row.attempt,
        table=row.table_id,
        outcome=GameOutcome(row.outcome),
        entrants=decode_numbers(row.entrants),
        places=decode_numbers(row.places),
        bye=row.bye,
    )


def tournament_row(tournament: Tournament) -> dict[str, Any]:
    """Return the row of a tournament; its entrants and games have rows of their own."""
    return {
        "id": tournament.id,
        "game": tournament.game,
        "stage": tournament.stage,
        "listed": tournament.listed,
        "organiser": tournament.organiser,
        "revision": tournament.revision,
        "created": tournament.created,
        "changed": tournament.changed,
        "body": json(msgspec.structs.replace(tournament, organiser=None, entrants=[], games=[])),
    }


def entrant_row(id: str, each: Entrant) -> dict[str, Any]:
    """Return the row of an entrant."""
    return {"tournament_id": id, **msgspec.structs.asdict(each)}


def game_row(id: str, game: TournamentGame) -> dict[str, Any]:
    """Return the row of a game."""
    row = msgspec.structs.asdict(game)
    numbers = {"entrants": json(row.pop("entrants")), "places": json(row.pop("places"))}
    return {"tournament_id": id, "table_id": row.pop("table"), **row, **numbers}


# -- inside a transaction ------------------------------------------------------------


def receipt_of(connection: Connection, receipt: Receipt) -> str | None:
    """Return the tournament at which this very form was accepted before.  Raises Refused(KEY_REUSED)."""
    row = connection.execute(RECEIPT, {"used": receipt.key}).first()
    if row and row.digest != receipt.digest:
        raise Refused(TableRefusal.KEY_REUSED)
    return row.tournament_id if row else None


def add_tournament_receipt(connection: Connection, receipt: Receipt, id: str) -> None:
    """Keep that a form was accepted.  Raises Busy if the same form was accepted at the same moment."""
    if now_and_then():
        connection.execute(PURGE_RECEIPTS, {"before": receipt.at - KEPT_FOR})
    row = {"key": receipt.key, "player": receipt.player, "digest": receipt.digest, "at": receipt.at}
    if connection.execute(ADD_RECEIPT(connection), {"tournament_id": id, **row}).first() is None:
        raise Busy("the same form was accepted at the same moment")
