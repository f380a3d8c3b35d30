"""The audit log: entries are added in the transaction of the act that they tell of."""

from msgspec import json
from sqlalchemy import Connection, bindparam, exists, select

from strifebarge.store.db.repository import Repository
from strifebarge.store.db.statements import OF, DialectStatement
from strifebarge.store.schema import audit_log
from strifebarge.tables.model.audit import AuditEntry, ByForm, DoneBefore

ADD_ENTRY = DialectStatement(
    audit_log,
    lambda insert: insert.on_conflict_do_nothing(index_elements=["form_key"]).returning(audit_log.c.number),
)
HAS_ENTRY = select(exists().where(audit_log.c.form_key == OF))
FORGET = audit_log.update().where(audit_log.c.subject == OF).values(details="{}")
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
        """Return the newest entries, at most `most`, the newest first."""
        with self.reading() as connection:
            rows = connection.execute(NEWEST_ENTRIES, {"most": most}).all()
        return [
            AuditEntry(each.at, each.by, each.act, each.subject, json.decode(each.details)) for each in rows
        ]


# -- inside a transaction --------------------------------------------------------


def forget_reasons(connection: Connection, person: str) -> None:
    """Delete what entries tell of a person beside the act, such as the reason of a ban."""
    connection.execute(FORGET, {"of": person})


def add_entry(connection: Connection, entry: AuditEntry) -> None:
    """Add an entry; of one transaction with the act that it tells of.

    Raises DoneBefore for the form of an earlier one.
    """
    values = {
        "at": entry.at,
        "by": str(entry.by),
        "act": entry.act,
        "subject": entry.subject,
        "details": json.encode(entry.details).decode(),
        "form_key": entry.by.key if isinstance(entry.by, ByForm) else None,
    }
    if connection.execute(ADD_ENTRY(connection), values).first() is None:
        raise DoneBefore
