"""Every game there is, at every setting, and positions from games of it played at random."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import pytest

from strifebarge.rules import Chance, Game, Options
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match, Snapshot
from strifebarge.rules.schema import every_options, options_type, seat_numbers, slug, usual_seats
from strifebarge.rules.testing import random_choice, random_play
from strifebarge.table.library import Library

from .taking_up import standing_of

TITLES = Library().titles
MOST_OPTIONS = 8  # more are thinned out to those with one that is not the usual
LONGEST = 20_000  # moves of a game played at random


class Setting(NamedTuple):
    """A game, how many play it, and its options."""

    rules: type[Game[Any]]
    seats: int
    options: Options

    def begin(self, seed: str = "law") -> Match:
        return Match.new(self.rules, self.seats, seed, self.options)

    def __str__(self) -> str:
        chosen = (str(value) for value in msgspec.to_builtins(self.options).values())
        return "-".join([slug(self.rules), str(self.seats), *filter(None, chosen)]).lower()


def options_of(rules: type[Game[Any]]) -> list[Options]:
    """All options of a game; if they are too many, the usual ones with no more than one of them another."""
    found = list(every_options(rules))
    usual = msgspec.to_builtins(options_type(rules)())

    def unusual(options: Options) -> int:
        return sum(value != usual[name] for name, value in msgspec.to_builtins(options).items())

    return found if len(found) <= MOST_OPTIONS else [each for each in found if unusual(each) < 2]


def settings_of(rules: type[Game[Any]]) -> list[Setting]:
    """With the fewest seats, the usual number and the most, and every option."""
    numbers = seat_numbers(rules)
    seats = sorted({numbers[0], usual_seats(rules), numbers[-1]})
    return [Setting(rules, number, options) for number in seats for options in options_of(rules)]


ALL_SETTINGS = [setting for title in TITLES.values() for setting in settings_of(title.rules)]
EVERY_GAME = pytest.mark.parametrize("rules", [pytest.param(t.rules, id=t.slug) for t in TITLES.values()])
EVERY_SETTING = pytest.mark.parametrize(
    "setting", [pytest.param(each, id=str(each)) for each in ALL_SETTINGS]
)


def viewers(match: Match) -> list[int | None]:
    """An onlooker, and every seat."""
    return [None, *range(len(match.game.seats))]


def everything_of(match: Match) -> dict[str, Any]:
    """All there is to know of a match, and what each viewer sees of it."""
    stage: Snapshot = match.snapshot
    views = {viewer: save(match.game, viewer) for viewer in viewers(match)}
    return {**standing_of(match), "stage": stage, "state": save(match.game), "views": views}


def ranked(match: Match) -> list[int]:
    """The seats that have a place, as often as they have one."""
    assert match.result
    return sorted(seat for place in match.result.places for seat in place)


def stations(setting: Setting, most: int, upto: int = 200) -> Iterator[Match]:
    """About `most` positions: of several short games played at random, or of a long one's beginning."""
    shown = 0
    for game in range(8):
        playing = random_play(setting.begin(f"law {game}"), Chance(f"play {game}"), LONGEST)
        for nth, match in enumerate(islice(playing, upto)):
            if nth < most // 2 or nth % (1 + 2 * upto // most) == 0 or match.result:
                shown += 1
                yield match
        if shown >= most:
            return


Doing = Callable[[Match], Any]


def some_doing(match: Match, dice: Chance) -> Doing:
    """What somebody might do now: move, mostly; or change their mind, take back, leave."""
    die = dice.below(100)
    seats = range(len(match.game.seats))
    undoers = [seat for seat in seats if match.undoable(seat)]
    if undoers and die < 25:
        return lambda at: at.undo(undoers[0])
    here = [seat for seat in seats if seat not in match.game.gone]
    if die == 99 and len(here) > 2:
        leaver = dice.choice(here)
        return lambda at: at.leave(leaver)
    changing = match.pending and not match.question.final and die > 70
    seat = dice.choice(list(match.pending) if changing else match.waiting_for())
    action = random_choice(match, seat, dice)
    return lambda at: at.move(seat, action)
