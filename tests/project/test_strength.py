"""The measure of how well bots play: what it says follows from its games, and it goes on where it ended."""

from pathlib import Path

import pytest

from benchmarks import bots
from benchmarks.bots import Pairing, Score, code_of, is_decided, keep, of, play, rules_of, scores

HEAP = Pairing("heap", "easy", "random", 0.5)


@pytest.fixture(autouse=True)
def file(monkeypatch, tmp_path):
    monkeypatch.setattr(bots, "FILE", tmp_path / "bots.jsonl")
    monkeypatch.setattr(bots, "PAGE", tmp_path / "BOTS.md")


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
    sure, half = Pairing("heap", "easy", "random", 0.95), Pairing("heap", "easy", "random", 0.5)
    assert is_decided(sure, Score(first=24.0, games=24))
    assert is_decided(sure, Score(first=10.0, games=24))
    assert not is_decided(half, Score(first=12.0, games=24))


def test_an_equal_share_decides_against_a_match_up_that_asks_for_more():
    more, half = (Pairing("heap", "easy", "random", 0.5, is_more=more) for more in (True, False))
    equal, ahead = Score(first=350.0, games=700), Score(first=120.0, games=200)
    assert is_decided(half, equal)
    assert is_decided(more, equal)  # and refused
    assert is_decided(more, ahead)
    assert ahead.interval[0] > 0.5
    assert not is_decided(more, Score(first=108.0, games=200))


def test_a_bot_with_less_time_is_another_player():
    slow = HEAP._replace(slowness=2)
    keep(play(rules_of(slow), slow, 0))
    assert [score.games for score in scores([HEAP, slow]).values()] == [0, 1]


def test_deals_make_matches_that_are_won_by_most_first_places_and_half_a_match_does_not_count():
    matches = HEAP._replace(deals=3)
    code = code_of(rules_of(HEAP))
    for number, first in enumerate([1.0, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 0.0, 1.0, 1.0]):
        keep(bots.Played(code, *of(HEAP), number, first, 5, 4, 0.1, 0.1 * number))
    singly, by_matches = scores([HEAP, matches]).values()
    assert (singly.first, singly.games) == (6.0, 11)
    assert (by_matches.first, by_matches.games) == (1.5, 3)
    assert (by_matches.choices, by_matches.grounded, by_matches.longest) == (45, 36, 0.8)


def test_of_games_that_were_not_asked_for_the_lines_stay_as_they_are():
    page = Path(bots.__file__).with_name("BOTS.md").read_text()
    bots.PAGE.write_text(page)
    bots.write({})
    assert bots.PAGE.read_text() == page
    bots.main(["heap"], "medium", most=0, minutes=1)
    changed = {*page.splitlines()} ^ {*bots.PAGE.read_text().splitlines()}
    assert {each.split(" | ")[0] for each in changed} == {"| heap"}
    assert {each.split(" | ")[1] for each in changed} == {"medium"}
