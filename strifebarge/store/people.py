"""The repository of people as hosts of the site look after them."""

from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, func, or_, select, update

from strifebarge.people.models import SECOND_CLICK, FoundPerson, PersonalLink
from strifebarge.store import accounts_statements as say
from strifebarge.store import notifications as outbox
from strifebarge.store.accounts import must_be_here, player_of
from strifebarge.store.audit import SqlAuditLog, add_entry
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF, json
from strifebarge.store.schema import accounts, audit_log, devices, players, traces
from strifebarge.tables.model.audit import ActOnPerson, AuditEntry
from strifebarge.tables.model.player import Ban

LIKE: BindParameter[str] = bindparam("like")
PERSON_COLUMNS = (
    select(
        *say.A_PLAYER,
        accounts.c.login,
        select(func.count()).where(traces.c.player == players.c.id).scalar_subquery(),
        select(func.max(devices.c.last_seen)).where(devices.c.player == players.c.id).scalar_subquery(),
    )
    .select_from(players.outerjoin(accounts, accounts.c.player == players.c.id))
    .where(players.c.gone == "")
    .order_by(players.c.name, players.c.public)
)
FIND = PERSON_COLUMNS.where(
    or_(
        players.c.public == OF,
        players.c.name.ilike(LIKE, escape="\\"),
        accounts.c.login.ilike(LIKE, escape="\\"),
    )
).limit(bindparam("most"))
WITH_BAN = PERSON_COLUMNS.where(players.c.ban.is_not(None))
SET_BAN = update(players).where(players.c.id == OF).values(ban=bindparam("kept_ban"))
LAST_ACT = select(func.coalesce(func.max(audit_log.c.number), 0))
ACTS_AFTER = (
    select(audit_log.c.number, audit_log.c.act, players.c.id)
    .select_from(audit_log.outerjoin(players, players.c.public == audit_log.c.subject))
    .where(audit_log.c.number > bindparam("number"))
)


class SqlPeople(AutoTransaction, SqlAuditLog):
    """Implements `strifebarge.people.ports.PeopleRepository` in an SQL database."""

    def find(self, text: str, most: int) -> list[FoundPerson]:
        """Return the people whose name or username has these words, or whose public id it is."""
        escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        values = {"of": text.lower(), "like": f"%{escaped}%", "most": most}
        return self._select_people(FIND, values)

    def with_ban(self) -> list[FoundPerson]:
        """Return the people of whom a ban is kept, also one that has run out."""
        return self._select_people(WITH_BAN, {})

    def _select_people(self, statement: Select[Any], values: dict[str, Any]) -> list[FoundPerson]:
        with self.reading() as connection:
            rows = connection.execute(statement, values).all()
        return [FoundPerson(player_of(row[:-3]), *row[-3:]) for row in rows]

    def set_ban(self, player: str, ban: Ban | None, entry: AuditEntry) -> None:
        """Keep a person's ban, or lift it.  Raises Refused(GONE)."""
        with self.writing() as connection:
            must_be_here(connection, player)
            connection.execute(SET_BAN, {"of": player, "kept_ban": json(ban) if ban else None})
            add_entry(connection, entry)

    def last_act(self) -> int:
        with self.reading() as connection:
            return int(connection.execute(LAST_ACT).scalar_one())

    def acts_after(self, number: int) -> list[ActOnPerson]:
        with self.reading() as connection:
            rows = connection.execute(ACTS_AFTER, {"number": number}).all()
        return [ActOnPerson(*row) for row in rows]

    def revoke(self, player: str, now: float, entry: AuditEntry) -> None:
        """End all devices, codes, links and tokens that act for a person.  Raises Refused(GONE)."""
        who = {"who": player}
        with self.writing() as connection:
            must_be_here(connection, player)
            connection.execute(say.END_DEVICES, who)
            connection.execute(say.DROP_CODES, {**who, "now": 0})
            connection.execute(say.AGE_RECEIPTS, {**who, "by": SECOND_CLICK})
            connection.execute(outbox.DROP_PUSHES, who)
            connection.execute(say.DROP_TOKENS, who)
            row = connection.execute(say.LINK_OF, who).first()
            if row and (link := PersonalLink(*row)).stands:
                # The number goes on, so that no older link ever works again.
                ended = {
                    "player": player,
                    "number": -link.number,
                    "created": now,
                    "last_used": link.last_used,
                }
                connection.execute(say.KEEP_LINK(connection), ended)
            outbox.end_links(connection, player)
            add_entry(connection, entry)
