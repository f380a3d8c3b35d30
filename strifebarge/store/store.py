"""The store of a site: one repository for each of its services; that of tables is here.

A table is locked by the transaction that changes it, from its first statement to its last; the second that
changes it waits, and then sees what the first has left.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import Engine, select

from strifebarge.rules import Refused
from strifebarge.store.accounts import SqlAccounts, keep_player
from strifebarge.store.bots import SqlBots
from strifebarge.store.change import SqlChange, SqlDraft
from strifebarge.store.db.statements import OF, DialectStatement
from strifebarge.store.hosts import SqlHosts
from strifebarge.store.ledger import add_receipt
from strifebarge.store.notifications import SqlNotifications
from strifebarge.store.people import SqlPeople
from strifebarge.store.prefetch import PrefetchedTables
from strifebarge.store.results import SqlResults
from strifebarge.store.schema import secrets
from strifebarge.store.subscriptions import SqlSubscriptions
from strifebarge.store.switches import SqlSwitches
from strifebarge.store.tables import add_table, find_table
from strifebarge.store.tokens import SqlTokens
from strifebarge.store.tournaments import SqlTournaments
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.ports import Receipt
from strifebarge.tables.model.table import Table, TableRefusal

SECRET = select(secrets.c.value).where(secrets.c.name == OF)
ADD_SECRET = DialectStatement(secrets, lambda insert: insert.on_conflict_do_nothing())


class Store:
    """The repositories of one site in an SQL database."""

    def __init__(self, engine: Engine):
        self.tables = SqlTables(engine)
        self.accounts = SqlAccounts(engine)
        self.tokens = SqlTokens(engine)
        self.people = SqlPeople(engine)
        self.switches = SqlSwitches(engine)
        self.hosts = SqlHosts(engine)
        self.results = SqlResults(engine)
        self.notifications = SqlNotifications(engine)
        self.subscriptions = SqlSubscriptions(engine)
        self.tournaments = SqlTournaments(engine)


class SqlTables(SqlBots, PrefetchedTables):
    """Implements `strifebarge.tables.model.ports.TableRepository` in an SQL database."""

    def __init__(self, engine: Engine):
        super().__init__(engine)
        self.on_change: Callable[[Table], object] | None = (
            None  # called for each changed table, after the commit
        )

    def secret(self, name: str, make: Callable[[], str]) -> str:
        """Return what the site keeps for itself under a name; `make` is called the first time only."""
        with self.reading() as connection:
            stored = connection.scalar(SECRET, {"of": name})
        if stored is None:
            with self.writing() as connection:
                connection.execute(ADD_SECRET(connection), {"name": name, "value": make()})
                stored = connection.scalar(SECRET, {"of": name})
        return str(stored)

    def draft(self, id: str, key: str = "") -> SqlDraft:
        """Read a table to change it.  Raises Refused(NO_TABLE)."""
        draft = super().draft(id, key)
        draft.on_change = self.on_change
        return draft

    @contextmanager
    def change(self, id: str) -> Iterator[SqlChange]:
        """Lock a table and yield it to be changed.  Raises Refused(NO_TABLE)."""
        with self.writing() as connection:
            change = SqlChange(connection, find_table(connection, id, lock=True))
            yield change
            change.write()
        change.tell(self.on_change)

    def add(
        self,
        table: Table,
        receipt: Receipt,
        player: Player | None = None,
        then: Callable[[SqlChange], None] | None = None,
    ) -> Table:
        """Keep a new table and its receipt, or return the table for which this key was used before."""
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
            raise Refused(TableRefusal.KEY_REUSED)
        return self.table(earlier.table)
