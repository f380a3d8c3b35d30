"""A game of chess, in which people plan."""

import pytest

from tests.store.plans.games import Game


@pytest.fixture
def game(referee):
    return Game(referee)
