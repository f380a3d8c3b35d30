"""A site's tournaments on a database, with a clock that the test moves on."""

import pytest

from strifebarge.tournaments.service import Tournaments
from tests.store.conftest import engine, library, store
from tests.support import forms
from tests.web.house import Wall

__all__ = ["engine", "library", "referee", "store", "tournaments", "wall"]


@pytest.fixture
def wall():
    return Wall()


@pytest.fixture
def referee(store, library, wall):
    return forms.a_referee(store, library, now=wall)


@pytest.fixture
def tournaments(store, referee):
    return Tournaments(store.tournaments, referee)
