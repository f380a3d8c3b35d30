"""How a repository gets its connections: in a transaction for each call, or in one that is open already."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, Select

from strifebarge.store.db import engine as database


class Repository(ABC):
    """Reads and writes one kind of thing.  Every method of a subclass may raise Busy."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """Yield a connection to read from."""

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]:
        """Yield a connection in a transaction, which is kept if the block comes to its end."""

    def scalars(self, statement: Select[Any], **values: Any) -> list[Any]:
        """Return the first column of what is selected."""
        with self.reading() as connection:
            return list(connection.scalars(statement, values))


class AutoTransaction(Repository):
    """Reads and writes in a transaction of its own for each call."""

    def __init__(self, engine: Engine):
        self.engine = engine

    def reading(self) -> AbstractContextManager[Connection]:
        return database.reading(self.engine)

    def writing(self) -> AbstractContextManager[Connection]:
        return database.writing(self.engine)


class InTransaction(Repository):
    """Reads and writes in one transaction, which is begun and ended elsewhere."""

    def __init__(self, connection: Connection):
        self.connection = connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self.connection

    writing = reading
