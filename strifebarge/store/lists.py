"""Lists of tables: one's own, those one is invited to, those anybody may join, and those that are played."""

import msgspec
from sqlalchemy import BindParameter, String, bindparam, select

from strifebarge.table.listing import PAGE, Wanted
from strifebarge.table.table import RUNNING as RUNNING_STATES
from strifebarge.table.table import Table

from .part import Part
from .people_statements import TABLES_TO_MOVE
from .schema import chairs, invited, listings, tables, traces
from .table import decode_table

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
    BODIES.join(invited, invited.c.table_id == tables.c.id)
    .where(invited.c.player == PLAYER, tables.c.status != "over")
    .order_by(*LATEST_FIRST)
    .limit(50)
)
OPEN_TABLES = (
    BODIES.join(listings, listings.c.table_id == tables.c.id)
    .where(
        listings.c.game.in_(bindparam("games", expanding=True)),
        listings.c.changed >= bindparam("since"),
        listings.c.free >= bindparam("free"),
        (bindparam("pace", type_=String) == "") | (listings.c.pace == bindparam("pace")),
        (bindparam("language", type_=String) == "") | (listings.c.language == bindparam("language")),
    )
    .order_by(listings.c.changed.desc(), listings.c.table_id)
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
PLAYED = tables.c.status.in_([str(each) for each in RUNNING_STATES])
RUNNING = select(tables.c.id).where(PLAYED).order_by(tables.c.id)
SILENT = select(tables.c.id).where(PLAYED, tables.c.changed <= bindparam("since"))
DUE = select(tables.c.id).where(tables.c.due <= bindparam("now")).order_by(tables.c.due).limit(200)


class SqlLists(Part):
    """Each by a query for what stands beside the tables' bodies."""

    def running(self) -> list[str]:
        with self.reading() as connection:
            return list(connection.scalars(RUNNING))

    def silent(self, since: float) -> list[str]:
        with self.reading() as connection:
            return list(connection.scalars(SILENT, {"since": since}))

    def due(self, at: float) -> list[str]:
        with self.reading() as connection:
            return list(connection.scalars(DUE, {"now": at}))

    def tables_of(self, player: str) -> list[Table]:
        with self.reading() as connection:
            bodies = connection.scalars(TABLES_OF, {"player": player}).all()
        return [decode_table(body) for body in bodies]

    def missed(self, player: str, since: float) -> int:
        with self.reading() as connection:
            bodies = connection.scalars(KNOWN_LATELY, {"player": player, "since": since}).all()
        chairs = (chair for body in bodies for chair in decode_table(body).chairs)
        return sum(at >= since for chair in chairs for at in chair.missed.get(player, ()))

    def tables_inviting(self, player: str) -> list[Table]:
        with self.reading() as connection:
            bodies = connection.scalars(TABLES_INVITING, {"player": player}).all()
        return [decode_table(body) for body in bodies]

    def open_tables(self, wanted: Wanted) -> tuple[list[Table], bool]:
        values = {
            **msgspec.structs.asdict(wanted),
            "skip": (wanted.page - 1) * PAGE,
            "most": PAGE + 1,
        }
        with self.reading() as connection:
            bodies = connection.scalars(OPEN_TABLES, values).all()
        return [decode_table(body) for body in bodies[:PAGE]], len(bodies) > PAGE

    def waiting_for(self, player: str) -> int:
        with self.reading() as connection:
            return connection.scalar(WAITING_FOR, {"player": player}) or 0
