"""The written forms of an action: words, forms, JSON; and what cannot be read."""

import shlex
from enum import StrEnum
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct
from werkzeug.datastructures import MultiDict

from strifebarge.rules import Action, Refused, Standard
from strifebarge.rules.notation import (
    LONGEST,
    PLAIN,
    from_form,
    from_json,
    listed,
    meanings,
    read,
    tag,
    write,
)
from strifebarge.rules.pieces import Card
from strifebarge.rules.text import tell

from .parlour import Bid, Fetch, Note, Say, Why


class Colour(StrEnum):
    RED, BLUE = "red", "blue"


class Paint(Action):
    """Paint something."""

    colour: Colour
    what: str

    misread = {"colour": Why.NOT_A_COLOUR}


class Place(Struct, frozen=True):
    area: str
    strength: int = 1


class Order(Action):
    """Everything an action may hold."""

    block: int
    to: str | None
    cards: list[Card]
    words: list[str]
    numbers: list[int]
    marks: frozenset[str]
    place: Place
    bold: bool
    weight: float
    share: int | None = None
    more: dict[str, int] = {}


class Trade(Action):
    """Fields that may hold nothing, or several."""

    gives: list[str] | None = None
    coins: Annotated[int, Meta(ge=0, le=9)] = 0


class Ship(Action):
    """Fields with something inside, and one more."""

    cargo: dict[str, Annotated[int, Meta(ge=1)]] = {}
    to: Place = Place("")
    haste: bool = False


KINDS: tuple[type[Action], ...] = (Say, Note, Fetch, Bid, Paint, Order, Trade, Ship)

orders = st.builds(
    Order,
    block=st.integers(),
    to=st.none() | st.text(min_size=1),
    cards=st.lists(st.sampled_from(Card)),
    words=st.lists(st.text()),
    numbers=st.lists(st.integers()),
    marks=st.frozensets(st.text()),
    place=st.builds(Place, st.text(), st.integers()),
    bold=st.booleans(),
    weight=st.floats(allow_nan=False, allow_infinity=False),
    share=st.none() | st.integers(),
    more=st.dictionaries(st.text(), st.integers()),
)


def why(doing: Any, *args: Any) -> tuple[Any, str]:
    """The reason for which this is refused, and its sentence."""
    with pytest.raises(Refused) as refused:
        doing(*args, KINDS)
    return refused.value.why, tell(refused.value.text, None)


def tried(doing: Any, *args: Any) -> Action | str:
    """The action that is read, or the sentence with which it is refused."""
    try:
        action: Action = doing(*args, KINDS)
        return action
    except Refused as refused:
        return tell(refused.text, None)


# -- words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Fetch(), "fetch"),
        (Say(-3), "say -3"),
        (Paint(Colour.RED, "Mill Wood"), "paint red 'Mill Wood'"),
        (Paint(Colour.RED, ""), "paint red ''"),
        (Paint(Colour.RED, "it's"), """paint red 'it'"'"'s'"""),
        (Trade(["A1", "B2"], 3), "trade A1,B2 3"),
        (Trade(None), "trade"),
        (Trade(["A1"], 0), "trade A1"),
        (Trade(None, 3), "trade '' 3"),
        (Ship({"wool": 2}, Place("Rye")), """ship '{"wool":2}' '{"area":"Rye","strength":1}'"""),
        (Ship({"wool": 2}), """ship '{"wool":2}'"""),
    ],
)
def test_an_action_is_written_in_words_and_read_again(action, words):
    assert write(action) == words
    assert read(words, KINDS) == action


@given(orders)
def test_whatever_an_action_holds_it_is_read_as_it_was_written(order):
    assert read(write(order), KINDS) == order


@given(st.text(min_size=1))
def test_names_with_spaces_quotes_and_all_else_stay_one_word(name):
    words = write(Paint(Colour.BLUE, name))
    assert len(shlex.split(words)) == 3
    assert read(words, KINDS) == Paint(Colour.BLUE, name)


@pytest.mark.parametrize(
    "gives", [[], [""], ["A,B"], ["", "A"], ["[A"], ["[]"], [" A"], ["A", "B "], ["'"], ['"', "\\"]]
)
def test_a_list_is_read_as_it_was_written_whatever_is_in_it(gives):
    assert read(write(Trade(gives)), KINDS) == Trade(gives or None)


def test_the_last_fields_may_be_left_out_where_they_have_defaults():
    assert read("trade", KINDS) == read("trade '' 0", KINDS) == Trade()
    assert read("trade A1", KINDS) == Trade(["A1"])
    assert why(read, "trade A1 2 3")[1].endswith("trade takes 2 words.")
    assert why(read, "say")[1].endswith("say takes 1 word.")


@pytest.mark.parametrize(
    "cargo", ['{"wool": "1"}', '{"wool": true}', '{"wool": 1.0}', '{"wool": 0}', "[1]", "1"]
)
def test_in_json_types_count_exactly_in_whatever_is_inside_a_field(cargo):
    assert why(read, f"ship '{cargo}'")[0] is Standard.MALFORMED


