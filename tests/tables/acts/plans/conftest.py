"""A game of chess, in which people plan."""

import pytest

from tests.tables.acts.plans.games import Game


@pytest.fixture
def game(referee):
    return Game(referee)
