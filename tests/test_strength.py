"""The measure of how well bots play: what it says follows from its games, and it goes on where it ended."""

import pytest

from benchmarks import bots
from benchmarks.bots import Pairing, Score, code_of, is_decided, keep, play, rules_of, scores

HEAP = Pairing("heap", "easy", "random", 0.5)


@pytest.fixture(autouse=True)
def file(monkeypatch, tmp_path):
    monkeypatch.setattr(bots, "FILE", tmp_path / "bots.jsonl")


def test_a_game_comes_out_the_same_whenever_it_is_played_and_is_kept():
    one, again = (play(rules_of(HEAP), HEAP, 3) for _ in range(2))
    assert (one.first, one.choices, one.grounded) == (again.first, again.choices, again.grounded)
    assert one.grounded == one.choices
    keep(one)
    assert scores([HEAP])[HEAP].games == 1


def test_games_of_other_code_do_not_count():
    game = bots.Played("other code", *HEAP[:3], 0, 1.0, 5, 5, 0.1, 0.1)
    keep(game)
    assert scores([HEAP])[HEAP] == Score()
    assert code_of(rules_of(HEAP)) == code_of(rules_of(HEAP)) != game.code


def test_the_interval_is_wilsons_and_a_match_up_ends_when_it_is_decided():
    low, high = Score(first=24.0, games=24).interval
    assert (round(low, 2), round(high, 2)) == (0.86, 1.0)
    assert is_decided(24, 24, 0.95)
    assert not is_decided(12, 24, 0.55)
    assert is_decided(10, 24, 0.95)
