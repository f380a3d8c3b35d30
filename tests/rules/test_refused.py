"""What is no answer to what was asked is refused and changes nothing."""

from typing import Any

import pytest

from games.eights.rules import Play
from games.rps.rules import Hand, Throw
from strifebarge.rules import Game, Refused, Seat, Standard
from strifebarge.rules.action import Leave, Undo
from strifebarge.rules.pieces import Card
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.validity import well_formed

from .parlour import (
    Auction,
    Bid,
    Fetch,
    Lab,
    Mark,
    Note,
    Show,
    Strict,
    Why,
    auction,
)
from .taking_up import Watched, public_state, refusal_of


@pytest.mark.parametrize("seat", [-1, -2, 2, 99, None, "0"])
def test_there_are_no_other_seats(seat):
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, seat, Note(1)) is Standard.NO_SUCH_SEAT
    assert refusal_of(at.match, at.match.leave, seat) is Standard.NO_SUCH_SEAT
    assert refusal_of(at.match, at.match.check_turn, seat) is Standard.NO_SUCH_SEAT


def test_whoever_is_not_asked_waits():
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, 1, Note(1)) is Standard.NOT_YOUR_TURN


def test_what_is_not_offered_cannot_be_done():
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, 0, Note(3)) is Standard.NOT_OFFERED
    assert refusal_of(at.match, at.match.move, 0, Fetch()) is Standard.NOT_OFFERED


@pytest.mark.parametrize("foreign", [Throw(Hand.ROCK), Leave(), Undo()])
def test_what_other_games_do_is_not_offered_and_their_rules_need_not_know_it(foreign):
    at = Tabletop(Strict, 2)
    assert refusal_of(at.match, at.match.move, 0, foreign) is Standard.NOT_OFFERED


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, [1], {"number": 1}, 1j, object(), 10**400, "\ud800"])
def test_only_one_is_one(wrong):
    at = Watched(Lab, 2)
    expected = Standard.NOT_OFFERED if isinstance(wrong, int) and wrong is not True else Standard.MALFORMED
    assert refusal_of(at.match, at.match.move, 0, Note(wrong)) is expected


@pytest.mark.parametrize("wrong", [True, 1.0, "1"])
def test_only_one_is_one_where_any_well_formed_action_may_be_tried_too(wrong):
    at = auction()
    assert refusal_of(at.match, at.match.move, 0, Bid(wrong)) is Standard.MALFORMED


@pytest.mark.parametrize(("offered", "wrong"), [(1, True), (True, 1), (0, False), (False, 0)])
def test_yes_is_not_one_where_either_may_be_asked_for(offered, wrong):
    class Marks(Game[Seat]):
        title = "Marks"

        async def play(self) -> Any:
            await self.ask(self.seats[0], "Mark.", [Mark(offered)])
            return self.ranking()

    at = Watched(Marks)
    assert refusal_of(at.match, at.match.move, 0, Mark(wrong)) is Standard.NOT_OFFERED
    at.plays(0, Mark(offered))


def test_an_action_is_what_its_record_says_and_nothing_like_it():
    with pytest.raises(Refused, match=r"game\.malformed"):
        well_formed(Play("8s"))  # type: ignore[arg-type]
    assert well_formed(Play(Card("8s"))) == Play(Card("8S"))


@pytest.mark.parametrize("thing", [None, "note 1", {"do": "note", "number": 1}, Note, 7, Seat(number=0)])
def test_what_is_no_action_is_malformed(thing):
    at = Watched(Lab, 2)
    assert refusal_of(at.match, at.match.move, 0, thing) is Standard.MALFORMED


def test_the_turn_is_looked_at_before_the_form_and_the_form_before_the_rules():
    at = auction(2)
    at.plays(0, Bid(1))
    at.plays(1, Bid(0))
    at.plays(0, Fetch())
    at.match.move(1, Bid(0))
    assert refusal_of(at.match, at.match.move, 5, Bid("x")) is Standard.NO_SUCH_SEAT
    assert refusal_of(at.match, at.match.move, 0, Bid("x")) is Standard.MALFORMED
    assert refusal_of(at.match, at.match.move, 0, Bid(3)) is Why.TOO_DEAR
    assert refusal_of(at.match, at.match.move, 0, Fetch()) is Standard.NOT_OFFERED


def test_rules_that_name_what_is_not_there_refuse_by_it():
    class Clumsy(Auction):
        title = "Clumsy"

        def refuse(self, seat: Any, action: Any) -> Any:
            return [None][action.coins]

    at = Tabletop(Clumsy, 2)
    assert refusal_of(at.match, at.match.move, 0, Bid(99)) is Standard.NOT_OFFERED


def test_a_reason_may_be_given_with_its_arguments_or_bare():
    at = auction()
    why = at.match.reason(0, Bid(4))
    assert why is not None
    assert str(why.text) == "You have no more than 3."
    lab = Tabletop(Lab, 2)
    bare = lab.match.reason(0, Show())
    assert bare is not None
    assert (bare.why, str(bare.text)) == (Why.STUCK, "Nothing can be done.")


def test_what_is_recorded_is_what_will_be_read():
    action = well_formed(Bid(2))
    assert type(action) is Bid
    assert action == Bid(2)


def test_options_that_are_refused_are_shown_and_not_offered():
    at = Watched(Lab, 2)
    assert Show() in at.match.options(0)
    assert Show() not in at.match.offers(0)


def test_looking_changes_nothing():
    at = auction(sealed=False)
    at.plays(0, Bid(1))
    before = public_state(at.match)
    for seat in range(3):
        at.match.options(seat), at.match.offers(seat), at.match.classes(seat), at.match.reason(seat, Bid(9))
        at.match.view(seat), at.match.can_undo(seat)
    at.match.view(), at.match.view(None), at.match.waiting_for(), at.match.fingerprint()
    assert public_state(at.match) == before
