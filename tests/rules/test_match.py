"""One playing of a game: stages, procedures, and that it comes back as it was."""

from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strifebarge.rules import Game, Seat, Standard
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.replay import Diverged
from strifebarge.rules.testing import Tabletop

from .parlour import (
    Auction,
    Bid,
    Descent,
    Done,
    Draw,
    Finish,
    Lab,
    Manner,
    Mark,
    Note,
    Peek,
    Say,
    Turn,
)
from .taking_up import Watched, public_state, refusal_of, round_trip

# -- stages and procedures ---------------------------------------------------------------


def test_procedures_may_be_nested_and_rest_in_the_middle():
    at = Watched(Descent)
    at.plays(1, Say(1))
    at.plays(0, Say(2))
    assert at.asks() == {1: "Down to top.1.2."}
    at.plays(1, Say(1))
    at.plays(0, Say(1))
    at.plays(1, Say(2))
    assert at.asks() == {1: "Up to top.1.2.1.1, with 1."}


def test_procedures_take_arguments_and_give_something_back():
    at = Watched(Descent)
    for depth in range(1, 6):
        at.plays(depth % 2, Say(1))
    for depth, answers in zip(range(5, 0, -1), (3, 1, 0, 2, 1), strict=True):
        at.plays(depth % 2, Say(answers))
    assert at.game.heard == [3, 1, 0, 2, 1]
    assert at.log() == ["The total is 131021."]


def test_a_procedure_may_return_early():
    at = Watched(Descent)
    at.plays(1, Say(1))
    at.plays(0, Say(0))
    assert at.asks() == {1: "Up to top, with 0."}


def test_a_game_may_end_from_deep_inside():
    at = Watched(Descent)
    for depth in range(1, 5):
        at.plays(depth % 2, Say(1))
    at.plays(1, Say(3))
    assert at.places() == [[1], [0]]
    assert at.asks() == {}


def test_a_stage_names_the_next_one():
    at = Watched(Descent)
    for depth in range(1, 6):
        at.plays(depth % 2, Say(1))
    for depth in range(5, 0, -1):
        at.plays(depth % 2, Say(1))
    assert (at.match.snapshot.stage, at.match.snapshot.number) == ("echo", 10)
    assert at.match.moves == at.match.ledger == []
    at.plays(0, Say(5))
    at.plays(1, Say(5))
    assert (at.match.snapshot.stage, at.match.snapshot.number) == ("play", 12)
    assert at.asks() == {1: "Down to top."}


def test_a_game_that_was_never_put_away_is_as_one_taken_up_from_any_stage():
    at = Tabletop(Lab, 2)
    for action in (Note(1), Draw(), Turn(), Note(2), Turn(), Peek()):
        at.plays(0, action)
        again = round_trip(at.match)
        assert public_state(again) == public_state(at.match)
        at.match = again
    assert at.game.seats[0].notes == [1, 2]
    assert at.game.stages == 3


def test_what_is_told_before_anybody_is_asked_is_told_once():
    class Opening(Game[Seat]):
        title = "Opening"

        def setup(self) -> None:
            self.log("Laid out.")

        async def play(self) -> Any:
            self.log("Begun.")
            await self.ask(self.seats[0], "Go on.", [Done()])
            return self.ranking()

    match = Match.new(Opening, 2)
    assert [line["text"] for line in match.take_log()] == ["Laid out.", "Begun."]
    assert match.take_log() == round_trip(match).take_log() == []


def test_a_game_may_be_over_before_it_begins():
    class Moot(Game[Seat]):
        title = "Moot"

        async def play(self) -> Any:
            self.log("That was that.")
            return self.ranking()

    at = Watched(Moot, 3)
    assert at.places() == [[0, 1, 2]]
    assert at.log() == ["That was that."]
    assert refusal_of(at.match, at.match.move, 0, Done()) is Standard.GAME_OVER


def test_locals_may_be_anything_for_they_are_never_saved():
    class Counting(Game[Seat]):
        title = "Counting"

        async def play(self) -> Any:
            numbers = count(1)
            for seat in self.turns():
                await self.ask(seat, "Say {n}.", [Say(next(numbers))], n=len(self.told_so_far))

        @property
        def told_so_far(self) -> list[Any]:
            return []

    at = Watched(Counting, 2)
    for number in range(1, 8):
        at.plays((number - 1) % 2, Say(number))


# -- moves that lead elsewhere -----------------------------------------------------------


def test_moves_of_seats_that_are_not_asked_are_another_games():
    start = Match.new(Lab, 2).snapshot
    with pytest.raises(Diverged):
        Match(Lab, start, [Move(1, 1, Note(1))])
    with pytest.raises(Diverged):
        Match(Lab, start, [Move(1, 0, Finish()), Move(2, 0, Note(1))])


def test_a_snapshot_of_a_stage_that_is_no_more_cannot_be_taken_up():
    snapshot = Match.new(Lab, 2).snapshot
    with pytest.raises(AttributeError):
        Match(Lab, Snapshot(0, "work_of_old", snapshot.state))


# -- random doings -----------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_whatever_happens_a_match_comes_back_as_it_was(data):
    rules = data.draw(st.sampled_from([Lab, Auction, Descent]))
    options = Manner(final=data.draw(st.booleans())) if rules is Auction else None
    at = Watched(rules, data.draw(st.integers(2, 3)), seed=data.draw(st.sampled_from("abc")), options=options)
    for _ in range(25):
        if at.match.result:
            break
        seat = data.draw(st.integers(0, len(at.game.seats) - 1))
        doing = data.draw(st.sampled_from(["move", "move", "move", "move", "undo", "leave"]))
        if doing == "leave" and seat not in at.game.gone and data.draw(st.integers(0, 3)) == 0:
            at.leaves(seat)
        elif doing == "undo" and at.match.can_undo(seat):
            at.undoes(seat)
        elif seat in at.match.waiting_for():
            offers: list[Any] = at.match.offers(seat) or [Bid(0)]
            at.plays(seat, data.draw(st.sampled_from(offers)))


# -- what is offered twice ---------------------------------------------------------------


class Insisting(Game[Seat]):
    """Offers everything twice: actions, and a kind of action."""

    title = "Insisting"

    async def play(self) -> Any:
        for seat in self.seats:
            await self.ask(seat, "Go on.", [Note(1), Bid, Done(), Note(1), Bid, Note(2), Done()])
        return self.ranking()

    def absent(self, seat: Any, offers: list[Any]) -> Any:
        self.log("{n} offers.", n=len(offers))
        return self.chance.choice([each for each in offers if not isinstance(each, Bid)])


def test_what_the_rules_offer_twice_is_one_option():
    match = Match.new(Insisting)
    assert match.options(0) == [Note(1), Bid, Done(), Note(2)]
    assert match.offers(0) == [Note(1), Done(), Note(2)]
    assert match.classes(0) == [Bid]
    match.move(0, Note(1))
    assert match.offers(1) == [Note(1), Done(), Note(2)]


def test_a_yes_is_no_one_among_the_options():
    class Telling(Insisting):
        title = "Telling"

        async def play(self) -> Any:
            await self.ask(self.seats[0], "Make a mark.", [Mark(1), Mark(True), Mark(1), Mark(True)])
            return self.ranking()

    assert list(map(repr, Match.new(Telling).options(0))) == [repr(Mark(1)), repr(Mark(True))]
