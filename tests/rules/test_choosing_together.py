"""Several seats are asked at once: all of them, or the first to answer."""

from typing import Any

from strifebarge.rules import Game, Seat, Standard
from strifebarge.rules.ledger import Move

from .parlour import (
    Bid,
    Done,
    Fetch,
    Why,
    auction,
)
from .taking_up import Watched, refusal_of


def test_nobody_sees_a_choice_before_all_are_in():
    at = auction()
    before = at.match.fingerprint()
    assert at.match.move(1, Bid(2)) == []
    assert at.match.fingerprint() == before
    assert at.match.waiting_for() == [0, 2]
    assert at.match.number == 0
    assert at.match.take_log() == []


def test_all_choices_become_moves_at_once_in_seat_order():
    at = auction()
    at.plays(2, Bid(1))
    at.plays(0, Bid(0))
    moves = at.match.move(1, Bid(2))
    assert moves == [Move(1, 0, Bid(0)), Move(2, 1, Bid(2)), Move(3, 2, Bid(1), final=True)]
    assert at.match.pending == {}


def test_a_choice_may_be_changed_until_all_are_in():
    at = auction()
    at.plays(0, Bid(1), Bid(3), Bid(2))
    at.plays(1, Bid(0))
    at.plays(2, Bid(0))
    assert at.log()[0] == "P0 bids 2."
    assert refusal_of(at.match, at.match.move, 0, Bid(1)) is Standard.NOT_OFFERED  # another question


def test_a_choice_that_is_final_may_not_be_changed():
    at = auction(final=True)
    at.plays(0, Bid(1))
    assert refusal_of(at.match, at.match.move, 0, Bid(1)) is Standard.NOT_YOUR_TURN
    at.plays(1, Bid(0))
    at.plays(2, Bid(0))
    assert at.log()[0] == "P0 bids 1."


def test_a_changed_choice_must_be_legal_and_else_the_old_one_stands():
    at = auction()
    at.plays(0, Bid(1))
    assert refusal_of(at.match, at.match.move, 0, Bid(4)) is Why.TOO_DEAR
    assert at.match.pending == {0: Bid(1)}


def test_whoever_answers_first_answers_for_all():
    at = auction()
    for seat in range(3):
        at.plays(seat, Bid(0))
    assert at.asks() == dict.fromkeys(range(3), "Who fetches it?")
    at.plays(2, Fetch())
    assert at.log()[-1] == "P2 fetches it."
    assert at.asks() == dict.fromkeys(range(3), "Bid for lot 1.")


def test_those_asked_together_may_be_asked_different_things():
    at = auction(sealed=False)
    at.plays(0, Bid(3))
    at.plays(1, Bid(0))
    at.plays(2, Bid(0))
    at.plays(1, Fetch())
    assert at.match.offers(0) == [Bid(0)]
    assert at.match.offers(1) == [Bid(0), Bid(1), Bid(2), Bid(3)]
    assert refusal_of(at.match, at.match.move, 0, Bid(1)) is Why.TOO_DEAR


def test_asking_nobody_is_answered_at_once():
    class Nobody(Game[Seat]):
        title = "Nobody"

        async def play(self) -> Any:
            assert await self.ask_all("Anybody?", [Done()], of=[]) == {}
            await self.ask(self.seats[0], "You?", [Done()])
            assert await self.ask_all("Anybody?", [Done()], of=[]) == {}
            return self.ranking()

    at = Watched(Nobody)
    assert at.asks() == {0: "You?"}
    at.plays(0, Done())
    assert at.match.result


def test_choices_of_all_cannot_be_taken_back():
    at = auction(1)
    at.plays(0, Bid(1))
    assert at.asks() == {0: "Who fetches it?"}
    assert at.match.can_undo(0)  # alone, nothing was together
    at = auction(2)
    at.plays(0, Bid(1))
    at.plays(1, Bid(1))
    assert not at.match.can_undo(0)
    assert not at.match.can_undo(1)
