"""Two who press at the same instant at a table before, in and out of play: as if one had come first."""

from functools import partial
from itertools import count

import pytest

from strifebarge.rules.notation import read
from strifebarge.table.referee import Referee
from strifebarge.table.table import Status
from tests.store.conftest import slip
from tests.store.scenes import Scene, must_be_as_if_one_had_been_first

numbers = count()


@pytest.fixture
def referee(store, library):
    """One for whom all seeds are alike, and all tables' names different."""

    def entropy(length):
        return bytes(length) if length == 32 else next(numbers).to_bytes(length, "big")

    return Referee(store, library, entropy=entropy)


class Fleet(Scene):
    """A table of two, which begins when both are there."""

    terms: dict = {}
    seats = 2

    def opened(self):
        return self.referee.start(self.ann, "strifebarge", slip(), seats=self.seats, terms=self.terms).id

    def act(self, person, what):
        referee, id, mine = self.referee, self.id, (person.id, self.id)
        match what:
            case "joins":
                referee.join(person, id, "", slip())
            case "stands" | "frees the seat":
                referee.quit(*mine, "free", slip())
            case "resigns":
                referee.quit(*mine, "resign", slip())
            case "lets time pass":
                referee.tend(id)
            case "changes a setting":
                referee.configure(*mine, {"salvo": True}, slip())
            case "is ready":
                referee.ready(*mine, slip())
            case "is not ready":
                referee.unready(*mine, slip())
            case "changes seats":
                referee.sit_elsewhere(*mine, 1, slip())
            case "suspends":
                referee.suspend(*mine, slip())
            case "proposes the end":
                referee.propose_end(*mine, True, slip())
            case "takes that back":
                referee.propose_end(*mine, False, slip())
            case "sits down beside ben":
                generation = referee.status(id).chairs[1].generation
                referee.sit_beside(person, id, 1, generation, "", slip())
            case "plays again":
                self.again = referee.rematch(*mine, slip())
            case "moves":
                asked = referee.show(*mine).asked
                referee.move(*mine, lambda kinds: read("fire A1", kinds), slip(asked=asked))

    def standing(self):
        table = self.referee.status(self.id)
        chairs = [
            (
                chair.ready,
                chair.left,
                self.name(chair.player),
                *(self.name(each.player) for each in chair.beside),
            )
            for chair in table.chairs
        ]
        aside = table.suspension and (table.suspension.by, table.suspension.end)
        return table.status, chairs, aside, table.unfinished, table.options["salvo"], table.number


class Agreed(Fleet):
    """A table of three, which begins when all who are there agree."""

    terms = {"begins": "agreed"}
    seats = 3


BEGUN = ("ben joins",)
AGREED = ("ben joins", "ann is ready")
ASIDE = (*BEGUN, "ann suspends")
ENDING = (*ASIDE, "ben proposes the end")
BEFORE_AND_IN_PLAY = [
    ((), "ben joins", "cleo joins"),
    ((), "ben joins", "ann stands"),
    ((), "ben joins", "ann changes a setting"),
    ((), "ben joins", "ann changes seats"),
    (BEGUN, "ann suspends", "ben suspends"),
    (BEGUN, "ann suspends", "ann moves"),
    (BEGUN, "ann suspends", "ben moves"),
    (BEGUN, "ann suspends", "ben frees the seat"),
    (BEGUN, "ann suspends", "ben resigns"),
    ((*ASIDE, "ann is ready"), "ben is ready", "ann is not ready"),
    ((*ASIDE, "ann is ready"), "ben is ready", "ben frees the seat"),
    ((*ASIDE, "ann is ready"), "ben is ready", "ann proposes the end"),
    ((*ASIDE, "ben frees the seat", "ann is ready"), "ben joins", "cleo joins"),
    ((*ASIDE, "ann is ready"), "ben is ready", "cleo sits down beside ben"),
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
]
PAIRS = [(Fleet, *pair) for pair in BEFORE_AND_IN_PLAY] + [(Agreed, *pair) for pair in WHERE_ALL_AGREE]


@pytest.mark.parametrize(("table", "before", "one", "other"), PAIRS)
def test_what_two_do_at_once_is_as_if_one_had_been_first(referee, table, before, one, other):
    must_be_as_if_one_had_been_first(partial(table, referee, *before), one, other)


def test_an_agreed_end_ends_the_game_and_does_not_take_it_up_again(referee):
    scene = Fleet(referee, *ENDING, "ann is ready", "ben is ready")
    table = referee.status(scene.id)
    assert (table.status, table.unfinished, table.result) == (Status.OVER, True, None)
    assert scene.tries("ann moves") == "game.game_over"
    assert referee.store.waiting_for(scene.ann.id) == referee.store.waiting_for(scene.ben.id) == 0
