"""The part of the tables' repository about time: when the site was up, who is away, who is at a table now."""

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, bindparam, delete, extract, func, select, update

from strifebarge.rules.pace import DAY
from strifebarge.store.accounts_statements import LOCK_PLAYER
from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import OF, DialectStatement, in_portions, upsert
from strifebarge.store.schema import (
    chairs,
    forms_being_judged,
    presence,
    site_time,
    spectators,
    tables,
    uptime_periods,
    vacations,
)
from strifebarge.tables.clock.judging import JudgedForm
from strifebarge.tables.clock.site_time import Moment, StoredTime
from strifebarge.tables.clock.timekeeper import UptimePeriod
from strifebarge.tables.clock.vacation import Vacation
from strifebarge.tables.model.ports import PresenceSign

UPTIMES = (
    select(uptime_periods)
    .where(uptime_periods.c.number >= bindparam("first"))
    .order_by(uptime_periods.c.number)
)
NEWEST_UPTIME = select(uptime_periods).order_by(uptime_periods.c.number.desc()).limit(1)
# Of several who note the same, the first one does.
BEAT = (
    update(uptime_periods)
    .where(uptime_periods.c.number == bindparam("newest"), uptime_periods.c.ended == bindparam("before"))
    .values(ended=bindparam("now"), allowed=bindparam("may_pass"))
)
BEGIN_UPTIME = DialectStatement(
    uptime_periods, lambda insert: insert.on_conflict_do_nothing().returning(uptime_periods.c.number)
)

FAR_AHEAD = 3600  # seconds; no process that was held up is as late as that

KEPT_FOR = 400 * DAY  # of machines that have been booted again since
MOMENT = select(site_time).order_by(site_time.c.at.desc()).limit(1)
MOMENT_OF = select(site_time).where(site_time.c.machine == OF)
DATABASE_CLOCK = select(extract("epoch", func.clock_timestamp()))  # PostgreSQL's; SQLite has none of its own
KEEP_MOMENT = upsert(site_time)
ADD_MOMENT = DialectStatement(site_time, lambda insert: insert.on_conflict_do_nothing())
DROP_OLD_TIMES = delete(site_time).where(site_time.c.at < bindparam("since"))
DOUBT = update(site_time).values(clock_offset=0.0, offset_since=0.0)

KEEP_FORM = upsert(forms_being_judged)
DROP_FORM = delete(forms_being_judged).where(forms_being_judged.c.id == OF)
DROP_FORMS = delete(forms_being_judged).where(forms_being_judged.c.until < bindparam("now"))
FORMS = select(forms_being_judged).where(
    forms_being_judged.c.table_id == OF, forms_being_judged.c.until >= bindparam("now")
)

VACATIONS = (
    select(vacations)
    .where(vacations.c.player.in_(bindparam("people", expanding=True)))
    .order_by(vacations.c.player, vacations.c.began)
)
KEEP_VACATION = upsert(vacations)

SEE = upsert(presence)
SEEN = select(presence.c.player, presence.c.until).where(presence.c.table_id == OF)
HERE_AT = select(presence.c.table_id, presence.c.player).where(
    presence.c.table_id.in_(bindparam("ids", expanding=True)), presence.c.until >= bindparam("now")
)
DROP_SEEN = delete(presence).where(presence.c.table_id == OF, presence.c.player == bindparam("who"))

KEEP_SPECTATOR = upsert(spectators)
# Tables that are locked by a move are left for the next time; the others stay until their signs are written.
LOCK_TABLES = (
    select(tables.c.id)
    .where(tables.c.id.in_(bindparam("ids", expanding=True)))
    .with_for_update(read=True, key_share=True, skip_locked=True)
)
SEATED = select(chairs.c.table_id, chairs.c.player).where(
    chairs.c.table_id.in_(bindparam("ids", expanding=True))
)
SPECTATORS = (
    select(func.count())
    .select_from(spectators)
    .where(spectators.c.table_id == OF, spectators.c.until >= bindparam("now"))
)
DROP_SPECTATORS = delete(spectators).where(spectators.c.until < bindparam("now"))


