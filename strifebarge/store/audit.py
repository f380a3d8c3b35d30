"""The audit log: entries are added in the transaction of the act that they tell of."""

from msgspec import json
from sqlalchemy import Connection, bindparam, select

from strifebarge.table.audit import AuditEntry

from .repository import Repository
from .schema import audit_log

ADD_ENTRY = audit_log.insert()
NEWEST_ENTRIES = (
    select(audit_log.c.at, audit_log.c.by, audit_log.c.act, audit_log.c.subject, audit_log.c.details)
    .order_by(audit_log.c.number.desc())
    .limit(bindparam("most"))
)


class SqlAuditLog(Repository):
    """Adds entries, and reads the newest."""

    def add_to_audit_log(self, entry: AuditEntry) -> None:
        with self.writing() as connection:
            add_entry(connection, entry)

    def audit_log(self, most: int) -> list[AuditEntry]:
        with self.reading() as connection:
            found = connection.execute(NEWEST_ENTRIES, {"most": most}).all()
        return [
            AuditEntry(each.at, each.by, each.act, each.subject, json.decode(each.details)) for each in found
        ]


# -- inside a transaction --------------------------------------------------------


def add_entry(connection: Connection, entry: AuditEntry) -> None:
    """Add an entry; of one transaction with the act that it tells of."""
    values = {
        "at": entry.at,
        "by": entry.by,
        "act": entry.act,
        "subject": entry.subject,
        "details": json.encode(entry.details).decode(),
    }
    connection.execute(ADD_ENTRY, values)
