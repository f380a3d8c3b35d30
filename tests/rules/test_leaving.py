"""Somebody leaves in the middle of a game, and their empty chair plays on."""

from typing import Any

import pytest

from strifebarge.rules import Action, Game, Ranking, Seat, Standard
from strifebarge.rules.action import CallDraw, Leave
from strifebarge.rules.match import Match

from .parlour import (
    Auction,
    Bid,
    Done,
    Fetch,
    Finish,
    Lab,
    Note,
    Roll,
    auction,
)
from .taking_up import Watched, assert_the_same_when_taken_up, refusal_of


def test_leaving_in_ones_own_turn_lets_it_pass():
    at = Watched(Lab, 3)
    at.plays(0, Note(1))
    at.leaves(0)
    assert "P0 left the game." in at.log()
    assert at.asks() == {1: "Work."}
    assert at.game.out == {0: 1}
    assert at.game.gone == [0]


def test_leaving_in_anothers_turn_leaves_that_turn_alone():
    at = Watched(Lab, 3)
    at.leaves(2)
    assert at.asks() == {0: "Work."}
    number = at.match.question_numbers[0]
    at.plays(0, Note(1))
    assert number == 0
    at.plays(0, Done())
    at.plays(1, Done())
    assert at.asks() == {0: "Work."}


def test_the_last_one_in_wins():
    at = Watched(Lab, 3)
    at.leaves(1)
    at.leaves(0)
    assert at.places() == [[2], [0], [1]]
    assert at.asks() == {}


def test_the_last_choice_that_was_waited_for_is_the_empty_chairs():
    at = auction()
    at.plays(0, Bid(1))
    at.plays(2, Bid(2))
    moves = at.match.leave(1)
    assert [(move.seat, move.action) for move in moves] == [(1, Leave()), (0, Bid(1)), (2, Bid(2))]
    assert moves[-1].final
    assert_the_same_when_taken_up(at.match)
    at.packed += at.match.take_log()
    assert "P0 bids 1." in at.log()


def test_a_choice_made_before_leaving_does_not_count():
    at = auction()
    at.plays(1, Bid(3))
    at.leaves(1)
    assert at.match.pending == {}
    assert 1 in at.match.answers
    at.plays(0, Bid(0))
    at.plays(2, Bid(0))
    assert at.asks().keys() == {0, 2}


def test_the_choices_of_others_stay_changeable_when_one_leaves():
    at = auction()
    at.plays(0, Bid(1))
    at.leaves(1)
    at.plays(0, Bid(2))
    at.plays(2, Bid(0))
    assert "P0 bids 2." in at.log()


def test_nobody_waits_for_an_empty_chair_when_any_may_answer():
    at = auction()
    for seat in range(3):
        at.plays(seat, Bid(0))
    at.leaves(0)
    assert at.asks().keys() == at.match.question_numbers.keys() == {1, 2}
    at.leaves(1)
    assert at.places() == [[2], [1], [0]]


def test_empty_chairs_play_on_where_the_game_says_so():
    class Haunted(Auction):
        title = "Haunted"

        def leave(self, seat: Any) -> None:
            self.log("{seat} is a ghost now.", seat=seat)

    at = Watched(Haunted, 3)
    at.plays(0, Bid(0))
    at.leaves(1)
    at.leaves(2)
    assert at.asks().keys() == {0}
    at.plays(0, Fetch())
    at.plays(0, Bid(0))
    at.plays(0, Fetch())
    assert at.match.result
    again = Watched(Haunted, 3)
    for seat in range(3):
        again.leaves(seat)
    assert again.match.result  # they played to the end by themselves
    assert again.match.number == 3


@pytest.mark.parametrize("looked", [True, False])
def test_what_was_asked_stays_asked_when_another_leaves_whether_it_was_looked_at_or_not(looked):
    class Heirs(Lab):
        """Who leaves bequeaths a card to the next."""

        title = "Heirs"

        def tools(self) -> Any:
            return (Note(number) for number in self.seats[0].notes)

        def leave(self, seat: Any) -> None:
            self.seats[0].notes.append(7)
            super().leave(seat)

    at = Watched(Heirs, 3, arrange=lambda game: game.seats[0].notes.extend([1, 2]))
    if looked:
        assert len(at.match.options(0)) == 2
    at.leaves(2)
    assert at.match.options(0) == [Note(1), Note(2)]


