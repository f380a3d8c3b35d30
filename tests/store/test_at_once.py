"""Two who press at the same instant at a table before, in and out of play: as if one had come first."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.notation import read
from strifebarge.table.library import Library
from strifebarge.table.referee import Referee, Slip
from strifebarge.table.table import Status

numbers = count()
TIMES = 12  # each pair of acts, at once


def slip():
    return Slip(f"a-key-for-this-form-{next(numbers):08}")


@pytest.fixture(scope="module")
def library():
    return Library()


@pytest.fixture
def referee(store, library):
    """One for whom all seeds are alike, and all tables' names different."""

    def entropy(length):
        return bytes(length) if length == 32 else next(numbers).to_bytes(length, "big")

    return Referee(store, library, entropy=entropy)


class Scene:
    """A table of two in some state, and what may be done there."""

    def __init__(self, referee, *acts):
        self.referee = referee
        self.ann, self.ben, self.cleo = (referee.newcomer() for _ in range(3))
        agreed = "at an agreed table" in acts
        terms = {"begins": "agreed"} if agreed else {}
        self.id = referee.start(self.ann, "strifebarge", slip(), seats=3 if agreed else 2, terms=terms).id
        for act in acts:
            if act != "at an agreed table":
                self.do(act)

    def do(self, act):
        who, what = act.split(" ", 1)
        person = getattr(self, who)
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
            case "sees":
                self.seen = referee.status(id).at_issue
            case "is ready for that":
                referee.ready(*mine, slip(), self.seen)
            case "joins that":
                referee.join(person, id, "", slip(), seen=self.seen)
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
                referee.move(*mine, lambda kinds: read("fire A1", kinds), Slip(slip().key, asked=asked))

    def tries(self, act):
        """Why not; None if it was done."""
        try:
            self.do(act)
        except Refused as no:
            return no.token
        return None

    def standing(self):
        table = self.referee.status(self.id)
        who = {self.ann.id: "ann", self.ben.id: "ben", self.cleo.id: "cleo", None: None}
        chairs = [
            (who[chair.player], chair.ready, chair.left, [who[each.player] for each in chair.beside])
            for chair in table.chairs
        ]
        aside = table.suspension and (table.suspension.by, table.suspension.end)
        return table.status, chairs, aside, table.unfinished, table.options["salvo"], table.number


BEGUN = ("ben joins",)
AGREED = ("at an agreed table", "ben joins", "ann is ready")
ASIDE = (*BEGUN, "ann suspends")
ENDING = (*ASIDE, "ben proposes the end")
PAIRS = [
    ((), "ben joins", "cleo joins"),
    ((), "ben joins", "ann stands"),
    ((), "ben joins", "ann changes a setting"),
    ((), "ben joins", "ann changes seats"),
    (AGREED, "ben is ready", "ann stands"),
    (AGREED, "ben is ready", "ben stands"),
    (AGREED, "ben is ready", "ann is not ready"),
    (AGREED, "ben is ready", "cleo joins"),
    (AGREED, "ben is ready", "ann changes a setting"),
    (AGREED, "ben is ready", "cleo sits down beside ben"),
    (AGREED, "cleo joins", "cleo sits down beside ben"),
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
    ((*ASIDE, "cleo sits down beside ben", "ann is ready", "ben is ready"), "cleo is ready", "cleo stands"),
    (("ben sees",), "ben joins that", "ann changes a setting"),
    ((*AGREED, "ben sees"), "ben is ready for that", "ann changes a setting"),
    ((*AGREED, "ben sees"), "ben is ready for that", "cleo joins"),
    ((*ASIDE, "ann is ready", "ben sees"), "ben is ready for that", "ann proposes the end"),
    ((*ASIDE, "ben sees"), "ben is ready for that", "ann is ready"),
    ((*ENDING, "ann is ready", "ben sees"), "ben is ready for that", "ann takes that back"),
    ((*ENDING, "ann is ready"), "ben is ready", "ben is ready"),
    ((*ENDING, "ann is ready"), "ben is ready", "ann is not ready"),
    ((*ENDING, "ann is ready"), "ben is ready", "ben takes that back"),
    ((*ENDING, "ann is ready"), "ben is ready", "ben frees the seat"),
]


@pytest.mark.parametrize(("before", "one", "other"), PAIRS)
def test_what_two_do_at_once_is_as_if_one_had_been_first(referee, before, one, other):
    orders = []
    for first, second in ((one, other), (other, one)):
        scene = Scene(referee, *before)
        answers = {first: scene.tries(first)}
        answers[second] = scene.tries(second)
        orders.append((answers, scene.standing()))
    with ThreadPoolExecutor(2) as threads:
        for _ in range(TIMES):
            scene, together = Scene(referee, *before), Barrier(2)

            def press(act, scene=scene, together=together):
                together.wait()
                return act, scene.tries(act)

            answers = dict(threads.map(press, (one, other)))
            assert (answers, scene.standing()) in orders


def test_an_agreed_end_ends_the_game_and_does_not_take_it_up_again(referee):
    scene = Scene(referee, *ENDING, "ann is ready", "ben is ready")
    table = referee.status(scene.id)
    assert (table.status, table.unfinished, table.result) == (Status.OVER, True, None)
    assert scene.tries("ann moves") == "game.game_over"
    assert referee.store.waiting_for(scene.ann.id) == referee.store.waiting_for(scene.ben.id) == 0
