"""How a part of the store comes by the database: by itself, or within a transaction that is open already."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sqlalchemy import Connection, Engine

from . import engine as database


class Part(ABC):
    """A chapter of what the store is asked and told.  Everything may raise Busy."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]: ...

    @abstractmethod
    def writing(self) -> AbstractContextManager[Connection]: ...


class Alone(Part):
    """Each question and each change by itself."""

    def __init__(self, engine: Engine):
        self.engine = engine

    def reading(self) -> AbstractContextManager[Connection]:
        return database.reading(self.engine)

    def writing(self) -> AbstractContextManager[Connection]:
        return database.writing(self.engine)


class Within(Part):
    """All in one transaction, which somebody else begins and ends."""

    def __init__(self, connection: Connection):
        self.connection = connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        yield self.connection

    writing = reading
