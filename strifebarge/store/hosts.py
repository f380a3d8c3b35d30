"""The repository of the site's hosts: their links and sessions, and what they see of the whole site."""

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, select

from strifebarge.people.hosts import SiteOverview, opened_entry
from strifebarge.store.audit import HAS_ENTRY, add_entry
from strifebarge.store.db.engine import KINDS
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF
from strifebarge.store.notifications import WAITING
from strifebarge.store.schema import accounts, host_sessions, passkeys, players, presence, spectators, tables

HOLDS = and_(host_sessions.c.key_hash == OF, host_sessions.c.expires > bindparam("now"))
LINK = select(host_sessions.c.by).where(HOLDS, host_sessions.c.is_link)
SESSION = select(host_sessions.c.by).where(HOLDS, ~host_sessions.c.is_link)
ADD = host_sessions.insert()
END = delete(host_sessions).where(host_sessions.c.key_hash == OF)
PURGE = delete(host_sessions).where(host_sessions.c.expires <= bindparam("now"))
STATUSES = select(tables.c.status, func.count()).group_by(tables.c.status)
HAS_ACCOUNT = exists().where(accounts.c.player == players.c.id)
HAS_PASSKEY = exists().where(passkeys.c.player == players.c.id)
PEOPLE = select(func.count()).select_from(players).where(players.c.gone == "")
SIGNED_UP = PEOPLE.where(HAS_ACCOUNT | HAS_PASSKEY)
PLAYERS_NOW = select(func.count(presence.c.player.distinct())).where(presence.c.until > bindparam("now"))
SPECTATORS_NOW = select(func.count(spectators.c.mark.distinct())).where(spectators.c.until > bindparam("now"))


class SqlHosts(AutoTransaction):
    """Implements `strifebarge.people.hosts.HostRepository` in an SQL database."""

    def add_link(self, hash: str, by: str, expires: float, now: float) -> None:
        with self.writing() as connection:
            connection.execute(PURGE, {"now": now})
            connection.execute(ADD, {"key_hash": hash, "by": by, "is_link": True, "expires": expires})

    def opens(self, hash: str, now: float) -> bool:
        with self.reading() as connection:
            return connection.scalar(LINK, {"of": hash, "now": now}) is not None

    def open_session(self, link: str, session: str, until: float, now: float) -> bool:
        with self.writing() as connection:
            by = connection.scalar(LINK, {"of": link, "now": now})
            if by is None or connection.execute(END, {"of": link}).rowcount != 1:  # another was first
                return False
            connection.execute(ADD, {"key_hash": session, "by": by, "is_link": False, "expires": until})
            add_entry(connection, opened_entry(by, now))
            return True

    def session(self, hash: str, now: float) -> str | None:
        with self.reading() as connection:
            host: str | None = connection.scalar(SESSION, {"of": hash, "now": now})
            return host

    def end_session(self, hash: str) -> None:
        with self.writing() as connection:
            connection.execute(END, {"of": hash})

    def carried_out(self, key: str) -> bool:
        with self.reading() as connection:
            return bool(connection.scalar(HAS_ENTRY, {"of": key}))

    def overview(self, now: float) -> SiteOverview:
        with self.reading() as connection:
            values = {"now": now}
            signed_up = connection.scalar(SIGNED_UP) or 0
            due, oldest = connection.execute(WAITING, values).one()
            return SiteOverview(
                {status: number for status, number in connection.execute(STATUSES)},
                signed_up,
                (connection.scalar(PEOPLE) or 0) - signed_up,
                connection.scalar(PLAYERS_NOW, values) or 0,
                connection.scalar(SPECTATORS_NOW, values) or 0,
                due,
                oldest,
                database_of(connection),
            )


def database_of(connection: Connection) -> str:
    """Return the kind and version of a database."""
    version = connection.dialect.server_version_info or ()
    return f"{KINDS[connection.dialect.name]} {'.'.join(map(str, version))}"
