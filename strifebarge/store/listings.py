"""The part of the tables' repository about lists: own, inviting, open and running tables."""

import msgspec
from sqlalchemy import BindParameter, String, bindparam, exists, select

from strifebarge.store.accounts_statements import TABLES_TO_MOVE
from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import in_portions
from strifebarge.store.schema import chairs, invitations, listings, records, tables, traces
from strifebarge.store.tables import decode_table
from strifebarge.tables.model.listing import PAGE, TableSearch
from strifebarge.tables.model.table import RUNNING as RUNNING_STATES
from strifebarge.tables.model.table import Status, Table

PLAYER: BindParameter[str] = bindparam("player")
LATEST_FIRST = (tables.c.changed.desc(), tables.c.id)
BODIES = select(tables.c.body)

WITH_PLAYER = chairs.c.player == PLAYER
THEIRS = tables.c.id.in_(select(chairs.c.table_id).where(WITH_PLAYER))
TABLES_OF = BODIES.where(THEIRS).order_by(*LATEST_FIRST)
# Those they had a seat at, also where it is another's by now.
KNOWN_LATELY = BODIES.join(traces, traces.c.table_id == tables.c.id).where(
    traces.c.player == PLAYER, tables.c.changed >= bindparam("since")
)
WAITING_FOR = select(TABLES_TO_MOVE).where(WITH_PLAYER, chairs.c.to_move)
TABLES_INVITING = (
    BODIES.join(invitations, invitations.c.table_id == tables.c.id)
    .where(invitations.c.player == PLAYER, tables.c.status != "over")
    .order_by(*LATEST_FIRST)
    .limit(50)
)
OPEN_TABLES = (
    BODIES.join(listings, listings.c.table_id == tables.c.id)
    .where(
        tables.c.status == bindparam("status"),
        listings.c.game.in_(bindparam("games", expanding=True)),
        listings.c.changed >= bindparam("since"),
        listings.c.free_seats >= bindparam("free"),
        (bindparam("pace", type_=String) == "") | (listings.c.pace == bindparam("pace")),
        (bindparam("language", type_=String) == "") | (listings.c.language == bindparam("language")),
    )
    .order_by(listings.c.changed.desc(), listings.c.table_id)
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
PLAYED = tables.c.status.in_([str(each) for each in RUNNING_STATES])
REVISIONS = select(tables.c.id, tables.c.revision).where(tables.c.id.in_(bindparam("those", expanding=True)))
RUNNING = select(tables.c.id).where(PLAYED).order_by(tables.c.id)
# Few tables have one, and only the host asks: it is worth no column.
FAULTY = select(tables.c.body).where(tables.c.body.contains('"fault":{')).order_by(tables.c.changed.desc())
LATEST = (
    BODIES.where(
        (bindparam("status", type_=String) == "") | (tables.c.status == bindparam("status")),
        (bindparam("game", type_=String) == "") | (tables.c.game == bindparam("game")),
    )
    .order_by(*LATEST_FIRST)
    .limit(bindparam("most"))
)
SILENT = select(tables.c.id).where(PLAYED, tables.c.changed <= bindparam("since"))
OPEN_SINCE = select(tables.c.id).where(
    tables.c.status == str(Status.OPEN), tables.c.changed <= bindparam("since")
)
# Rated ones are never among them: the ratings of their players follow from them.
OVER_SINCE = select(tables.c.id).where(
    tables.c.status == str(Status.OVER),
    tables.c.changed <= bindparam("since"),
    ~exists().where(records.c.table_id == tables.c.id, records.c.rated.is_not(None)),
)
ENDED = select(tables.c.id).where(tables.c.status == str(Status.OVER)).order_by(tables.c.ended, tables.c.id)
DUE = select(tables.c.id).where(tables.c.due <= bindparam("now")).order_by(tables.c.due).limit(200)


class SqlLists(Repository):
    """Finds tables by the rows that stand beside their bodies."""

    def revisions(self, ids: list[str]) -> dict[str, int]:
        """Return the revisions of these tables, of those that are there."""
        by_id: dict[str, int] = {}
        with self.reading() as connection:
            for those in in_portions(ids):
                by_id |= {id: revision for id, revision in connection.execute(REVISIONS, {"those": those})}
        return by_id

    def running(self) -> list[str]:
        """Return the ids of all tables whose game has begun and is not over."""
        return self.scalars(RUNNING)

    def latest(self, status: str | None, game: str | None, most: int) -> list[Table]:
        """Return at most `most` tables of a status, a game, or all, those changed last first."""
        bodies = self.scalars(LATEST, status=status or "", game=game or "", most=most)
        return [decode_table(body) for body in bodies]

    def faulty(self) -> list[Table]:
        """Return the tables at which a game's code has failed, the newest first; some go on since."""
        return [decode_table(body) for body in self.scalars(FAULTY)]

    def silent(self, since: float) -> list[str]:
        """Return the running games at which nothing has happened since a moment."""
        return self.scalars(SILENT, since=since)

    def open_since(self, since: float) -> list[str]:
        """Return the tables that have not begun, and at which nothing has happened since a moment."""
        return self.scalars(OPEN_SINCE, since=since)

    def over_since(self, since: float) -> list[str]:
        """Return the unrated games that are over, and at which nothing has happened since a moment."""
        return self.scalars(OVER_SINCE, since=since)

    def ended(self, game: str | None) -> list[str]:
        """Return the ids of all tables whose game is over, or of those with one game, the earliest first."""
        statement = ENDED.where(tables.c.game == bindparam("kind")) if game else ENDED
        return self.scalars(statement, **({"kind": game} if game else {}))

    def due(self, at: float) -> list[str]:
        """Return the ids of tables at which a deadline may have passed, that of longest ago first."""
        return self.scalars(DUE, now=at)

    def tables_of(self, player: str) -> list[Table]:
        """Return all tables where a player sits, the one changed last first."""
        return [decode_table(body) for body in self.scalars(TABLES_OF, player=player)]

    def missed(self, player: str, since: float) -> int:
        """Count the deadlines that somebody has let pass since then."""
        bodies = self.scalars(KNOWN_LATELY, player=player, since=since)
        chairs = (chair for body in bodies for chair in decode_table(body).chairs)
        return sum(at >= since for chair in chairs for at in chair.missed.get(player, ()))

    def tables_inviting(self, player: str) -> list[Table]:
        """Return the tables to which somebody was invited by name and has not answered, the newest first."""
        return [decode_table(body) for body in self.scalars(TABLES_INVITING, player=player)]

    def open_tables(self, search: TableSearch) -> tuple[list[Table], bool]:
        """Return a page of the list of open tables, those changed last first; and whether more follow."""
        values = {
            **msgspec.structs.asdict(search),
            "skip": (search.page - 1) * PAGE,
            "most": PAGE + 1,
        }
        bodies = self.scalars(OPEN_TABLES, **values)
        return [decode_table(body) for body in bodies[:PAGE]], len(bodies) > PAGE

    def waiting_for(self, player: str) -> int:
        with self.reading() as connection:
            return connection.scalar(WAITING_FOR, {"player": player}) or 0