@given(st.from_regex(PLAIN, fullmatch=True) | st.text(" \t\n'\"\\\\#aK9.,é\x0b\xa0"))
def test_words_without_quotes_are_split_as_a_shell_splits_them(words):
    assert not PLAIN.fullmatch(words) or words.split(" ") == shlex.split(words)


def test_people_may_write_it_in_their_own_way():
    assert read('  PAINT   red "Mill Wood" ', KINDS) == Paint(Colour.RED, "Mill Wood")
    assert read("trade A1,,B2, 3", KINDS) == Trade(["A1", "B2"], 3)
    assert read("trade 'A1, B2' 3", KINDS) == Trade(["A1", "B2"], 3)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "it can't be read"),
        ("   ", "it can't be read"),
        ("say 'one", "it can't be read"),
        ("dance", "“dance” doesn't exist here"),
        ("'{do}'", "“{do}” doesn't exist here"),
        ("say", "say takes 1 word"),
        ("say 1 2", "say takes 1 word"),
        ("fetch 1", "fetch takes 0 words"),
        ("paint red", "paint takes 2 words"),
        ("say one", "Number is a whole number"),
        ("say 1.5", "Number is a whole number"),
        ("trade A1 10", "Coins is a whole number from 0 to 9"),
        ("trade '[1' 3", "it can't be read"),
        (f"trade {'[' * 5000} 3", "it can't be read"),
        ("x" * (LONGEST + 1), "it's too long"),
    ],
)
def test_words_that_are_no_action_are_malformed_and_it_is_said_how(words, sentence):
    assert why(read, words) == (Standard.MALFORMED, f"That isn't a move in this game: {sentence}.")


def test_a_field_may_have_its_own_word_for_what_it_cannot_read():
    assert why(read, "paint green door") == (Why.NOT_A_COLOUR, "That is no colour.")
    assert why(from_json, {"do": "paint", "colour": 7, "what": "door"})[0] is Why.NOT_A_COLOUR
    assert why(from_json, {"do": "paint", "colour": "red", "what": 7})[0] is Standard.MALFORMED


@given(st.text())
def test_nothing_that_is_typed_does_worse_than_be_refused(words):
    assert tried(read, words)


@given(st.sampled_from(KINDS), st.lists(st.text(), max_size=12))
def test_nothing_that_is_typed_after_a_name_does_worse_than_be_refused(kind, words):
    assert tried(read, shlex.join([tag(kind), *words]))


# -- forms ---------------------------------------------------------------------------


def test_a_form_holds_an_action_in_words():
    assert from_form(MultiDict([("move", "say 3")]), KINDS) == Say(3)


def test_or_a_field_for_each_of_its_fields():
    form = MultiDict([("do", "paint"), ("colour", " red "), ("what", " the door ")])
    assert from_form(form, KINDS) == Paint(Colour.RED, "the door")


def test_what_is_inside_a_field_is_named_with_dots_and_not_there_if_left_empty():
    form = [("do", "ship"), ("cargo.wool", "2"), ("cargo.tin", ""), ("to.area", " Rye "), ("haste", "true")]
    assert from_form(MultiDict(form), KINDS) == Ship({"wool": 2}, Place("Rye"), True)
    assert from_form(MultiDict([("do", "ship"), ("cargo.wool", "")]), KINDS) == Ship()
    whole = MultiDict([("do", "ship"), ("cargo", '{"wool": 1}'), ("cargo.tin", "3")])
    assert from_form(whole, KINDS) == Ship({"wool": 1})


@pytest.mark.parametrize(
    "names",
    [["cargo.wool.grey"], ["cargo.wool", "cargo.wool.grey"], ["to.nowhere"], ["cargo..a"], ["to.strength"]],
)
def test_dots_that_lead_nowhere_are_malformed(names):
    form = MultiDict([("do", "ship"), *((name, "x") for name in names)])
    assert why(from_form, form)[0] is Standard.MALFORMED


def test_a_name_with_hundreds_of_dots_is_not_followed():
    assert from_form(MultiDict([("do", "ship"), ("cargo" + ".a" * 500, "1")]), KINDS) == Ship()


def test_a_list_is_posted_as_several_values_or_as_one():
    several = MultiDict([("do", "trade"), ("gives", "A1"), ("gives", ""), ("gives", "B2"), ("coins", "2")])
    assert from_form(several, KINDS) == Trade(["A1", "B2"], 2)
    assert from_form(MultiDict([("do", "trade"), ("gives", "A1, B2")]), KINDS) == Trade(["A1", "B2"])
    assert from_form(MultiDict([("do", "trade"), ("gives", "A1")]), KINDS) == Trade(["A1"])
    assert from_form(MultiDict([("do", "trade")]), KINDS) == Trade([])


def test_the_last_of_two_values_counts():
    assert from_form(MultiDict([("do", "say"), ("number", "1"), ("number", "2")]), KINDS) == Say(2)


