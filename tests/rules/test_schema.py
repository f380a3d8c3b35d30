"""What can be read off a game's classes: actions, refusals, options and their forms."""

from enum import Enum
from typing import Annotated, Any, Literal

from msgspec import Meta

from games.eights import rules as eights
from games.rps import rules as rps
from games.strifebarge import rules as strifebarge
from strifebarge.rules import Action, Game, Options, Refusal, Seat, Standard
from strifebarge.rules.schema import (
    Choice,
    Field,
    actions,
    every_options,
    form_fields,
    options_type,
    refusals,
    seat_numbers,
    slug,
    usual_seats,
)

assert Standard  # imported, as a game may: it is not one of the game's own refusals


class Size(Enum):
    SMALL, LARGE = 1, 2


class House(Options, frozen=True):
    size: Size = Size.SMALL
    map: Annotated[
        Literal["old", "new"],
        Meta(title="Chart", description="Which.", extra={"labels": {"old": "The old one"}}),
    ] = "new"
    fog: bool = True
    turns: Annotated[int, Meta(ge=3, le=9)] = 5
    name: str = "Ark"

    def refuse(self) -> Refusal | None:
        return Why.OLD_FOG if self.fog and self.map == "old" else None


class Why(Refusal):
    OLD_FOG = "The old chart is without fog."


class Everything(Action):
    """One field of each kind."""

    yes: bool
    number: int
    text: str
    several: list[str]
    one_of: Literal[1, 2]


class Trio(Game[Seat]):
    title = "Trio"
    players = "Ann", "Bob", "Cid"

    options: House = House()


class Crowd(Game[Seat]):
    title = "Crowd"
    players = range(3, 7)
    usual = 4


def fields(kind: Any) -> dict[str, Field]:
    return {field.name: field for field in form_fields(kind)}


def test_a_game_is_called_by_its_folder():
    assert [slug(game) for game in (eights.CrazyEights, rps.RockPaperScissors)] == ["eights", "rps"]


def test_its_actions_and_refusals_are_those_its_module_defines():
    assert actions(eights.CrazyEights) == (eights.Play, eights.Draw, eights.Name, eights.Pass)
    assert actions(Trio) == (Everything,)
    assert refusals(rps.RockPaperScissors) == (rps.Why.UNKNOWN_HAND,)
    assert refusals(Trio) == (Why.OLD_FOG,)
    assert len(refusals(eights.CrazyEights)) == 8


def test_seats_are_a_range_or_the_seats_names():
    assert list(seat_numbers(Crowd)) == [3, 4, 5, 6]
    assert list(seat_numbers(Trio)) == [3]


def test_a_table_has_two_seats_or_the_fewest_or_what_is_usual():
    assert [usual_seats(game) for game in (eights.CrazyEights, Trio, Crowd)] == [2, 3, 4]


def test_options_have_a_class_of_their_own_or_none():
    assert options_type(Trio) is House
    assert options_type(Crowd) is Options
    assert list(every_options(Crowd)) == [Options()]


def test_every_setting_that_can_be_counted_up_and_is_not_refused_is():
    options = list(every_options(Trio))
    assert len(options) == len(set(options)) == 2 * (2 * 2 - 1)
    assert House(Size.LARGE, "old", fog=False) in options
    assert {(each.turns, each.name) for each in options} == {(5, "Ark")}  # type: ignore[attr-defined]
    assert len(list(every_options(rps.RockPaperScissors))) == 8
    assert strifebarge.Waters("open", True) in list(every_options(strifebarge.StrifeBarge))


def test_a_choice_has_labels_where_the_author_gives_them():
    chart = fields(House)["map"]
    assert (chart.label, chart.hint, chart.kind, chart.default) == ("Chart", "Which.", "choice", "new")
    assert chart.choices == (Choice("old", "The old one"), Choice("new", "new"))


def test_yes_and_no_are_a_choice():
    fog = fields(House)["fog"]
    assert (fog.kind, fog.default) == ("yes", "true")
    assert fog.choices == (Choice("false", "no"), Choice("true", "yes"))


def test_an_enum_is_a_choice_of_its_values():
    size = fields(House)["size"]
    assert (size.kind, size.default) == ("choice", "1")
    assert [choice.value for choice in size.choices] == ["1", "2"]


def test_a_number_has_its_bounds():
    turns = fields(House)["turns"]
    assert (turns.kind, turns.least, turns.most, turns.default) == ("number", 3, 9, "5")
    assert turns.label == "Turns"


def test_an_actions_fields_are_a_form():
    form_fields = fields(Everything)
    assert [field.kind for field in form_fields.values()] == ["yes", "number", "text", "several", "choice"]
    assert [field.default for field in form_fields.values()] == [None] * 5
    assert form_fields["one_of"].label == "One of"
    assert [choice.value for choice in form_fields["one_of"].choices] == ["1", "2"]


def test_a_card_is_chosen_among_all_cards():
    [card] = form_fields(eights.Play)
    assert (card.kind, len(card.choices)) == ("choice", 52)
