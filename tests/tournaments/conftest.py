"""A site's tournaments on a database, with a clock that the test moves on."""

import pytest

from strifebarge.table.library import Library
from strifebarge.tournaments.service import Tournaments
from tests.store.conftest import engine, store
from tests.support import forms

__all__ = ["engine", "library", "referee", "store", "tournaments", "wall"]
NOON = 1_800_000_000.0


class Wall:
    """The clock on the wall."""

    def __init__(self):
        self.at = NOON

    def __call__(self):
        return self.at


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture(scope="session")
def library():
    return Library()


@pytest.fixture
def referee(store, library, wall):
    return forms.a_referee(store, library, now=wall)


@pytest.fixture
def tournaments(store, referee):
    return Tournaments(store.tournaments, referee)
