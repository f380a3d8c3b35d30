"""Playouts, by which bots think: the same as a match, without what only a match needs."""

import pytest

from strifebarge.fuzz.acts import GameOperation, GameSetup, act, some_op
from strifebarge.fuzz.law import Law, Unlawful
from strifebarge.fuzz.quickly import must_play_alike
from strifebarge.rules import Action, Chance, Game, Next, Options, Seat
from tests.rules.every_setting import EVERY_SETTING


def acts_of(setting: GameSetup, seed: str, most: int) -> list[GameOperation]:
    """Acts by chance, to the end of the game or as many."""
    match, dice, ops = setting.begin(seed), Chance(f"acts {seed}"), []
    while not match.result and len(ops) < most:
        op = some_op(match, dice)
        if op.do != "undo":
            act(match, op)
            ops.append(op)
    return ops


@EVERY_SETTING
def test_a_playout_comes_to_the_same_as_a_match(setting: GameSetup):
    for game in range(2):
        ops = acts_of(setting, f"quick {game}", 150)
        assert must_play_alike(setting, f"quick {game}", ops) == len(ops)


class Put(Action):
    """Put a stone."""


class OneListTwice(Game[Seat]):
    """A fault: two fields share one list, until the game is saved."""

    title = "One list twice"
    stones: list[int] = []
    counted: list[int] = []

    async def play(self) -> Next:
        for seat in self.seats:
            await self.ask(seat, "Put a stone.", [Put()])
            self.stones.append(seat.number)
        self.counted = self.stones
        return self.ranking() if len(self.stones) > 9 else self.play


def test_a_game_that_comes_out_otherwise_is_found():
    setting = GameSetup(OneListTwice, 2, Options())
    with pytest.raises(Unlawful) as error:
        must_play_alike(setting, "", acts_of(setting, "", 20))
    assert error.value.law is Law.PLAYOUT
