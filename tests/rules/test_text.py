"""Sentences are kept with their arguments, and told to each reader in their own words."""

import gc
import json
from enum import Enum, IntEnum, StrEnum
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strifebarge.rules import Seat, Secret, Text, count
from strifebarge.rules.pieces import Card, Suit
from strifebarge.rules.text import PlainTeller, pack, tell

ANN, BOB = Seat(number=0), Seat(number=1)


def test_arguments_are_filled_in_by_name():
    assert tell(Text("{seat} fires at {square}.", {"square": "K9", "seat": BOB}), None) == "P1 fires at K9."


def test_a_text_is_its_own_words_to_a_spectator():
    assert (
        str(Text("{seat} draws {card:a card}.", {"seat": ANN, "card": Secret("8S", ANN)}))
        == "P0 draws a card."
    )


@given(st.text(), st.text())
def test_names_that_hold_braces_stay_names(name, other):
    sentence = tell(Text("{{{name}}} and {other}.", {"name": name, "other": other}), None)
    assert sentence == f"{{{name}}} and {other}."


def test_a_name_that_looks_like_an_argument_stays_a_name():
    assert tell(Text("{a} {b}", {"a": "{b}", "b": "{secret}"}), None) == "{b} {secret}"


def test_a_secret_is_told_to_those_who_know_it():
    line = Text("{seat} draws {card:a card}.", {"seat": ANN, "card": Secret(Card("QH"), ANN)})
    assert tell(line, 0) == "P0 draws queen of hearts."
    assert tell(line, 1) == tell(line, None) == "P0 draws a card."


def test_what_everyone_knows_is_no_secret():
    card = Secret("8S", ANN)
    card.show()
    assert (
        tell(Text("{card:a card}", {"card": card}), None) == tell(Text("{card}", {"card": card}), 1) == "8S"
    )


def test_without_words_for_the_others_a_secret_is_silent():
    assert tell(Text("It was {card}.", {"card": Secret("8S", ANN)}), 1) == "It was ."


def test_a_seat_is_told_of_itself_as_you_and_of_others_by_name():
    line = Text("{seat:You sink| sinks} {owner:your|’s} ship.", {"seat": ANN, "owner": BOB})
    assert [tell(line, viewer) for viewer in (0, 1, None)] == [
        "You sink P1’s ship.",
        "P0 sinks your ship.",
        "P0 sinks P1’s ship.",
    ]
    assert tell(Text("{seat} waits for {other:you}.", {"seat": ANN, "other": BOB}), 1) == "P0 waits for you."


def test_secrets_are_kept_in_lists_and_in_texts_within_texts():
    inner = Text("{card:something}", {"card": Secret("8S", ANN)})
    line = Text("{all}; {one}", {"all": [inner, Secret("9S", BOB), "x"], "one": inner})
    assert tell(line, 0) == "8S, , x; 8S"
    assert tell(line, 1) == "something, 9S, x; something"


@pytest.mark.parametrize(("n", "sentence"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (-1, "-1 cards")])
def test_the_number_chooses_between_one_and_many(n, sentence):
    assert tell(count("{n} card", "{n} cards", n), None) == sentence


def test_a_counted_thing_may_stand_in_a_sentence():
    left = count("{n} {what}", "{n} {what}s", 2, what="point")
    assert tell(Text("{seat} has {left}.", {"seat": ANN, "left": left}), None) == "P0 has 2 points."


def test_suits_and_cards_are_told_in_words():
    assert (
        tell(Text("{card}, {suit}", {"card": Card("10D"), "suit": Suit.CLUBS}), None)
        == "10 of diamonds, clubs"
    )


class Weather(Enum):
    FAIR = "fair"
    ODD = "{odd} {"


class Flag(StrEnum):
    RED = "red"


class Size(IntEnum):
    BIG = 9


def test_an_enum_is_told_by_its_value_as_a_word_of_the_game():
    assert pack(Weather.FAIR) == {"text": "fair"}
    sentence = tell(
        Text("{a} {b} {c} {d}", {"a": Weather.FAIR, "b": Flag.RED, "c": Size.BIG, "d": Weather.ODD}), None
    )
    assert sentence == "fair red 9 {odd} {"


def test_classes_that_are_packed_are_not_kept() -> None:
    def packed() -> ref[type]:
        class Sky(Enum):
            BLUE = "blue"

        assert pack(Sky.BLUE) == {"text": "blue"}
        return ref(Sky)

    classes = packed()
    gc.collect()
    assert classes() is None


def test_numbers_strings_and_nothing_are_told_as_they_are():
    assert tell(Text("{a} {b} {c} {d:none}", {"a": 1, "b": 0.5, "c": "x", "d": None}), None) == "1 0.5 x none"


def test_a_packed_text_is_plain_json_with_its_secrets_marked():
    text = count(
        "{seat}: {n} {card:a card}",
        "{seat}: {n} {card:cards}",
        2,
        seat=ANN,
        card=Secret("8S", BOB, readers=[None]),
    )
    packed = pack(text)
    assert json.loads(json.dumps(packed)) == packed
    assert packed["args"]["seat"] == {"seat": 0}
    assert packed["args"]["card"] == {"secret": "8S", "known": [None, 1]}
    assert tell(packed, 1) == tell(text, 1)


def test_a_word_alone_can_be_told_too():
    assert tell("a {word}", None) == "a {word}"


def test_things_that_have_a_text_are_told_by_it():
    class Ship:
        text = Text("the {name}", {"name": "Ark"})

    assert tell(Text("{ship} sails.", {"ship": Ship()}), None) == "the Ark sails."


def test_there_are_no_words_for_other_things():
    with pytest.raises(TypeError, match="no words for"):
        pack(Text("{it}", {"it": object()}))


@pytest.mark.parametrize(
    "text", [Text("{seat} fires."), Text("{n} ship", {"n": 1}, "{n} of {all}"), Text("{}")]
)
def test_a_sentence_that_names_what_it_is_not_given_is_noticed_when_it_is_said(text):
    with pytest.raises(TypeError, match="is not given"):
        pack(text)


def test_a_teller_gives_the_language_the_names_and_the_words():
    class German(PlainTeller):
        def sentence(self, text, plural, n):
            return {"{seat} draws {card:a card}.": "{card:eine Karte} für {seat}."}[text]

        def word(self, value):
            return value.upper()

    ears = German(None, names=lambda number: ["Ann", "Bob"][number])
    line = Text("{seat} draws {card:a card}.", {"seat": BOB, "card": Secret("8s", ANN)})
    assert tell(line, ears) == "EINE KARTE FÜR Bob."
