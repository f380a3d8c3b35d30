"""The referee's store: tables, their ledgers and people, in a database.

A table is locked by the transaction that changes it, from its first statement to its last: whoever comes
second waits, and then sees what the first has left.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import Engine, select

from strifebarge.rules import Refused
from strifebarge.table.ports import Player, Receipt
from strifebarge.table.table import No, Table

from .books import SqlBooks
from .change import SqlChange
from .clocks import SqlClocks
from .ledger import SqlLedger, add_receipt
from .lists import SqlLists
from .outbox import SqlOutbox
from .part import Alone
from .people import SqlPeople, keep_player
from .schema import secrets
from .statements import OF, Both
from .table import add_table, find_table
from .talk import SqlTalk

SECRET = select(secrets.c.value).where(secrets.c.name == OF)
ADD_SECRET = Both(secrets, lambda insert: insert.on_conflict_do_nothing())


class SqlStore(SqlPeople, SqlLists, SqlLedger, SqlTalk, SqlClocks, SqlBooks, Alone):
    """The referee's Store in an SQL database.  Everything may raise Busy."""

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self.outbox = SqlOutbox(engine)

    def table(self, id: str) -> Table:
        with self.reading() as connection:
            return find_table(connection, id)

    def secret(self, name: str, make: Callable[[], str]) -> str:
        with self.reading() as connection:
            found = connection.scalar(SECRET, {"of": name})
        if found is None:
            with self.writing() as connection:
                connection.execute(ADD_SECRET(connection), {"name": name, "value": make()})
                found = connection.scalar(SECRET, {"of": name})
        return str(found)

    @contextmanager
    def change(self, id: str) -> Iterator[SqlChange]:
        """Lock a table and change it.  Raises Refused(NO_TABLE)."""
        with self.writing() as connection:
            change = SqlChange(connection, find_table(connection, id, lock=True))
            yield change
            change.write()

    def add(
        self,
        table: Table,
        receipt: Receipt,
        player: Player | None = None,
        then: Callable[[SqlChange], None] | None = None,
    ) -> Table:
        """Keep a new table and its receipt; or find the table that this receipt's key was given for."""
        with self.writing() as connection:
            if player:
                keep_player(connection, player)
            add_table(connection, table)
            # Of two with the same key at the same moment, the second waits here for the first.
            if add_receipt(connection, msgspec.structs.replace(receipt, table=table.id)):
                change = SqlChange(connection, table)
                change.met.add(receipt.player)
                if then:
                    then(change)
                change.write()
                return table
            connection.rollback()
        earlier = self.receipt(receipt.key)
        if earlier is None or earlier.digest != receipt.digest:
            raise Refused(No.KEY_REUSED)
        return self.table(earlier.table)
