"""Every game there is, at every setting."""

import pytest

from strifebarge.fuzz.acts import settings_of
from strifebarge.table.library import Library

TITLES = Library().titles
ALL_SETTINGS = [setting for title in TITLES.values() for setting in settings_of(title.rules)]
EVERY_GAME = pytest.mark.parametrize("rules", [pytest.param(t.rules, id=t.slug) for t in TITLES.values()])
EVERY_SETTING = pytest.mark.parametrize(
    "setting", [pytest.param(each, id=str(each)) for each in ALL_SETTINGS]
)
