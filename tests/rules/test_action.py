"""Actions are typed values with words on their buttons; refusals are values with names."""

import msgspec
import pytest

from strifebarge.rules import Action, Refused, Standard, Text
from strifebarge.rules.action import Leave, Undo, snake
from strifebarge.rules.pieces import Card
from strifebarge.rules.text import tell

from .parlour import Bid, Fetch, Note, Say, Why


class HoldFire(Action):
    """Let it pass."""


class March(Action):
    """March by road.

    The rest of this is for authors.
    """

    block: int
    to: str


class Nameless(Action):
    card: Card


@pytest.mark.parametrize(
    ("name", "written"), [("Fire", "fire"), ("HoldFire", "hold_fire"), ("BuyAHouse", "buy_ahouse")]
)
def test_an_action_is_called_by_its_class_in_small_letters(name, written):
    assert snake(name) == written


def test_an_action_is_its_class_and_its_fields():
    assert Say(1) == Say(1) != Note(1)
    assert len({Say(1), Say(1), Note(1)}) == 2
    with pytest.raises(AttributeError):
        Say(1).number = 2  # type: ignore[misc]


def test_an_action_is_recorded_under_its_name():
    assert msgspec.to_builtins(March(3, "Mill Wood")) == {"do": "march", "block": 3, "to": "Mill Wood"}
    assert [msgspec.to_builtins(action) for action in (Undo(), Leave())] == [{"do": "undo"}, {"do": "leave"}]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Say(4), "Say 4"),
        (Fetch(), "Fetch the lot"),
        (March(3, "Mill Wood"), "March by road: 3 Mill Wood"),
        (Nameless(Card("8S")), "Nameless: 8 of spades"),
        (HoldFire(), "Let it pass"),
    ],
)
def test_the_words_on_its_button_are_its_label_or_its_docstring(action, words):
    assert tell(action.words, None) == words


def test_an_action_offered_as_a_class_needs_a_sample():
    with pytest.raises(NotImplementedError, match="Say is offered as a class and needs a sample"):
        Say.sample(None, None, None)  # type: ignore[arg-type]
    assert Bid.sample.__func__ is not Action.sample.__func__  # type: ignore[attr-defined]


def test_a_refusal_is_a_token_a_sentence_and_perhaps_an_older_number():
    assert (Why.TOO_DEAR.token, Why.TOO_DEAR.number) == ("rules.too_dear", 902)
    assert (Why.STUCK.token, Why.STUCK.number) == ("rules.stuck", None)
    assert Why.STUCK.sentence == "Nothing can be done."


def test_the_refusals_of_the_framework_are_those_of_any_game():
    assert Standard.NOT_YOUR_TURN.token == "game.not_your_turn"
    assert Standard.NOT_YOUR_TURN.number == 901
    assert len({why.token for why in Standard}) == len({why.sentence for why in Standard}) == len(Standard)


def test_a_refusal_is_given_with_the_arguments_of_its_sentence():
    refused = Why.TOO_DEAR(coins=3)
    assert isinstance(refused, Refused)
    assert (refused.why, refused.token, str(refused)) == (Why.TOO_DEAR, "rules.too_dear", "rules.too_dear")
    assert refused.text == Text("You have no more than {coins}.", {"coins": 3})
