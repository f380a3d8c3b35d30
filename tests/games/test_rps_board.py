"""The board of Rock-Paper-Scissors: what may be thrown, and what was."""

from games.rps.board import board, text
from games.rps.rules import Throw
from strifebarge.rules.testing import SeenBoard
from tests.games.test_rps import BLACK, PAPER, ROCK, SCISSORS, WHITE, match, throw


def test_there_are_three_hands_to_choose_from():
    seen = board(SeenBoard(match().match, WHITE))
    assert [(each.hand, each.action, each.chosen) for each in seen.choices] == [
        (ROCK, Throw(ROCK), False),
        (PAPER, Throw(PAPER), False),
        (SCISSORS, Throw(SCISSORS), False),
    ]
    assert (seen.chosen, seen.thrown) == (None, False)
    assert board(SeenBoard(match().match, None)).choices == []


def test_a_choice_is_shown_to_nobody_but_its_own_seat():
    at = match()
    at.plays(WHITE, Throw(PAPER))
    mine, other, watched = (board(SeenBoard(at.match, viewer)) for viewer in (WHITE, BLACK, None))
    assert mine.chosen is PAPER
    assert [each.chosen for each in mine.choices] == [False, True, False]
    for seen in (other, watched):
        assert seen.chosen is None
        assert not any(each.chosen for each in seen.choices)
        assert not seen.thrown


def test_the_last_throw_is_shown_with_its_winner():
    at = match(best_of=3)
    throw(at, (SCISSORS, ROCK))
    for viewer in (WHITE, BLACK, None):
        seen = board(SeenBoard(at.match, viewer))
        assert {(each.seat.number, each.hand, each.won) for each in seen.duel} == {
            (WHITE, SCISSORS, False),
            (BLACK, ROCK, True),
        }
        assert not seen.draw


def test_the_other_hand_comes_first_and_ones_own_second():
    for viewer, order in ((WHITE, [BLACK, WHITE]), (BLACK, [WHITE, BLACK]), (None, [WHITE, BLACK])):
        seen = board(SeenBoard(match().match, viewer))
        assert [each.seat.number for each in seen.duel] == order


def test_of_two_alike_none_has_won():
    at = match(best_of=3)
    throw(at, (PAPER, PAPER))
    seen = text(SeenBoard(at.match, WHITE))
    assert seen.draw
    assert [each.won for each in seen.duel] == [False, False]
