"""Two who press at the same instant at a table before, in and out of play: as if one had come first."""

from functools import partial
from itertools import count

import pytest

from strifebarge.rules.notation import read
from strifebarge.tables.model.table import Status
from tests.store.conftest import form_token
from tests.store.scenes import Scene, must_be_as_if_one_had_been_first
from tests.support import forms

numbers = count()


@pytest.fixture
def referee(store, library):
    """One for whom all seeds are alike, and all tables' names different."""

    def entropy(length):
        return bytes(length) if length == 32 else next(numbers).to_bytes(length, "big")

    return forms.a_referee(store, library, entropy=entropy)


class Fleet(Scene):
    """A table of two, which begins when both are there."""

    terms: dict = {}
    seats = 2

    def opened(self):
        return forms.start(
            self.referee, self.ann, "strifebarge", form_token(), seats=self.seats, terms=self.terms
        ).id

    def act(self, person, what):
        referee, id, mine = self.referee, self.id, (person.id, self.id)
        match what:
            case "joins":
                forms.join(referee, person, id, "", form_token())
            case "stands" | "frees the seat":
                forms.quit(referee, *mine, "free", form_token())
            case "resigns":
                forms.quit(referee, *mine, "resign", form_token())
            case "lets time pass":
                forms.tend(referee, id)
            case "changes a setting":
                forms.configure(referee, *mine, {"salvo": True}, form_token())
            case "is ready":
                forms.ready(referee, *mine, form_token())
            case "sees":
                self.seen = referee.views.status(id).at_issue
            case "is ready for that":
                forms.ready(referee, *mine, form_token(), self.seen)
            case "joins that":
                forms.join(referee, person, id, "", form_token(), seen=self.seen)
            case "is not ready":
                forms.unready(referee, *mine, form_token())
            case "changes seats":
                forms.sit_elsewhere(referee, *mine, 1, form_token())
            case "suspends":
                forms.propose_to_suspend(referee, *mine, form_token())
            case "proposes the end":
                forms.propose_end(referee, *mine, True, form_token())
            case "takes that back":
                forms.propose_end(referee, *mine, False, form_token())
            case "sits down beside ben":
                generation = referee.views.status(id).chairs[1].generation
                forms.sit_beside(referee, person, id, 1, generation, "", form_token())
            case "plays again":
                self.again = forms.rematch(referee, *mine, form_token())
            case "moves":
                number = referee.views.show(*mine).question_number
                forms.move(referee, *mine, lambda kinds: read("fire A1", kinds), form_token(question=number))

    def standing(self):
        table = self.referee.views.status(self.id)
        chairs = [
            (
                chair.ready,
                chair.left,
                self.name(chair.player),
                *(self.name(each.player) for each in chair.coplayers),
            )
            for chair in table.chairs
        ]
        aside = table.suspension and (table.suspension.by, table.suspension.end)
        return (
            table.status,
            chairs,
            aside,
            table.ending.unfinished,
            table.settings.options["salvo"],
            table.position.number,
        )


class Agreed(Fleet):
    """A table of three, which begins when all who are there agree."""

    terms = {"begins": "agreed"}
    seats = 3


BEGUN = ("ben joins",)
AGREED = ("ben joins", "ann is ready")
PROPOSED = (*BEGUN, "ann suspends")
ASIDE = (*PROPOSED, "ben suspends")
ENDING = (*ASIDE, "ben proposes the end")
BEFORE_AND_IN_PLAY = [
    ((), "ben joins", "cleo joins"),
    ((), "ben joins", "ann stands"),
    ((), "ben joins", "ann changes a setting"),
    ((), "ben joins", "ann changes seats"),
    (("ben sees",), "ben joins that", "ann changes a setting"),
    (BEGUN, "ann suspends", "ben suspends"),
    (BEGUN, "ann suspends", "ann moves"),
    (BEGUN, "ann suspends", "ben moves"),
    (BEGUN, "ann suspends", "ben frees the seat"),
    (BEGUN, "ann suspends", "ben resigns"),
    (PROPOSED, "ben suspends", "ann moves"),
    (PROPOSED, "ben suspends", "ann frees the seat"),
    ((*ASIDE, "ann is ready"), "ben is ready", "ann is not ready"),
    ((*ASIDE, "ann is ready"), "ben is ready", "ben frees the seat"),
    ((*ASIDE, "ann is ready"), "ben is ready", "ann proposes the end"),
    ((*ASIDE, "ben frees the seat", "ann is ready"), "ben joins", "cleo joins"),
    ((*ASIDE, "ann is ready"), "ben is ready", "cleo sits down beside ben"),
    ((*ASIDE, "ann is ready", "ben sees"), "ben is ready for that", "ann proposes the end"),
    ((*ASIDE, "ben sees"), "ben is ready for that", "ann is ready"),
    ((*ENDING, "ann is ready", "ben sees"), "ben is ready for that", "ann takes that back"),
    ((*ENDING, "ann is ready"), "ben is ready", "ben is ready"),
    ((*ENDING, "ann is ready"), "ben is ready", "ann is not ready"),
    ((*ENDING, "ann is ready"), "ben is ready", "ben takes that back"),
    ((*ENDING, "ann is ready"), "ben is ready", "ben frees the seat"),
]
WHERE_ALL_AGREE = [
    (AGREED, "ben is ready", "ann stands"),
    (AGREED, "ben is ready", "ben stands"),
    (AGREED, "ben is ready", "ann is not ready"),
    (AGREED, "ben is ready", "cleo joins"),
    (AGREED, "ben is ready", "ann changes a setting"),
    (AGREED, "ben is ready", "cleo sits down beside ben"),
    (AGREED, "cleo joins", "cleo sits down beside ben"),
    ((*AGREED, "ben sees"), "ben is ready for that", "ann changes a setting"),
    ((*AGREED, "ben sees"), "ben is ready for that", "cleo joins"),
]
PAIRS = [(Fleet, *pair) for pair in BEFORE_AND_IN_PLAY] + [(Agreed, *pair) for pair in WHERE_ALL_AGREE]


@pytest.mark.parametrize(("table", "before", "one", "other"), PAIRS)
def test_what_two_do_at_once_is_as_if_one_had_been_first(referee, table, before, one, other):
    must_be_as_if_one_had_been_first(partial(table, referee, *before), one, other)


def test_an_agreed_end_ends_the_game_and_does_not_take_it_up_again(referee):
    scene = Fleet(referee, *ENDING, "ann is ready", "ben is ready")
    table = referee.views.status(scene.id)
    assert (table.status, table.ending.unfinished, table.ending.result) == (Status.OVER, True, None)
    assert scene.tries("ann moves") == "game.game_over"
    assert referee.store.waiting_for(scene.ann.id) == referee.store.waiting_for(scene.ben.id) == 0
