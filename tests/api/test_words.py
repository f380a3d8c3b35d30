"""Texts for programs: those that all readers hear alike are made once, others for each reader."""

from gettext import NullTranslations
from types import SimpleNamespace
from typing import Any

from strifebarge.api import words
from strifebarge.api.words import Sentences
from strifebarge.rules import Action, Refusal, Refused, Seat


class Greet(Action):
    """Greet somebody."""

    whom: Any

    label = "Greet {whom}"


class Why(Refusal):
    TOO_MANY = "{n} are too many for {whom}."


class Title:
    """A language in which nothing is translated."""

    def __init__(self) -> None:
        self.words = NullTranslations()

    def of(self, title: object) -> NullTranslations:
        return self.words


def heard_by(names: list[str], language: Title) -> Sentences:
    """What a reader hears at whose table these people sit."""
    places = [SimpleNamespace(name=name, coplayers=[]) for name in names]
    view: Any = SimpleNamespace(viewer=SimpleNamespace(eyes=None), places=places, title=None)
    return Sentences(language, view)  # type: ignore[arg-type]


def test_what_names_a_seat_is_told_with_the_names_of_each_table():
    language, greeting = Title(), Greet(Seat(number=0))
    offers = [heard_by([name, "Ben"], language).offered(greeting) for name in ("Ann", "Eve")]
    assert offers == ["Greet Ann", "Greet Eve"]
    refused = Refused(Why.TOO_MANY, n=2, whom=Seat(number=0))
    whys = [heard_by([name, "Ben"], language).reason(refused) for name in ("Ann", "Eve")]
    assert [why.text for why in whys] == ["2 are too many for Ann.", "2 are too many for Eve."]


def test_what_names_nobody_is_made_once_for_each_language():
    misses = words._for_all.cache_info().misses
    language, other = Title(), Title()
    for each in (language, language, other):
        assert heard_by(["Ann", "Ben"], each).offered(Greet("all")) == "Greet all"
    assert words._for_all.cache_info().misses == misses + 2


def test_what_is_equal_but_told_otherwise_is_not_confused():
    language = Title()
    texts = [
        heard_by([], language).reason(Refused(Why.TOO_MANY, n=n, whom="one")).text
        for n in (1, True, 1.0, [1, 2])
    ]
    assert texts == [f"{n} are too many for one." for n in ("1", "True", "1.0", "1, 2")]
    buttons = [heard_by([], language).offered(Greet(whom)) for whom in (1, True, 1.0, [1, 2])]
    assert buttons == [f"Greet {whom}" for whom in ("1", "True", "1.0", "1, 2")]
