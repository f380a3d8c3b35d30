"""Statements of every request, put into words once and then said to the driver as they are.

SQLAlchemy takes several times as long over a statement as SQLite does.  What is asked or written with every
page and every move is therefore compiled by it once, and executed beside it; errors are its own, and who
listens to it hears of these statements too.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, exc
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import Executable

from strifebarge.store.db.statements import Both


class Words(NamedTuple):
    """A statement as one kind of database takes it."""

    text: str
    fixed: dict[str, Any]  # the values that are always the same
    places: Sequence[str] | None  # names of the values in their order; None where they go by their names


class Prepared:
    """A statement whose values are all given by name, as its driver takes them."""

    def __init__(self, statement: Executable | Both):
        self.statement = statement
        self.words: dict[str, Words] = {}

    def execute(self, connection: Connection, values: dict[str, Any]) -> Any:
        """Carry out the statement with these values; return the driver's cursor.

        Raises sqlalchemy.exc.DBAPIError, as a Connection does.
        """
        words = self.words.get(connection.dialect.name) or self._compiled(connection)
        return _said(connection, words, _in_order(words, values))

    def execute_many(self, connection: Connection, many: list[dict[str, Any]]) -> None:
        """Carry out a statement that returns nothing, with each of these values; there are some."""
        if len(many) == 1:
            self.execute(connection, many[0])
            return
        words = self.words.get(connection.dialect.name) or self._compiled(connection)
        _said(connection, words, [_in_order(words, values) for values in many], many=True)

    def _compiled(self, connection: Connection) -> Words:
        statement: Any = self.statement(connection) if isinstance(self.statement, Both) else self.statement
        compiled: SQLCompiler = statement.compile(dialect=connection.dialect)
        fixed = {name: value for name, value in compiled.params.items() if value is not None}
        words = Words(str(compiled), fixed, compiled.positiontup)
        self.words[connection.dialect.name] = words
        return words


def _in_order(words: Words, values: dict[str, Any]) -> Any:
    if words.fixed:
        values = words.fixed | values
    return values if words.places is None else [values[name] for name in words.places]


def _said(connection: Connection, words: Words, values: Any, many: bool = False) -> Any:
    for hear in connection.dispatch.before_cursor_execute:
        hear(connection, None, words.text, values, None, many)
    driver: Any = connection.connection.driver_connection
    cursor = driver.cursor()
    try:
        if many:
            cursor.executemany(words.text, values)
        else:
            cursor.execute(words.text, values)
    except Exception as error:
        cursor.close()  # else SQLite might go on showing the database as it was when the statement began
        raise _as_sqlalchemy_has_it(connection, words, error) from error
    return cursor


def _as_sqlalchemy_has_it(connection: Connection, words: Words, error: Exception) -> BaseException:
    """Return what SQLAlchemy raises for an exception of the driver; give up a connection that is lost."""
    dialect: Any = connection.dialect
    base: type[Exception] = dialect.loaded_dbapi.Error
    if not isinstance(error, base):
        return error
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
    if lost:
        connection.invalidate(error)
    return exc.DBAPIError.instance(
        words.text, None, error, base, hide_parameters=True, connection_invalidated=lost, dialect=dialect
    )
