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

from strifebarge.store.db.statements import DialectStatement


class CompiledSql(NamedTuple):
    """A statement as one kind of database takes it."""

    text: str
    fixed: dict[str, Any]  # the values that are always the same
    places: Sequence[str] | None  # names of the values in their order; None where they go by their names


class PreparedStatement:
    """A statement whose values are all given by name, as its driver takes them."""

    def __init__(self, statement: Executable | DialectStatement):
        self.statement = statement
        self.by_dialect: dict[str, CompiledSql] = {}

    def execute(self, connection: Connection, values: dict[str, Any]) -> Any:
        """Carry out the statement with these values; return the driver's cursor.

        Raises sqlalchemy.exc.DBAPIError, as a Connection does.
        """
        sql = self.by_dialect.get(connection.dialect.name) or self._compiled(connection)
        return _execute_compiled(connection, sql, _in_order(sql, values))

    def execute_many(self, connection: Connection, many: list[dict[str, Any]]) -> None:
        """Carry out a statement that returns nothing, with each of these values; there are some."""
        if len(many) == 1:
            self.execute(connection, many[0])
            return
        sql = self.by_dialect.get(connection.dialect.name) or self._compiled(connection)
        _execute_compiled(connection, sql, [_in_order(sql, values) for values in many], many=True)

    def _compiled(self, connection: Connection) -> CompiledSql:
        statement: Any = (
            self.statement(connection) if isinstance(self.statement, DialectStatement) else self.statement
        )
        compiled: SQLCompiler = statement.compile(dialect=connection.dialect)
        fixed = {name: value for name, value in compiled.params.items() if value is not None}
        sql = CompiledSql(str(compiled), fixed, compiled.positiontup)
        self.by_dialect[connection.dialect.name] = sql
        return sql


def _in_order(sql: CompiledSql, values: dict[str, Any]) -> Any:
    if sql.fixed:
        values = sql.fixed | values
    return values if sql.places is None else [values[name] for name in sql.places]


def _execute_compiled(connection: Connection, sql: CompiledSql, values: Any, many: bool = False) -> Any:
    for hear in connection.dispatch.before_cursor_execute:
        hear(connection, None, sql.text, values, None, many)
    driver: Any = connection.connection.driver_connection
    cursor = driver.cursor()
    try:
        if many:
            cursor.executemany(sql.text, values)
        else:
            cursor.execute(sql.text, values)
    except Exception as error:
        cursor.close()  # else SQLite might go on showing the database as it was when the statement began
        raise _as_sqlalchemy_has_it(connection, sql, error) from error
    return cursor


def _as_sqlalchemy_has_it(connection: Connection, sql: CompiledSql, error: Exception) -> BaseException:
    """Return what SQLAlchemy raises for an exception of the driver; give up a connection that is lost."""
    dialect: Any = connection.dialect
    base: type[Exception] = dialect.loaded_dbapi.Error
    if not isinstance(error, base):
        return error
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
    if lost:
        connection.invalidate(error)
    return exc.DBAPIError.instance(
        sql.text, None, error, base, hide_parameters=True, connection_invalidated=lost, dialect=dialect
    )
