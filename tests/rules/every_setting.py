"""Every game there is, at every setting."""

from collections.abc import Iterator
from itertools import islice

import pytest

from strifebarge.fuzz.acts import GameSetup, settings_of
from strifebarge.rules import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.testing import random_play
from strifebarge.tables.library.library import Library

LONGEST = 20_000  # moves of a game played at random
TITLES = Library().titles
ALL_SETTINGS = [setting for title in TITLES.values() for setting in settings_of(title.rules)]
EVERY_GAME = pytest.mark.parametrize("rules", [pytest.param(t.rules, id=t.slug) for t in TITLES.values()])
EVERY_SETTING = pytest.mark.parametrize(
    "setting", [pytest.param(each, id=str(each)) for each in ALL_SETTINGS]
)


def stations(setting: GameSetup, most: int, upto: int = 200) -> Iterator[Match]:
    """Yield about `most` positions: of several short games played at random, or of a long one's beginning."""
    shown = 0
    for game in range(8):
        playing = random_play(setting.begin(f"law {game}"), Chance(f"play {game}"), LONGEST)
        for nth, match in enumerate(islice(playing, upto)):
            if nth < most // 2 or nth % (1 + 2 * upto // most) == 0 or match.result:
                shown += 1
                yield match
        if shown >= most:
            return
