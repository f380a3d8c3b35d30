"""Hidden things that are named to everybody are found, and things that may be named are not."""

from typing import Any

import pytest

from strifebarge.fuzz.acts import settings_of
from strifebarge.fuzz.canaries import Canaries
from strifebarge.fuzz.law import Unlawful
from strifebarge.rules import Chance, Game
from strifebarge.rules.testing import random_play
from tests.fuzz.faults import passing
from tests.rules.every_setting import EVERY_GAME

MOVES = 60


def told(rules: type[Game[Any]], games: int) -> str:
    """What everybody is told in some games of what is hidden; "" for nothing."""
    canaries, settings = Canaries(), settings_of(rules)
    for nth in range(games):
        match = settings[nth % len(settings)].begin(f"canaries {nth}")
        try:
            for _, moment in zip(range(MOVES), random_play(match, Chance(f"canaries {nth}")), strict=False):
                canaries.look(moment, moment.take_log(), f"game {nth}")
        except Unlawful as wrong:
            return wrong.how
    return ""


@pytest.mark.parametrize(
    ("rules", "how"),
    [
        (
            passing.PassedCardIsTold,
            "“{seat} passes the {card} to {other}.” (card)",
        ),
        (
            passing.TopOfTheStockIsTold,
            "“Under the {card} lie all others.” (card)",
        ),
        (passing.FieldHoldsTheHighestCard, "highest."),
    ],
)
def test_what_is_named_to_everybody_is_found(rules: type[Game[Any]], how: str) -> None:
    assert told(rules, 20).startswith(f"everybody is told in {how}")


def test_what_may_be_named_or_guessed_is_not_found() -> None:
    """Cards that are taken from the pile, bets on any card, and the card with which the pile begins."""
    assert told(passing.Passing, 12) == ""


@EVERY_GAME
def test_no_game_names_to_everybody_what_is_hidden(rules: type[Game[Any]]) -> None:
    assert told(rules, 6) == ""
