"""A store on a database that is up to date."""

from tests.store.conftest import engine, library, referee, store

__all__ = ["engine", "library", "referee", "store"]
