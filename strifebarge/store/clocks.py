"""Time: when the site was there, who is away and until when, and who is at a table just now."""

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, select, update

from strifebarge.table.timekeeper import Stretch
from strifebarge.table.vacation import Vacation

from .part import Part
from .people_statements import LOCK_PLAYER
from .schema import onlookers, seen, stretches, vacations
from .statements import OF, Both, keep

STRETCHES = select(stretches).where(stretches.c.number >= bindparam("first")).order_by(stretches.c.number)
NEWEST_STRETCH = select(stretches).order_by(stretches.c.number.desc()).limit(1)
# Of several who note the same, the first one does.
BEAT = (
    update(stretches)
    .where(stretches.c.number == bindparam("newest"), stretches.c.ended == bindparam("before"))
    .values(ended=bindparam("now"), allowed=bindparam("may_pass"))
)
BEGIN_STRETCH = Both(stretches, lambda insert: insert.on_conflict_do_nothing().returning(stretches.c.number))

VACATIONS = (
    select(vacations)
    .where(vacations.c.player.in_(bindparam("people", expanding=True)))
    .order_by(vacations.c.player, vacations.c.began)
)
KEEP_VACATION = keep(vacations)

SEE = keep(seen)
SEEN = select(seen.c.player, seen.c.until).where(seen.c.table_id == OF)
DROP_SEEN = delete(seen).where(seen.c.table_id == OF, seen.c.player == bindparam("who"))

LOOK_ON = keep(onlookers)
ONLOOKERS = (
    select(func.count())
    .select_from(onlookers)
    .where(onlookers.c.table_id == OF, onlookers.c.until >= bindparam("now"))
)
DROP_ONLOOKERS = delete(onlookers).where(onlookers.c.until < bindparam("now"))


class SqlClocks(Part):
    """What clocks go by, and when somebody was last there."""

    def beat(self, at: float, allowed: float, apart: float = 0) -> float | None:
        last = self._newest_stretch()
        if last and at - last.ended < apart:
            return None
        with self.writing() as connection:
            connection.execute(DROP_ONLOOKERS, {"now": at})
            return note_beat(connection, last, at, allowed)

    def wake(self, at: float) -> None:
        last = self._newest_stretch()
        if last and last.asleep(at):
            with self.writing() as connection:
                note_beat(connection, last, at, last.allowed)

    def _newest_stretch(self) -> Stretch | None:
        with self.reading() as connection:
            found = connection.execute(NEWEST_STRETCH).first()
        return Stretch(*found) if found else None

    def stretches(self, number: int) -> list[Stretch]:
        if not number:
            newest = self._newest_stretch()
            return [newest] if newest else []
        with self.reading() as connection:
            return [Stretch(*row) for row in connection.execute(STRETCHES, {"first": number})]

    def vacations(self, players: list[str]) -> list[Vacation]:
        with self.reading() as connection:
            return vacations_of(connection, players)

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        with self.writing() as connection:
            connection.execute(LOCK_PLAYER, {"of": player})
            vacation = how(vacations_of(connection, [player]))
            connection.execute(KEEP_VACATION(connection), msgspec.structs.asdict(vacation))
        return vacation

    def see(self, id: str, player: str, until: float) -> None:
        with self.writing() as connection:
            connection.execute(SEE(connection), {"table_id": id, "player": player, "until": until})

    def present(self, id: str) -> dict[str, float]:
        with self.reading() as connection:
            return {player: until for player, until in connection.execute(SEEN, {"of": id})}

    def look_on(self, id: str, mark: str, until: float, now: float) -> None:
        with self.writing() as connection:
            connection.execute(DROP_ONLOOKERS, {"now": now})
            connection.execute(LOOK_ON(connection), {"table_id": id, "mark": mark, "until": until})

    def onlookers(self, id: str, now: float) -> int:
        with self.reading() as connection:
            return connection.scalar(ONLOOKERS, {"of": id, "now": now}) or 0


def vacations_of(connection: Connection, players: list[str]) -> list[Vacation]:
    return [Vacation(*row) for row in connection.execute(VACATIONS, {"people": players})]


def note_beat(connection: Connection, last: Stretch | None, at: float, allowed: float) -> float | None:
    """Note that the site is there, after the last that was noted; for how long it was away.

    None if somebody else was quicker, whose note will do.
    """
    if last is None or last.asleep(at):
        number = last.number + 1 if last else 1
        values = {"number": number, "began": at, "ended": at, "allowed": allowed}
        begun = connection.execute(BEGIN_STRETCH(connection), values).first()
        return None if begun is None else at - last.ended if last else 0
    values = {"newest": last.number, "before": last.ended, "now": max(at, last.ended), "may_pass": allowed}
    return 0 if connection.execute(BEAT, values).rowcount else None
