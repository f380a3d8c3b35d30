"""The repository of what hosts of the site switch while it runs: rows beside the site's secrets."""

from sqlalchemy import select

from strifebarge.people.switches import SwitchState
from strifebarge.store.audit import add_entry
from strifebarge.store.clocks import begin_period
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import upsert
from strifebarge.store.schema import secrets
from strifebarge.tables.model.audit import AuditEntry

READ_ONLY, ANNOUNCEMENT = "read_only", "announcement"
SWITCHED = select(secrets.c.name, secrets.c.value).where(secrets.c.name.in_([READ_ONLY, ANNOUNCEMENT]))
SWITCH = upsert(secrets)


class SqlSwitches(AutoTransaction):
    """Implements `strifebarge.people.switches.SwitchRepository` in an SQL database."""

    def switched(self) -> SwitchState:
        with self.reading() as connection:
            result = {name: value for name, value in connection.execute(SWITCHED)}
        return SwitchState(result.get(READ_ONLY) == "on", result.get(ANNOUNCEMENT, ""))

    def set_read_only(self, on: bool, entry: AuditEntry) -> None:
        with self.writing() as connection:
            connection.execute(SWITCH(connection), {"name": READ_ONLY, "value": "on" if on else "off"})
            if not on:
                begin_period(connection, entry.at)
            add_entry(connection, entry)

    def announce(self, text: str, entry: AuditEntry) -> None:
        with self.writing() as connection:
            connection.execute(SWITCH(connection), {"name": ANNOUNCEMENT, "value": text})
            add_entry(connection, entry)
