"""A game in which thinking fails, for thinking processes and for this one."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from strifebarge.bots.player.task import BotTask, SightingData
from strifebarge.bots.player.thinker import Thinker
from strifebarge.bots.search.sighting import sighting
from strifebarge.rules import Game
from strifebarge.rules.match import Match
from strifebarge.rules.schema import options_type

FOLDER = Path(__file__).with_name("games")


@pytest.fixture
def unfit(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Game[Any]]]:
    """The rules of that game, read until the end of the test."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(FOLDER)])
    from games.unfit.rules import Unfit  # type: ignore[import-not-found]

    yield Unfit
    for name in [name for name in sys.modules if name.startswith("games.unfit")]:
        del sys.modules[name]


def task_of(rules: type[Game[Any]], **options: Any) -> BotTask:
    """The first question of a game, at a level that overlooks nothing."""
    match = Match.new(rules, 2, "a deal", options_type(rules)(**options))
    return BotTask(SightingData.of(sighting(match, 0)), "medium", "a secret", 1.0)


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    """A process that thinks."""
    with_us = Thinker([FOLDER])
    yield with_us
    with_us.close()
    with_us.end()
