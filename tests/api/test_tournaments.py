"""Tournaments by programs: opened, joined, organized, played and shown."""

from typing import Any

import pytest

from strifebarge.tournaments.due import going_on
from tests.api.calls import Fault, Program, Result, new_key, refusal
from tests.web.conftest import OpenHouse
from tests.web.house import House

HANDS = {True: "throw paper", False: "throw rock"}


def opened(host: Program, **given: Any) -> Result:
    fields = {"game": "rps", "name": "Cup", "format": "round-robin", "pace": "days-3", **given}
    return host.do("tournament.new", **fields)


def people(house: House, *names: str) -> list[Program]:
    return [Program(house, name) for name in names]


def play_all(house: House, players: list[Program], cup: str) -> Result:
    """Play to the end; the earlier a player has joined, the better."""
    for _ in range(9):
        for who in players:
            while table := who.call("tournament.show", tournament=cup)["my_table"]:
                tournament = who.call("tournament.show", tournament=cup)
                [game] = [each for each in tournament["games"] if each["table"] == table]
                for number in sorted(game["entrants"]):
                    throw(players[number - 1], table, HANDS[number == min(game["entrants"])])
        going_on(house.services.tournaments)(house.referee.now())
    return players[0].call("tournament.show", tournament=cup)


def throw(who: Program, table: str, hand: str) -> None:
    number = who.call("table.state", table=table)["question"]["question_number"]
    assert not refusal(who.do("table.move", table=table, question_number=number, move=hand))


def test_programs_play_a_tournament_from_the_first_call_to_the_final_table(house: House) -> None:
    ann, ben, cleo = people(house, "Ann", "Ben", "Cleo")
    cup = opened(ann, visible=True)["tournament"]
    for who in (ann, ben, cleo):
        tournament = who.do("tournament.join", tournament=cup)
    assert [each["name"] for each in tournament["players"]] == ["Ann", "Ben", "Cleo"]
    assert [each["mine"] for each in tournament["players"]] == [False, False, True]
    assert (tournament["organizer"], tournament["entered"], tournament["standings"]) == (False, True, [])
    started = ann.do("tournament.start", tournament=cup)
    assert (started["stage"], started["round"], started["rounds"]) == ("running", 1, 3)
    assert [(each["outcome"], each["points"]) for each in started["games"]] == [("", [])]
    tournament = play_all(house, [ann, ben, cleo], cup)
    assert tournament["stage"] == "over"
    assert [each["entrant"] for each in tournament["standings"]] == [1, 2, 3]
    assert [each["points"] for each in tournament["standings"]] == [2, 1, 0]
    assert [*tournament["standings"][0]["ties"]] == ["sonneborn", "direct", "wins"]
    assert [each["points"] for each in tournament["games"] if each["entrants"] == [1, 2]] in ([[1, 0]], [])
    [line] = [each for each in ben.call("tournament.list")["tournaments"] if each["tournament"] == cup]
    assert (line["stage"], line["entered"], line["entrants"]) == ("over", True, 3)


def test_points_of_a_knock_out_are_the_rounds_won(house: House) -> None:
    ann, ben = people(house, "Ann", "Ben")
    cup = opened(ann, format="knock-out")["tournament"]
    for who in (ann, ben):
        who.do("tournament.join", tournament=cup)
    ann.do("tournament.start", tournament=cup)
    made = play_all(house, [ann, ben], cup)
    assert [(each["entrant"], each["points"]) for each in made["standings"]] == [(1, 1), (2, 0)]


def test_an_organizer_sets_rounds_enters_bots_and_removes_entrants(house: House) -> None:
    ann, ben = people(house, "Ann", "Ben")
    cup = opened(ann, format="swiss")["tournament"]
    tournament = ann.do("tournament.set", tournament=cup, rounds=4, visible=True)
    assert (tournament["rounds"], tournament["visible"]) == (4, True)
    assert cup in [each["tournament"] for each in ben.call("tournament.list")["tournaments"]]
    tournament = ann.do("tournament.add_bots", tournament=cup, level="easy", count=2)
    assert [each["bot"] for each in tournament["players"]] == [True, True]
    ben.do("tournament.join", tournament=cup, name="Benno")
    tournament = ann.do("tournament.remove", tournament=cup, number=1)
    assert [each["name"] for each in tournament["players"]][-1] == "Benno"
    assert len(tournament["players"]) == 2
    tournament = ben.do("tournament.withdraw", tournament=cup)
    assert (len(tournament["players"]), tournament["can_start"], tournament["closed"]) == (1, False, "")


def test_what_is_refused_has_a_token_and_changes_nothing(house: House) -> None:
    ann, ben = people(house, "Ann", "Ben")
    cup = opened(ann)["tournament"]
    refused = {
        "tournament.start": ({}, "not_organiser"),
        "tournament.set": ({"rounds": 3}, "not_organiser"),
        "tournament.add_bots": ({}, "not_organiser"),
        "tournament.remove": ({"number": 1}, "not_organiser"),
        "tournament.withdraw": ({}, "not_in"),
    }
    before = ben.call("tournament.show", tournament=cup)
    for name, (fields, token) in refused.items():
        assert refusal(ben.do(name, tournament=cup, **fields)).partition(".")[2] == token
    assert refusal(ann.do("tournament.start", tournament=cup)).endswith(".too_few")
    assert refusal(opened(ann, format="tables")).endswith(".wrong_format")
    assert refusal(opened(ann, pace="")).endswith(".no_clock")
    assert refusal(ann.call("tournament.show", tournament="NOTHING0")).endswith(".no_tournament")
    with pytest.raises(Fault):
        opened(ann, format="nonsense")
    with pytest.raises(Fault):
        ann.again("play").do("tournament.start", tournament=cup)
    assert ben.call("tournament.show", tournament=cup) == before


def test_a_call_that_is_sent_again_counts_once(house: House) -> None:
    ann, ben = people(house, "Ann", "Ben")
    key = new_key()
    cup = opened(ann, key=key)["tournament"]
    assert opened(ann, key=key)["tournament"] == cup
    assert refusal(opened(ann, key=key, name="Another")) == "table.key_reused"
    for who in (ann, ben):
        who.do("tournament.join", tournament=cup)
    for _ in range(2):
        tournament = ann.do("tournament.start", tournament=cup, key=key + "-start")
        assert [len(tournament["games"]), tournament["stage"]] == [1, "running"]


def test_who_tries_codes_by_program_sees_no_tournament_but_their_own(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=3)
    ann, ben = people(house, "Ann", "Ben")
    cup = opened(ann)["tournament"]
    assert ben.call("tournament.show", tournament=cup)["name"] == "Cup"
    for nth in range(3):
        assert refusal(ben.call("tournament.show", tournament=f"0000000{nth}")).endswith(".no_tournament")
    for code in (cup, "00000000"):
        with pytest.raises(Fault) as fault:
            ben.call("tournament.show", tournament=code)
        assert fault.value.code == -32003
    assert ann.call("tournament.show", tournament=cup)["name"] == "Cup"


def test_calls_that_are_sent_again_use_up_no_limit(open_house: OpenHouse) -> None:
    house = open_house(limit_create=2)
    [ann] = people(house, "Ann")
    key = new_key()
    assert len({opened(ann, key=key)["tournament"] for _ in range(5)}) == 1
    table, again = ann.do("table.new", game="rps")["table"], new_key()
    for _ in range(5):
        ann.do("table.add_bot", table=table, key=again)
    with pytest.raises(Fault) as fault:
        opened(ann)
    assert fault.value.code == -32003
