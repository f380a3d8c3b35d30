"""Parts of statements.

Each module makes its statements once, at its head: to put one together takes longer than to carry it out.
Values are bound by name.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import BindParameter, Connection, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite

Insert: TypeAlias = postgresql.Insert | sqlite.Insert

ASKED_AT_ONCE = 500  # ids in one question

# No name to be bound is that of a column: SQLAlchemy keeps those for the values it sets.
OF: BindParameter[str] = bindparam("of")


class DialectStatement:
    """A statement for each of the two databases, where SQL has none that both understand."""

    def __init__(self, table: Table, how: Callable[[Any], Insert]):
        self.by_dialect = {"postgresql": how(postgresql.insert(table)), "sqlite": how(sqlite.insert(table))}

    def __call__(self, connection: Connection) -> Insert:
        return self.by_dialect[connection.dialect.name]


def upsert(table: Table) -> DialectStatement:
    """Make an INSERT that updates the row with the same primary key, if there is one."""
    key = [column.name for column in table.primary_key]
    rest = [column.name for column in table.c if column.name not in key]
    return DialectStatement(
        table,
        lambda insert: insert.on_conflict_do_update(
            index_elements=key, set_={name: insert.excluded[name] for name in rest}
        ),
    )


def in_portions(ids: list[str]) -> Iterator[list[str]]:
    """Yield ids, as many at a time as go into one question."""
    for start in range(0, len(ids), ASKED_AT_ONCE):
        yield ids[start : start + ASKED_AT_ONCE]


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()
