"""What statements are made of.  Each chapter says its own at its head, once and for all: to put a statement
together takes longer than to carry it out.  What differs from time to time is bound by name.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import BindParameter, Connection, Table, bindparam
from sqlalchemy.dialects import postgresql, sqlite

Insert: TypeAlias = postgresql.Insert | sqlite.Insert

# No name to be bound is that of a column: SQLAlchemy keeps those for the values it sets.
OF: BindParameter[str] = bindparam("of")


class Both:
    """A statement in either database's words, where SQL has none that both understand."""

    def __init__(self, table: Table, how: Callable[[Any], Insert]):
        self.words = {"postgresql": how(postgresql.insert(table)), "sqlite": how(sqlite.insert(table))}

    def __call__(self, connection: Connection) -> Insert:
        return self.words[connection.dialect.name]


def keep(table: Table) -> Both:
    """INSERT, or UPDATE what is there already by its primary key."""
    key = [column.name for column in table.primary_key]
    rest = [column.name for column in table.c if column.name not in key]
    return Both(
        table,
        lambda insert: insert.on_conflict_do_update(
            index_elements=key, set_={name: insert.excluded[name] for name in rest}
        ),
    )


def json(value: object) -> str:
    return msgspec.json.encode(value).decode()
