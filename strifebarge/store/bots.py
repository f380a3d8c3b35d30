"""Bots in the database: which questions wait for them, and how many games they play."""

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    bindparam,
    case,
    exists,
    func,
    literal_column,
    select,
    true,
)

from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import OF
from strifebarge.store.schema import chairs, tables, tournament_games
from strifebarge.tables.model.bots import IDS, WaitingQuestion

WHO: BindParameter[str] = bindparam("who")
# As they are, and not as values: their statements are always the same.
BOTS: list[ColumnElement[str]] = [literal_column(f"'{id}'") for id in IDS]
EVERY_CHAIR = chairs.alias()
WITH_PEOPLE = exists().where(EVERY_CHAIR.c.table_id == chairs.c.table_id, EVERY_CHAIR.c.player.not_in(BOTS))
# Others wait for a bot in running games alone.
WAITING_FOR_BOTS = (
    select(chairs.c.table_id, chairs.c.seat, chairs.c.player, tables.c.changed, WITH_PEOPLE)
    .join(tables, tables.c.id == chairs.c.table_id)
    .where(chairs.c.player.in_(BOTS), chairs.c.to_move == true())
    .order_by(tables.c.changed, chairs.c.table_id, chairs.c.seat)
    .limit(bindparam("most"))
)
OF_TOURNAMENT = exists().where(tournament_games.c.table_id == tables.c.id)
# A bot's row says nothing of it any more once its game is over.
WITH_BOTS = (
    select(tables.c.id)
    .distinct()
    .join(chairs, chairs.c.table_id == tables.c.id)
    .where(chairs.c.player.in_(BOTS), tables.c.changed >= bindparam("since"), tables.c.id != OF)
    .where(~OF_TOURNAMENT)
    .subquery()
    .c.id
)
THEIRS = WITH_BOTS.in_(select(chairs.c.table_id).where(chairs.c.player == WHO))
GAMES_WITH_BOTS = select(func.count(), func.count(case((THEIRS, 1)))).select_from(WITH_BOTS.table)
COUNTING = 0x5742_426F_7473  # any number, but no other's: PostgreSQL's advisory lock
ALONE = select(func.pg_advisory_xact_lock(COUNTING))


class SqlBots(Repository):
    """Finds what waits for bots."""

    def waiting_for_bots(self, limit: int) -> list[WaitingQuestion]:
        """Return questions that wait for bots at running tables, those of longest ago first.

        Of suspended games there are none.  A pause stops clocks alone: bots play on in it, as people may.
        """
        with self.reading() as connection:
            return [WaitingQuestion(*row) for row in connection.execute(WAITING_FOR_BOTS, {"most": limit})]


def count_games(connection: Connection, but: str, player: str, since: float) -> tuple[int, int]:
    """Count the tables with bots at which something has happened since then, but for one table.

    Tables of tournaments do not count: the bots of a tournament are counted when they enter it.
    Returns those where a player sits, and all.  Nobody else counts until the transaction ends.
    """
    if connection.dialect.name == "postgresql":  # on SQLite the whole database is locked already
        connection.execute(ALONE)
    values = {"of": but, "who": player, "since": since}
    all_here, own = connection.execute(GAMES_WITH_BOTS, values).one()
    return own, all_here
