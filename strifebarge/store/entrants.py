"""Rows of tournaments that others write: how a game has ended, and who a person is from now on."""

from sqlalchemy import Connection, and_, bindparam, delete, exists, false, func, or_, select, true, update

from strifebarge.store.db.statements import OF, json
from strifebarge.store.schema import entrants, tournament_games, tournament_receipts, tournaments
from strifebarge.tournaments.models import GameOutcome, TournamentStage

WHO = bindparam("who", type_=entrants.c.player.type)

END_GAME = (
    update(tournament_games)
    .where(tournament_games.c.table_id == OF, tournament_games.c.outcome == GameOutcome.RUNNING)
    .values(outcome=bindparam("ended"), places=bindparam("by_seat"))
)
PLAYS_THERE = exists().where(entrants.c.tournament_id == tournaments.c.id, entrants.c.player == WHO)

ENTERED = (
    select(
        tournaments.c.id,
        tournaments.c.game,
        func.coalesce(tournaments.c.organiser == WHO, false()),
        entrants.c.name,
        func.coalesce(entrants.c.withdrawn, false()),
    )
    .select_from(
        tournaments.outerjoin(
            entrants, and_(entrants.c.tournament_id == tournaments.c.id, entrants.c.player == WHO)
        )
    )
    .where(or_(tournaments.c.organiser == WHO, entrants.c.player == WHO))
    .order_by(tournaments.c.created, tournaments.c.id)
)

# A person who becomes another, or nobody.  First of all the tournaments are locked where they play.
TOUCH = (
    update(tournaments)
    .where(or_(tournaments.c.organiser == WHO, PLAYS_THERE))
    .values(revision=tournaments.c.revision + 1)
)
other = entrants.alias()
PLAYS_TOO = exists().where(
    other.c.tournament_id == entrants.c.tournament_id, other.c.player == bindparam("into")
)
HAND_ENTRANTS_OVER = (
    update(entrants).where(entrants.c.player == WHO, ~PLAYS_TOO).values(player=bindparam("into"))
)
FORGET_ENTRANTS = (
    update(entrants).where(entrants.c.player == WHO).values(player=None, name="", withdrawn=true())
)
# Where nothing was played yet, nothing has to stay.
UNSTARTED = select(tournaments.c.id).where(tournaments.c.stage == TournamentStage.OPEN)
DROP_ENTRANTS = delete(entrants).where(entrants.c.player == WHO, entrants.c.tournament_id.in_(UNSTARTED))
HAND_TOURNAMENTS_OVER = (
    update(tournaments).where(tournaments.c.organiser == WHO).values(organiser=bindparam("into"))
)
HAND_RECEIPTS_OVER = (
    update(tournament_receipts).where(tournament_receipts.c.player == WHO).values(player=bindparam("into"))
)
FORGET_RECEIPTS = delete(tournament_receipts).where(tournament_receipts.c.player == WHO)


def end_game(connection: Connection, table: str, outcome: GameOutcome, places: list[int]) -> None:
    """Keep how the game of a table has ended, if it has not ended before."""
    connection.execute(END_GAME, {"of": table, "ended": outcome, "by_seat": json(places)})


def lock_tournaments_of(connection: Connection, player: str) -> None:
    """Lock the tournaments that somebody plays in or organises, before the person is locked."""
    connection.execute(TOUCH, {"who": player})


def hand_tournaments_over(connection: Connection, old: str, new: str) -> None:
    """Give all that one person has in tournaments to another; who is in one twice leaves one place."""
    both = {"who": old, "into": new}
    connection.execute(HAND_ENTRANTS_OVER, both)
    connection.execute(DROP_ENTRANTS, {"who": old})
    connection.execute(FORGET_ENTRANTS, {"who": old})
    connection.execute(HAND_TOURNAMENTS_OVER, both)
    connection.execute(HAND_RECEIPTS_OVER, both)


def forget_tournaments(connection: Connection, player: str) -> None:
    """Withdraw a person from all tournaments, and forget their name there."""
    connection.execute(DROP_ENTRANTS, {"who": player})
    connection.execute(FORGET_ENTRANTS, {"who": player})
    connection.execute(HAND_TOURNAMENTS_OVER, {"who": player, "into": None})
    connection.execute(FORGET_RECEIPTS, {"who": player})
