"""A move is taken back, unless something came of it."""

import pytest

from strifebarge.rules import Standard
from strifebarge.rules.action import Undo
from strifebarge.rules.ledger import Move

from .parlour import (
    Bury,
    Done,
    Draw,
    Finish,
    Lab,
    Note,
    Peek,
    Roll,
    Show,
    Turn,
)
from .taking_up import Watched, assert_the_same_when_taken_up, refusal_of, round_trip


def test_the_last_move_of_ones_own_can_be_taken_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1))
    before = at.match.fingerprint()
    at.plays(0, Note(2))
    at.undoes(0)
    assert at.match.fingerprint() == before
    at.undoes(0)
    assert at.game.seats[0].notes == []
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_taking_back_is_told_and_numbers_never_go_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1))
    assert at.match.undo(0) == Move(2, 0, Undo())
    assert at.match.take_log() == [{"text": "{seat:You} undid the last move.", "args": {"seat": {"seat": 0}}}]
    assert at.match.number == 2
    assert at.match.question_numbers == {0: 2}
    assert at.match.move(0, Note(2)) == [Move(3, 0, Note(2))]
    assert [move.number for move in at.match.moves] == [3]
    assert [move.number for move in at.match.ledger] == [1, 2, 3]
    assert_the_same_when_taken_up(at.match)


def test_what_was_told_and_not_yet_asked_for_is_not_lost_by_taking_back():
    at = Watched(Lab, 2)
    at.match.move(0, Note(1))
    at.match.move(0, Note(2))
    at.match.undo(0)
    assert len(at.match.take_log()) == 3


def test_an_older_page_cannot_answer_the_question_asked_anew():
    at = Watched(Lab, 2)
    first = at.match.question_numbers[0]
    at.plays(0, Note(1))
    at.undoes(0)
    assert at.match.question_numbers[0] > first


def test_numbers_stay_when_another_leaves_after_a_move_was_taken_back():
    at = Watched(Lab, 3)
    at.plays(0, Note(1))
    at.undoes(0)
    at.leaves(2)
    assert at.match.number == 3
    assert at.match.question_numbers == {0: 2}
    at.plays(0, Note(1))
    assert at.match.number == 4


def test_nobody_takes_back_anothers_move_nor_a_seat_that_is_none():
    at = Watched(Lab, 2)
    at.plays(0, Note(1))
    for seat in (1, 2, -1, None):
        assert refusal_of(at.match, at.match.undo, seat) is Standard.NOTHING_TO_UNDO


@pytest.mark.parametrize("action", [Roll(), Draw(), Peek(), Done(), Turn()])
def test_there_is_no_taking_back_after(action):
    """Chance, a card drawn, a card looked at, the turn passed on, a stage begun."""
    at = Watched(Lab, 2)
    at.plays(0, Note(1), action)
    for seat in (0, 1):
        assert refusal_of(at.match, at.match.undo, seat) is Standard.NOTHING_TO_UNDO
    assert at.match.moves == [] or at.match.moves[-1].final


def test_the_record_says_which_moves_stand_for_good():
    at = Watched(Lab, 2)
    done = [
        at.match.move(0, action)[-1].final for action in (Note(1), Roll(), Note(2), Turn(), Note(1), Done())
    ]
    assert done == [False, True, False, True, False, True]


def test_there_is_no_taking_back_after_a_card_was_shown():
    at = Watched(Lab, 2)
    at.plays(0, Draw(), Note(1), Show())
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_what_showed_nothing_can_be_taken_back_although_it_was_hidden():
    at = Watched(Lab, 2)
    at.plays(0, Draw())
    hand = list(at.game.seats[0].hand)
    at.plays(0, Bury())
    at.undoes(0)
    assert list(at.game.seats[0].hand) == hand


def test_what_came_after_can_be_taken_back_but_not_what_lies_before():
    at = Watched(Lab, 2)
    at.plays(0, Note(1), Roll(), Note(2), Note(1))
    at.undoes(0)
    at.undoes(0)
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
    assert len(at.game.seats[0].notes) == 2


def test_a_match_taken_up_knows_how_far_one_may_go_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1), Roll(), Note(2))
    at.match = round_trip(at.match)
    at.undoes(0)
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_when_somebody_leaves_what_was_before_stands():
    at = Watched(Lab, 3)
    at.plays(0, Note(1))
    at.leaves(2)
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
    at.plays(0, Note(2))
    at.undoes(0)
    assert at.game.seats[0].notes == [1]


def test_a_finished_game_cannot_be_taken_back():
    at = Watched(Lab, 2)
    at.plays(0, Note(1), Finish())
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO
