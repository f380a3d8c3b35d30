"""A bot knows what a person in its seat would: in two worlds that look the same to it, it does the same."""

from collections.abc import Callable
from typing import Any

import pytest

from games.strifebarge.rules import Fire
from strifebarge.bots.search.sighting import sighting
from strifebarge.bots.search.thinking import Level, think
from strifebarge.fuzz.acts import GameOperation, act, copy_of, replay_acts, settings_of
from strifebarge.rules import Action, Chance, Game, Refused
from strifebarge.rules.codec import hides
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import write
from strifebarge.rules.testing import random_choice
from tests.rules.every_setting import EVERY_GAME, TITLES
from tests.worlds.knowledge import resampled
from tests.worlds.unseen import instead, unseen_choices

SMALL = Level(worlds=2, playouts=6)
Bot = Callable[[Match, int], Action]


def fair(match: Match, seat: int) -> Action:
    """The bot as it is, by what its seat has seen."""
    return think(sighting(match, seat), SMALL, "a secret of this seat").action


def cheat(match: Match, seat: int) -> Action:
    """A bot that reads the match: it fires where a ship lies."""
    others = [each for each in match.game.seats if each.number != seat]
    ships: Any = {square for each in others for ship in each.fleet for square in ship.squares}
    return Fire(min(ships - match.game.shots.keys()))


def pair(rules: type[Game[Any]], nth: int) -> tuple[Match, Match, int, bool] | None:
    """Two matches that look the same to a seat that is asked, and whether they differ in what it cannot
    see.
    """
    dice = Chance(f"pair {nth}")
    setting = dice.choice(settings_of(rules))
    match = setting.begin(f"deal {nth}")
    deal, ops = match.snapshot, list[GameOperation]()
    length = dice.below(9)
    while len(ops) < length and not match.result:
        seat = dice.choice(match.waiting_for())
        ops.append(GameOperation("move", seat, random_choice(match, seat, dice)))
        act(match, ops[-1])
    if match.result or deal.number:
        return None
    seat = dice.choice(match.waiting_for())
    state = resampled(rules, deal, ops, seat, dice, f"another seed {nth}")
    hidden = unseen_choices(rules, deal, ops, seat)
    *_, here = replay_acts(rules, deal, ops)
    there, choices = Match(rules, Snapshot(0, deal.stage, state)), 0
    for at, op in enumerate(ops):
        other = instead(copy_of(there), op, dice) if at in hidden else op
        choices += other != op
        try:
            act(there, other)
        except Refused:
            return None
    return here, there, seat, state != deal.state or choices > 0


def must_be_fair(rules: type[Game[Any]], bot: Bot, pairs: range) -> int:
    """Check that a bot does the same in both worlds of each pair.  Return how many pairs differed."""
    differed = 0
    for nth in pairs:
        if not (pair_of_games := pair(rules, nth)):
            continue
        here, there, seat, differs = pair_of_games
        assert sighting(here, seat) == sighting(there, seat), f"pair {nth} looks different"
        assert write(bot(here, seat)) == write(bot(there, seat)), f"pair {nth}"
        differed += differs
    return differed


@EVERY_GAME
def test_the_same_is_chosen_in_worlds_that_look_the_same(rules):
    assert must_be_fair(rules, fair, range(3)) or not hides(rules)


@pytest.mark.slow
@EVERY_GAME
def test_the_same_is_chosen_in_many_worlds_that_look_the_same(rules):
    differed = must_be_fair(rules, fair, range(300))
    assert differed >= 60 or not hides(rules)


def test_a_bot_that_reads_the_match_is_caught():
    with pytest.raises(AssertionError, match="pair"):
        must_be_fair(TITLES["strifebarge"].rules, cheat, range(20))


def test_at_another_table_another_choice_is_made():
    match = settings_of(TITLES["strifebarge"].rules)[0].begin()
    seen = sighting(match, 0)
    assert len({write(think(seen, SMALL, f"table {nth}").action) for nth in range(6)}) > 1
