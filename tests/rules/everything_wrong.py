"""Everything wrong, tried along a few games of each setting."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import msgspec

from strifebarge.fuzz.acts import GameSetup, options_of
from strifebarge.fuzz.law import Law, must
from strifebarge.fuzz.laws import check_refusal, refused_or_legal
from strifebarge.fuzz.wrong import NONSENSE, foreign_actions, refused_or_read, wrong_actions, wrong_json
from strifebarge.rules import Action, Chance, Game, Options, Refusal, Refused
from strifebarge.rules.notation import read
from strifebarge.rules.schema import actions, form_fields, options_type
from strifebarge.rules.testing import random_choice

from .every_setting import TITLES, stations


@cache
def refusals_met(setting: GameSetup) -> frozenset[Refusal]:
    """The reasons that are given when everything wrong is tried, along a few games."""
    met: set[Refusal | None] = set()
    dice = Chance("wrong")
    earlier: list[Action] = []
    foreign = foreign_actions(each.rules for each in TITLES.values() if each.rules is not setting.rules)
    for match in stations(setting, most=24):
        match.take_log()
        for seat in match.waiting_for():
            tried = list(wrong_actions(match, seat, earlier, dice, foreign))
            met |= {refused_or_legal(match, seat, action) for action in tried}
            met |= {refused_or_read(raw, setting.rules) for raw in wrong_json(setting.rules, dice)}
            earlier = [*earlier, random_choice(match, seat, dice)][-200:]
        strangers = {-1, setting.seats, 99, None, "0", *range(setting.seats)} - {*match.prompts}
        met |= {refused_or_legal(match, seat, earlier[-1]) for seat in strangers}
    return frozenset(why for why in met if why)


def refused_or_typed(words: str, rules: type[Game[Any]]) -> Refusal | None:
    """Check that what is typed is read as an action of this game, or that there is a reason."""
    try:
        must(isinstance(read(words, actions(rules)), Action), Law.REFUSING, f"{words!r:.200} is no action")
    except Refused as refused:
        return check_refusal(refused)
    return None


def refused_options(options: Options) -> Refusal | None:
    """Return the reason with which options refuse themselves, or None."""
    why = options.refuse()
    return check_refusal(why() if isinstance(why, Refusal) else why) if why else None


def wrong_options(rules: type[Game[Any]]) -> Iterator[Options]:
    """Yield options that a form could post, and should not."""
    kind = options_type(rules)
    for usual, field, wrong in product(options_of(rules), form_fields(kind), NONSENSE):
        with suppress(ValueError, TypeError):
            yield msgspec.convert({**msgspec.to_builtins(usual), field.name: wrong}, kind, strict=False)