def test_what_is_not_asked_for_is_not_read():
    form = MultiDict([("do", "say"), ("number", "1"), ("key", "x"), ("asked", "3")])
    assert from_form(form, KINDS) == Say(1)


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({}, "choose something first"),
        ({"move": ""}, "choose something first"),
        ({"do": ""}, "choose something first"),
        ({"do": "dance"}, "“dance” doesn't exist here"),
        ({"do": "say"}, "Number is missing"),
        ({"do": "say", "number": ""}, "Number is a whole number"),
        ({"move": "say"}, "say takes 1 word"),
    ],
)
def test_forms_that_hold_no_action_are_malformed(form, sentence):
    assert why(from_form, MultiDict(form)) == (
        Standard.MALFORMED,
        f"That isn't a move in this game: {sentence}.",
    )


# -- JSON ----------------------------------------------------------------------------


def test_an_action_is_read_from_json():
    assert from_json({"do": "paint", "colour": "red", "what": "door"}, KINDS) == Paint(Colour.RED, "door")
    assert from_json({"do": "fetch"}, KINDS) == Fetch()


@pytest.mark.parametrize("number", [True, 1.0, "1", None, [1]])
def test_in_json_types_count_exactly(number):
    assert why(from_json, {"do": "say", "number": number})[0] is Standard.MALFORMED


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        "say 1",
        7,
        {},
        {"do": None},
        {"do": ["say"]},
        {"do": "SAY", "number": 1},
        {"do": "say"},
        {"do": "say", "number": 1, "more": 2},
        {"do": "say", "number": 1, 3: 4},
        {"do": "paint", "colour": "\ud800", "what": "door"},
        {"do": "\ud800"},
    ],
)
def test_json_that_is_no_action_is_malformed(raw):
    assert why(from_json, raw)[0] is Standard.MALFORMED


def test_what_was_sent_is_not_sent_back_at_length():
    reason, sentence = why(from_json, {"do": "paint", "colour": "red", "x" * 5000: 1, "what": ""})
    assert reason is Standard.MALFORMED
    assert len(sentence) < 300


def test_what_was_sent_does_not_choose_the_field_that_is_blamed():
    sly = "x - at `$.what`"
    assert why(from_json, {"do": "paint", "colour": sly, "what": ""})[0] is Why.NOT_A_COLOUR


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.sampled_from(KINDS), st.data())
def test_nothing_that_is_sent_does_worse_than_be_refused(kind, data):
    names = st.sampled_from([*kind.__struct_fields__, "x"])
    raw = {**data.draw(st.dictionaries(names, json_values)), "do": tag(kind)}
    assert tried(from_json, raw)


def test_an_action_knows_which_of_its_fields_hold_several():
    assert listed(Order) == {"cards", "words", "numbers", "marks"}
    assert listed(Trade) == {"gives"}
    assert tag(Paint) == "paint"


# -- as people type ------------------------------------------------------------


class OfferDraw(Action):
    """Offer a draw."""


class Shoot(Action):
    """Shoot at several squares."""

    at: list[str]


TYPED: tuple[type[Action], ...] = (Say, Paint, OfferDraw, Shoot)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("say 3", Say(3)),
        ("SAY 3", Say(3)),
        ("3", Say(3)),
        ("paint red the wall", Paint(Colour.RED, "the wall")),
        ("offer draw", OfferDraw()),
        ("offer_draw", OfferDraw()),
        ("Offer Draw", OfferDraw()),
        ("shoot A1, B2 C3", Shoot(["A1", "B2", "C3"])),
    ],
)
def test_the_likeliest_meaning_comes_first(words, first):
    assert meanings(words, TYPED)[0] == first


def test_what_may_mean_several_things_is_told_in_the_order_of_the_kinds():
    assert meanings("7", [Shoot, Say]) == [Shoot(["7"]), Say(7)]
    assert meanings("7", [Say, Shoot]) == [Say(7), Shoot(["7"])]
    assert meanings("red wall", [Paint, Shoot]) == [Paint(Colour.RED, "wall"), Shoot(["red", "wall"])]


def test_a_field_that_cannot_be_read_is_refused_in_its_place():
    no, shot = meanings("seven", [Say, Shoot])
    assert isinstance(no, Refused)
    assert shot == Shoot(["seven"])
    [wrong] = meanings("paint green wall", [Paint, OfferDraw])[:1]
    assert wrong.why is Why.NOT_A_COLOUR


@pytest.mark.parametrize("words", ["", "  ", "offer", "offer draw now"])
def test_words_that_mean_nothing_mean_nothing(words):
    assert meanings(words, [OfferDraw]) == []


def test_an_apostrophe_is_no_reason_to_give_up():
    assert meanings("Ann's", [Shoot]) == [Shoot(["Ann's"])]


def test_too_many_words_are_refused():
    with pytest.raises(Refused) as no:
        meanings("x" * (LONGEST + 1), KINDS)
    assert no.value.why is Standard.MALFORMED


@given(st.text())
def test_whatever_is_typed_is_understood_or_refused_and_nothing_else(words):
    for meaning in meanings(words, KINDS):
        assert isinstance(meaning, Action | Refused)
