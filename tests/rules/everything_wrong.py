"""Everything wrong, tried along a few games of each setting."""

from functools import cache

from strifebarge.fuzz.acts import Setting, stations
from strifebarge.fuzz.laws import refused_or_legal
from strifebarge.fuzz.wrong import foreign_actions, refused_or_read, wrong_actions, wrong_json
from strifebarge.rules import Action, Chance, Refusal
from strifebarge.rules.testing import random_choice

from .every_setting import TITLES


@cache
def refusals_met(setting: Setting) -> frozenset[Refusal]:
    """The reasons that are given when everything wrong is tried, along a few games."""
    met: set[Refusal | None] = set()
    dice = Chance("wrong")
    earlier: list[Action] = []
    foreign = foreign_actions(each.rules for each in TITLES.values() if each.rules is not setting.rules)
    for match in stations(setting, most=24):
        match.told()
        for seat in match.waiting_for():
            tried = list(wrong_actions(match, seat, earlier, dice, foreign))
            met |= {refused_or_legal(match, seat, action) for action in tried}
            met |= {refused_or_read(raw, setting.rules) for raw in wrong_json(setting.rules, dice)}
            earlier = [*earlier, random_choice(match, seat, dice)][-200:]
        strangers = {-1, setting.seats, 99, None, "0", *range(setting.seats)} - {*match.prompts}
        met |= {refused_or_legal(match, seat, earlier[-1]) for seat in strangers}
    return frozenset(why for why in met if why)