class SqlClocks(Repository):
    """Uptime periods, vacations, and when people were last there."""

    def known_time(self, machine: str) -> StoredTime:
        with self.reading() as connection:
            moment = connection.execute(MOMENT).first()
            ours = connection.execute(MOMENT_OF, {"of": machine}).first()
            newest = connection.execute(NEWEST_UPTIME).first()
            has_own = connection.dialect.name == "postgresql"
            own = connection.scalar(DATABASE_CLOCK) if has_own else None
            reference = None if own is None else float(own)
        return StoredTime(
            Moment(*moment) if moment else None,
            Moment(*ours) if ours else None,
            UptimePeriod(*newest) if newest else None,
            reference,
        )

    def first_moment(self, moment: Moment) -> None:
        with self.writing() as connection:
            connection.execute(DROP_OLD_TIMES, {"since": moment.at - KEPT_FOR})
            connection.execute(ADD_MOMENT(connection), msgspec.structs.asdict(moment))

    def keep_moment(self, moment: Moment) -> None:
        with self.writing() as connection:
            connection.execute(KEEP_MOMENT(connection), msgspec.structs.asdict(moment))

    def doubt_wall_clock(self) -> None:
        with self.writing() as connection:
            connection.execute(DOUBT)

    def beat(self, at: float, allowed: float, apart: float = 0, moment: Moment | None = None) -> float | None:
        last = self._newest_uptime()
        if last and at - last.ended < apart and not is_to_come(last, at):
            return None
        with self.writing() as connection:
            connection.execute(DROP_SPECTATORS, {"now": at})
            connection.execute(DROP_FORMS, {"now": at})
            away = note_beat(connection, last, at, allowed)
            if moment and away is not None:
                connection.execute(KEEP_MOMENT(connection), msgspec.structs.asdict(moment))
            return away

    def wake(self, at: float) -> float:
        """Note that the site is up from now on, should it have been down for too long.

        Returns that time; a later one if the site was down then, as where a form waited meanwhile: from when
        on it was up.
        """
        last = self._newest_uptime()
        if last is None:
            return at
        if last.asleep(at):
            with self.writing() as connection:
                note_beat(connection, last, at, last.allowed)
        return max(at, last.began)

    def keep_form(self, form: JudgedForm, until: float) -> None:
        with self.writing() as connection:
            values = {"table_id": form.table, "player": form.player, "arrived": form.arrived, "until": until}
            connection.execute(KEEP_FORM(connection), {"id": form.id, **values})

    def drop_form(self, id: str) -> None:
        with self.writing() as connection:
            connection.execute(DROP_FORM, {"of": id})

    def forms_judged(self, table: str, now: float) -> list[JudgedForm]:
        with self.reading() as connection:
            rows = connection.execute(FORMS, {"of": table, "now": now})
            return [JudgedForm(id, table_id, player, arrived) for id, table_id, player, arrived, _ in rows]

    def _newest_uptime(self) -> UptimePeriod | None:
        with self.reading() as connection:
            row = connection.execute(NEWEST_UPTIME).first()
        return UptimePeriod(*row) if row else None

    def uptime_periods(self, number: int) -> list[UptimePeriod]:
        if not number:
            newest = self._newest_uptime()
            return [newest] if newest else []
        with self.reading() as connection:
            return [UptimePeriod(*row) for row in connection.execute(UPTIMES, {"first": number})]

    def vacations(self, players: list[str]) -> list[Vacation]:
        with self.reading() as connection:
            return vacations_of(connection, players)

    def set_vacation(self, player: str, how: Callable[[list[Vacation]], Vacation]) -> Vacation:
        """Keep the vacation that `how` makes of those there are; no other change of them comes between."""
        with self.writing() as connection:
            connection.execute(LOCK_PLAYER, {"of": player})
            vacation = how(vacations_of(connection, [player]))
            connection.execute(KEEP_VACATION(connection), msgspec.structs.asdict(vacation))
        return vacation

    def see(
        self, players: list[PresenceSign], spectators: list[PresenceSign], now: float
    ) -> list[PresenceSign]:
        """Note who is at tables, and who watches, until a moment if they do not ask again.

        Nothing is kept of players who do not sit at their table any more.  Return the signs at tables that
        are locked just now: they may be noted later.
        """
        signs = [*players, *spectators]
        with self.writing() as connection:
            connection.execute(DROP_SPECTATORS, {"now": now})
            there = set(connection.scalars(LOCK_TABLES, {"ids": sorted({sign.table for sign in signs})}))
            seated = {tuple(row) for row in connection.execute(SEATED, {"ids": sorted(there)})}
            # In one order everywhere: of two processes neither waits for the other.
            present = sorted(sign for sign in players if sign[:2] in seated)
            watching = sorted(sign for sign in spectators if sign.table in there)
            if present:
                rows = [{"table_id": id, "player": who, "until": until} for id, who, until in present]
                connection.execute(SEE(connection), rows)
            if watching:
                rows = [{"table_id": id, "mark": who, "until": until} for id, who, until in watching]
                connection.execute(KEEP_SPECTATOR(connection), rows)
        return [sign for sign in signs if sign.table not in there]

    def present(self, id: str) -> dict[str, float]:
        with self.reading() as connection:
            return {player: until for player, until in connection.execute(SEEN, {"of": id})}

    def here_at(self, ids: list[str], now: float) -> dict[str, frozenset[str]]:
        """Return the players who are at these tables now, of those at which there are any."""
        result: dict[str, set[str]] = {}
        with self.reading() as connection:
            for those in in_portions(ids):
                for table, player in connection.execute(HERE_AT, {"ids": those, "now": now}):
                    result.setdefault(table, set()).add(player)
        return {table: frozenset(players) for table, players in result.items()}

    def spectators(self, id: str, now: float) -> int:
        with self.reading() as connection:
            return connection.scalar(SPECTATORS, {"of": id, "now": now}) or 0


def vacations_of(connection: Connection, players: list[str]) -> list[Vacation]:
    return [Vacation(*row) for row in connection.execute(VACATIONS, {"people": players})]


def note_beat(connection: Connection, last: UptimePeriod | None, at: float, allowed: float) -> float | None:
    """Note that the site is there, after the last that was noted; for how long it was away.

    None if somebody else was quicker, whose note will do.
    """
    if last is None or last.asleep(at) or is_to_come(last, at):
        number = last.number + 1 if last else 1
        values = {"number": number, "began": at, "ended": at, "allowed": allowed}
        begun = connection.execute(BEGIN_UPTIME(connection), values).first()
        return None if begun is None else max(0.0, at - last.ended) if last else 0.0
    values = {"newest": last.number, "before": last.ended, "now": max(at, last.ended), "may_pass": allowed}
    return 0 if connection.execute(BEAT, values).rowcount else None


def begin_period(connection: Connection, at: float) -> None:
    """Note that the site is there again; however short it was away, nobody's time has run meanwhile."""
    row = connection.execute(NEWEST_UPTIME).first()
    last = UptimePeriod(*row) if row else None
    if last and at > last.ended:
        values = {"number": last.number + 1, "began": at, "ended": at, "allowed": last.allowed}
        connection.execute(BEGIN_UPTIME(connection), values)


def is_to_come(last: UptimePeriod, at: float) -> bool:
    """Return whether a period was noted by a process whose time was far ahead: another one begins then."""
    return last.ended - at > FAR_AHEAD
