"""The two statements in which a request asks about a table: the table itself, and its people."""

from sqlalchemy import (
    BindParameter,
    Double,
    and_,
    bindparam,
    func,
    select,
    true,
)

from strifebarge.store.clocks import NEWEST_UPTIME
from strifebarge.store.db.prepared import PreparedStatement
from strifebarge.store.db.statements import OF
from strifebarge.store.schema import (
    chairs,
    presence,
    receipts,
    spectators,
    subscribers,
    tables,
    vacations,
)

NOW: BindParameter[float] = bindparam("now", type_=Double())
NEWEST = NEWEST_UPTIME.subquery()
uptime = NEWEST.c

WATCHING = (
    select(func.count())
    .select_from(spectators)
    .where(spectators.c.table_id == OF, spectators.c.until >= NOW)
    .scalar_subquery()
)
# The table, its spectators, since when the site is up, and the receipt of a form that was accepted before.
TABLE = PreparedStatement(
    select(tables.c.body, WATCHING)
    .add_columns(uptime.number, uptime.began, uptime.ended, uptime.allowed, *receipts.c)
    .select_from(tables.outerjoin(NEWEST, true()).outerjoin(receipts, receipts.c.key == bindparam("used")))
    .where(tables.c.id == OF)
)

# Who sits there, until when they are there, and how they want to be told.
PEOPLE = PreparedStatement(
    select(chairs.c.player, presence.c.until, subscribers.c.body)
    .select_from(
        chairs.outerjoin(
            presence, and_(presence.c.table_id == chairs.c.table_id, presence.c.player == chairs.c.player)
        ).outerjoin(subscribers, subscribers.c.player == chairs.c.player)
    )
    .where(chairs.c.table_id == OF, chairs.c.player.is_not(None))
)

VACATIONS = PreparedStatement(
    select(vacations)
    .where(vacations.c.player.in_(select(chairs.c.player).where(chairs.c.table_id == OF)))
    .order_by(vacations.c.player, vacations.c.began)
)