def test_what_an_empty_chair_does_by_chance_is_the_same_when_taken_up():
    class Guess(Lab):
        title = "Guess"

        def leave(self, seat: Any) -> None:
            self.log("{seat} is away.", seat=seat)

        def tools(self) -> list[Action]:
            return [Note(1), Note(2), Note(3), Roll(), Done()]

    at = Watched(Guess, 2, seed="any")
    at.leaves(1)
    for _ in range(10):
        at.plays(0, Done())
    assert len(at.game.seats[1].notes) > 2


def test_an_empty_chair_makes_samples_where_only_a_class_is_offered():
    class Ghosts(Auction):
        title = "Ghosts"

        def leave(self, seat: Any) -> None:
            self.log("{seat} is a ghost now.", seat=seat)

    at = Watched(Ghosts, 2)
    at.leaves(1)
    assert isinstance(at.match.answers[1], Bid)
    at.plays(0, Bid(3))
    assert at.asks().keys() == {0}


def test_eliminated_players_may_leave_and_the_game_goes_on():
    at = Watched(Lab, 3, arrange=lambda game: game.eliminate(game.seats[1], game.seats[2]))
    at.leaves(1)
    assert at.match.result is None
    assert at.asks() == {0: "Work."}
    assert at.log()[-1] == "P1 left the game."
    at.plays(0, Finish())
    assert at.places() == [[0], [1, 2]]


def test_nobody_leaves_twice_nor_plays_on_nor_after_the_end():
    at = Watched(Lab, 3)
    at.leaves(1)
    assert refusal_of(at.match, at.match.leave, 1) is Standard.NOT_YOUR_TURN
    assert refusal_of(at.match, at.match.move, 1, Done()) is Standard.NOT_YOUR_TURN
    at.leaves(0)
    assert refusal_of(at.match, at.match.leave, 2) is Standard.GAME_OVER
    assert refusal_of(at.match, at.match.move, 2, Done()) is Standard.GAME_OVER
    assert refusal_of(at.match, at.match.undo, 2) is Standard.NOTHING_TO_UNDO


def test_choices_that_wait_when_the_game_ends_are_gone():
    at = auction(2)
    at.plays(0, Bid(1))
    at.leaves(1)
    assert at.places() == [[0], [1]]
    assert at.match.pending == at.match.prompts == at.match.question_numbers == at.match.answers == {}


def test_what_everyone_chose_before_one_left_cannot_be_taken_back():
    class Dice(Game[Seat]):
        title = "Dice"

        rolled: int = 0

        async def play(self) -> Any:
            await self.ask_all("Ready?", [Done()])
            self.rolled = self.chance.die(1000)
            await self.ask(self.seats[0], "It is rolled.", [Done()])
            return self.ranking()

        def leave(self, seat: Any) -> None:
            self.log("{seat} is away.", seat=seat)

    at = Watched(Dice)
    at.plays(0, Done())
    at.leaves(1)
    assert at.game.rolled
    assert refusal_of(at.match, at.match.undo, 0) is Standard.NOTHING_TO_UNDO


def test_an_empty_chair_may_end_the_game():
    class Forfeit(Lab):
        title = "Forfeit"

        def leave(self, seat: Any) -> None:
            pass

        def absent(self, seat: Any, offers: list[Action]) -> Action:
            self.finish(Ranking([[1 - seat.number], [seat.number]]))

    at = Watched(Forfeit, 2)
    at.leaves(1)
    at.plays(0, Note(1), Done())
    assert at.places() == [[0], [1]]
    at = Watched(Forfeit, 2)
    at.leaves(0)
    assert at.places() == [[1], [0]]
    assert at.asks() == {}


def test_a_draw_that_is_called_is_shared_by_all_who_are_still_in():
    at = Watched(Lab, 3)
    at.leaves(1)
    moves = at.match.call_draw(2)
    assert [(move.seat, move.action, move.final) for move in moves] == [(2, CallDraw(), True)]
    assert [line["text"] for line in at.match.take_log()] == ["{seat:You} called it a draw."]
    assert at.places() == [[0, 2], [1]]
    assert at.asks() == {}
    assert refusal_of(at.match, at.match.call_draw, 0) is Standard.GAME_OVER


def test_what_a_ledger_says_can_be_repeated_whatever_it_was():
    first = Watched(Lab, 3).match
    deal = first.snapshot
    done = [*first.move(0, Note(1)), first.undo(0), *first.miss(0)]
    done += first.miss(first.waiting_for()[0], out=True)
    done += first.call_draw(first.waiting_for()[0])
    again = Match(Lab, deal)
    for move in done:
        again.repeat(move.seat, move.action)
    assert (again.number, again.fingerprint()) == (first.number, first.fingerprint())
    assert again.result == first.result
