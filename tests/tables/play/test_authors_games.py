"""Games as authors may write them, at tables: each goes wrong, or otherwise than most, by itself alone."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import games
from strifebarge.results.record import read_record, written
from strifebarge.results.replaying import replay
from strifebarge.results.service import Results
from strifebarge.rules import Refused
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.referee import Referee
from tests.store.conftest import dump, form_token
from tests.support import forms

BRIEF = '''
from strifebarge.rules import Action, Game, Next, Options, Seat, Text


class Go(Action):
    """Go on."""


class Made(Options, frozen=True):
    broken: bool = False
    stranger: bool = False


class Brief(Game[Seat]):
    """It is over before it begins."""

    title = "Brief"
    players = range(1, 4)
    options: Made = Made()

    def setup(self) -> None:
        if self.options.broken:
            raise ZeroDivisionError("nothing was dealt")
        if not self.options.stranger:
            self.log("{seat} draws the longest straw.", seat=self.seats[-1])
            self.finish(self.ranking(lambda seat: seat.number, why=Text("The longest straw.")))

    async def play(self) -> Next:
        await self.ask(Seat(number=9), "Go on.", [Go(), Go()])
        return self.ranking()
'''

SIDES = '''
from typing import Literal

from strifebarge.rules import Action, Game, Next, Options, Seat

BATTLES = {"ford": ("North", "South"), "delta": ("River", "Marsh", "Sea"), "open": range(2, 5)}


class Go(Action):
    """Go on."""


class Battle(Options, frozen=True):
    scenario: Literal["ford", "delta", "open"] = "ford"

    def seats(self) -> range | tuple[str, ...]:
        return BATTLES[self.scenario]


class Siege(Game[Seat]):
    """Sides that follow the scenario."""

    title = "Siege"
    players = range(2, 5)
    options: Battle = Battle()

    async def play(self) -> Next:
        for seat in self.round():
            await self.ask(seat, "Go on.", [Go(), Go()])
        return self.ranking()
'''


@pytest.fixture
def referee(store, tmp_path: Path) -> Iterator[Referee]:
    """A referee whose library has both games besides its own."""
    before = list(games.__path__)
    for name, text in {"authors_brief": BRIEF, "authors_siege": SIDES}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.py").write_text(text, encoding="utf-8")
    yield forms.a_referee(store, Library([tmp_path]))
    games.__path__[:] = before
    for name in ("authors_brief", "authors_siege"):
        for module in (f"games.{name}.rules", f"games.{name}"):
            sys.modules.pop(module, None)
        vars(games).pop(name, None)


def seated(referee: Referee, game: str, seats: int | None, **options: str):
    """A table at which all have sat down; and all of them."""
    people = [forms.newcomer(referee)]
    table = forms.start(referee, people[0], game, form_token(), seats=seats, options=options)
    for _ in table.chairs[1:]:
        people.append(forms.newcomer(referee))
        forms.join(referee, people[-1], table.id, "", form_token())
    return table.id, people


# -- over before it begins --------------------------------------------------------------------


def test_a_game_that_setup_ends_is_over_with_its_result_as_soon_as_all_sit_there(store, referee):
    id, people = seated(referee, "authors_brief", 3)
    table = store.tables.table(id)
    assert table.status is Status.OVER
    assert table.ending.result.places == [[2], [1], [0]]
    assert table.times.ended
    for someone in (referee, forms.a_referee(store, referee.library)):
        for viewer in (*(each.id for each in people), None):
            view = someone.views.show(viewer, id)
            assert view.result == table.ending.result
            assert [line.text for line in view.lines] != []
            assert someone.views.show_at(viewer, id, 0).number == 0
    record = Results(store.results, referee).record(id)
    assert replay(read_record(written(record)), referee.library).match.result == table.ending.result
    assert record.finished
    assert record.places == [[2], [1], [0]]


def test_one_may_play_alone_and_have_ended_at_once(store, referee):
    id, _ = seated(referee, "authors_brief", 1)
    assert store.tables.table(id).status is Status.OVER
    rematch = forms.rematch(referee, store.tables.table(id).chairs[0].player, id, form_token())
    assert store.tables.table(rematch).status is Status.OVER


def test_a_game_whose_setup_breaks_down_is_refused_and_its_table_stays_as_it_was(engine, referee, caplog):
    ann, bob = forms.newcomer(referee), forms.newcomer(referee)
    table = forms.start(referee, ann, "authors_brief", form_token(), seats=2, options={"broken": "true"})
    before = dump(engine)
    with caplog.at_level(logging.ERROR), pytest.raises(Refused) as no:
        forms.join(referee, bob, table.id, "Bob", form_token())
    assert no.value.why is TableRefusal.CANNOT_BEGIN
    assert dump(engine) == before
    assert "Brief cannot begin" in caplog.text
    assert "nothing was dealt" in caplog.text


def test_a_game_that_asks_a_seat_that_is_not_there_is_refused_and_its_author_told(referee, caplog):
    with caplog.at_level(logging.ERROR), pytest.raises(Refused) as no:
        seated(referee, "authors_brief", 2, stranger="true")
    assert no.value.why is TableRefusal.CANNOT_BEGIN
    assert "Brief asks seat 9, and its seats are 0 to 1" in caplog.text


# -- sides that follow the options ---------------------------------------------------------------


def test_the_seats_have_the_names_that_the_options_give_them(referee):
    id, people = seated(referee, "authors_siege", None, scenario="delta")
    view = referee.views.show(people[0].id, id)
    assert [place.role for place in view.places] == ["River", "Marsh", "Sea"]
    assert view.status is Status.PLAYING


def test_the_number_of_seats_follows_where_the_options_leave_no_choice(referee):
    id, _ = seated(referee, "authors_siege", 2, scenario="delta")
    assert len(referee.views.show(None, id).places) == 3
    id, _ = seated(referee, "authors_siege", 4, scenario="open")
    assert [place.role for place in referee.views.show(None, id).places] == [""] * 4


def test_a_number_that_does_not_suit_the_options_is_refused(referee):
    for scenario, seats in [("open", 5), ("open", 1), ("delta", 7)]:
        with pytest.raises(Refused) as no:
            forms.start(
                referee,
                forms.newcomer(referee),
                "authors_siege",
                form_token(),
                seats=seats,
                options={"scenario": scenario},
            )
        assert no.value.why is TableRefusal.WRONG_SEATS


def test_options_that_do_not_suit_the_seats_of_a_table_cannot_be_chosen_there(store, referee):
    ann = forms.newcomer(referee)
    table = forms.start(referee, ann, "authors_siege", form_token(), seats=2)
    assert [place.role for place in referee.views.show(ann.id, table.id).places] == ["North", "South"]
    with pytest.raises(Refused) as no:
        forms.configure(referee, ann.id, table.id, {"scenario": "delta"}, form_token())
    assert no.value.why is TableRefusal.WRONG_SEATS
    assert store.tables.table(table.id).settings.options == {"scenario": "ford"}
    forms.configure(referee, ann.id, table.id, {"scenario": "open"}, form_token())
    assert store.tables.table(table.id).settings.options == {"scenario": "open"}


def test_what_is_offered_twice_is_one_offer(referee):
    id, people = seated(referee, "authors_siege", 2)
    assert [offer.notation for offer in referee.views.show(people[0].id, id).offers] == ["go"]
