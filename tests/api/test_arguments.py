"""The arguments of calls: words of which there are few, whole numbers, seats, people; and what is missing."""

import json
from typing import Any

import pytest

from strifebarge.api.arguments import decoded
from strifebarge.api.openapi import document
from strifebarge.tables.clock.absence import AbsenceStep
from strifebarge.tables.model.bots import LEVELS
from strifebarge.tables.model.chat import PHRASES
from strifebarge.tables.model.status import (
    PATIENCES,
    WATCHING,
    AbsencePolicy,
    ResultUse,
    Seating,
    StartRule,
)
from tests.api.calls import Fault, Program, Result, new_key, refusal, table_of
from tests.web.house import House

TERMS: dict[str, list[Any]] = {
    "begins": [*StartRule],
    "seating": [*Seating],
    "remedy": [*AbsencePolicy],
    "afterwards": [*ResultUse],
    "patience": PATIENCES,
    "watching": WATCHING,
}
WORDS: dict[tuple[str, str], list[Any]] = {
    **{(verb, name): values for verb in ("table.new", "table.set") for name, values in TERMS.items()},
    ("tournament.new", "afterwards"): [*ResultUse],
    ("table.miss", "step"): [*AbsenceStep],
    ("table.add_bot", "level"): [*LEVELS],
    ("tournament.add_bots", "level"): [*LEVELS],
    ("chat.say", "phrase"): ["", *PHRASES],
}


@pytest.fixture(scope="module")
def pair(house: House) -> tuple[Program, Program, str]:
    """Two programs at a table for three."""
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    return ann, ben, table_of([ann, ben], "strifebarge", seats=3)


def schema_of(verb: str, name: str) -> Result:
    """The schema of an argument in the document, with what it refers to in its place."""
    whole = document()
    [operation] = [
        each for path in whole["paths"].values() for each in path.values() if each["operationId"] == verb
    ]
    field = operation["requestBody"]["content"]["application/json"]["schema"]["properties"][name]
    either = field.get("anyOf", [field])[0]
    reference = either.get("$ref", "").rpartition("/")[2]
    return whole["components"]["schemas"][reference] if reference else either


@pytest.mark.parametrize(("verb", "name"), WORDS)
def test_an_argument_of_a_few_words_lists_them_in_the_document_and_where_one_is_wrong(
    pair: tuple[Program, Program, str], verb: str, name: str
) -> None:
    ann, values = pair[0], WORDS[verb, name]
    assert sorted(schema_of(verb, name)["enum"]) == sorted(values)
    wrong = 7 if isinstance(values[0], int) else "nonsense"
    with pytest.raises(Fault) as fault:
        ann.do(verb, **{name: wrong})
    assert (fault.value.code, fault.value.data["volity"]) == (-32602, 606)
    assert str(fault.value).startswith(f"`{name}` must be one of ")
    assert all(repr(str(each)).strip("'") in str(fault.value) for each in values)


@pytest.mark.parametrize("name", TERMS)
def test_every_word_that_the_document_lists_is_accepted(house: House, name: str) -> None:
    ann = Program(house, "Ann")
    table = ann.do("table.new", game="strifebarge")["table"]
    for value in schema_of("table.set", name)["enum"]:
        assert not refusal(ann.do("table.set", table=table, **{name: value}))
        assert ann.call("table.get_info", table=table)[name] == value


# -- numbers ---------------------------------------------------------------------------------


def test_a_number_without_a_fraction_is_whole_however_it_is_written() -> None:
    read = decoded(b'[3.0, 1e2, -0.0, {"a": 2.0}, 2.5, "3.0", true]')
    assert json.dumps(read) == '[3, 100, 0, {"a": 2}, 2.5, "3.0", true]'


def send(program: Program, **params: Any) -> Result:
    """Open a table; numbers are written as Python writes them."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "table.new", "params": {"key": new_key(), **params}}
    answer: Result = json.loads(program.rpc(json.dumps(body).encode()).data)
    return answer


def test_whole_numbers_may_have_a_point_and_options_come_back_with_their_types(house: House) -> None:
    ann = Program(house, "Ann")
    opened = send(ann, game="rps", seats=2.0, options={"best_of": 5.0})["result"]["table"]
    info = ann.call("table.get_info", table=opened)
    assert json.dumps(info["options"]["best_of"]) == "5"
    assert info["max_players"] == 2
    for seats, code in ((2.5, 605), ("2", 605), (True, 605), (-1.0, 606)):
        assert send(ann, game="rps", seats=seats)["error"]["data"]["volity"] == code
    fractional = send(ann, game="rps", options={"best_of": 2.5})["result"]
    assert refusal(fractional) == "table.wrong_options"


# -- seats and people ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("table.change_seat", {"to": 9}),
        ("table.add_bot", {"about": 9}),
        ("table.remove_bot", {"about": 9}),
        ("table.remove", {"about": 9, "holder": "x"}),
        ("table.seat_other", {"about": 9, "holder": "x", "to": 1}),
        ("table.nudge", {"about": 9}),
        ("table.miss", {"about": 9, "step": "end"}),
        ("table.take_over", {"about": 9}),
    ],
)
def test_a_seat_that_there_is_not_is_refused_as_that(
    pair: tuple[Program, Program, str], verb: str, more: Result
) -> None:
    ann, _, table = pair
    assert refusal(ann.do(verb, table=table, **more)) == "game.no_such_seat"


def test_nobody_sits_in_a_seat_that_there_is_not(house: House, pair: tuple[Program, Program, str]) -> None:
    ann, _, table = pair
    cleo = Program(house, "Cleo")
    assert refusal(cleo.do("table.sit", table=table, seat=9)) == "game.no_such_seat"
    assert refusal(cleo.do("table.sit", table=table, seat=1)) == "table.seat_taken"
    assert refusal(ann.do("table.new", game="rps", seats=2, sit=9)) == "game.no_such_seat"
    taken = ann.call("table.get_info", table=table)["seats"][1]["holder"]
    moved = ann.do("table.seat_other", table=table, about=1, holder=taken, to=9)
    assert refusal(moved) == "game.no_such_seat"


@pytest.mark.parametrize(("verb", "more"), [("table.remove", {}), ("table.seat_other", {"to": 2})])
def test_the_holder_of_a_seat_is_required(
    pair: tuple[Program, Program, str], verb: str, more: Result
) -> None:
    with pytest.raises(Fault, match="`holder`") as fault:
        pair[0].do(verb, table=pair[2], about=1, **more)
    assert fault.value.data["volity"] == 604


def test_an_invitation_is_withdrawn_by_either_alias_of_who_was_invited(house: House) -> None:
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    played = table_of([ann, ben], "rps")
    assert not refusal(ben.do("table.leave", table=played))
    table = ann.do("table.new", game="strifebarge", seats=3)["table"]
    [past] = ann.call("lobby.people")["people"]
    for verb in ("lobby.people", "table.invitation"):
        assert not refusal(ann.do("table.invite", table=table, person=past["person"]))
        [invited] = ann.call("table.invitation", table=table)["invited"]
        person = past["person"] if verb == "lobby.people" else invited["person"]
        assert not refusal(ann.do("table.withdraw", table=table, person=person))
        assert ann.call("table.invitation", table=table)["invited"] == []
    assert refusal(ann.do("table.withdraw", table=table, person=past["person"])) == "table.not_asked"
