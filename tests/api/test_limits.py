"""Limits of programs: each token counts, and all tokens and pages of one address count together."""

from collections.abc import Callable
from typing import Any

import pytest

from strifebarge.web.http.guard import ENTRANTS
from tests.api.calls import Fault, Program, cup_of, new_key, refusal
from tests.web.house import House, OpenHouse

HERE, ELSEWHERE = "192.0.2.7", "198.51.100.9"


def program(house: House, name: str, address: str) -> Program:
    """Return a program of a new person that calls from an address."""
    result = Program(house, name)
    result.client.environ_base["REMOTE_ADDR"] = address
    return result


def programs(house: House, number: int) -> list[Program]:
    return [program(house, f"P{nth}", HERE) for nth in range(number)]


def allowed(calls: list[Callable[[], object]]) -> list[bool]:
    """Make calls, and return which of them were no fault of the kind "too many calls"."""
    return [not is_too_fast(call) for call in calls]


def is_too_fast(call: Callable[[], object]) -> bool:
    try:
        call()
    except Fault as fault:
        if (fault.code, fault.data["status"]) != (-32003, 429):
            raise
        return int(fault.data["wait"]) >= 1
    return False


def table_elsewhere(house: House) -> str:
    """Return an open table whose host has an address of their own."""
    return house.visitor().start("rps").code


def opening(each: Program, house: House) -> object:
    return each.do("table.new", game="rps")


def opening_tournament(each: Program, house: House) -> object:
    return cup_of(each)


def bringing_bot(each: Program, house: House) -> object:
    return each.do("table.add_bot", table=table_elsewhere(house))  # refused to a stranger, and counted


def joining(each: Program, house: House) -> object:
    return each.do("table.sit", table=table_elsewhere(house))


def playing_again(each: Program, house: House) -> object:
    return each.do("table.rematch", table=table_elsewhere(house))


def talking(each: Program, house: House) -> object:
    return each.do("chat.say", table=table_elsewhere(house), text="Hello")


def guessing(each: Program, house: House) -> object:
    return each.call("table.state", table="AAAAAAAA")


def calling(each: Program, house: House) -> object:
    return each.call("lobby.me")


LIMITED: dict[str, tuple[Callable[[Program, House], object], dict[str, int], int]] = {
    "open tables": (opening, {"limit_create": 2}, 2),
    "open tournaments": (opening_tournament, {"limit_create": 2}, 2),
    "bring bots": (bringing_bot, {"limit_bots": 2}, 2),
    "join tables": (joining, {"limit_create": 1}, 3),
    "play again": (playing_again, {"limit_create": 1}, 3),
    "talk": (talking, {"limit_create": 1}, 6),
    "guess codes": (guessing, {"limit_codes": 2}, 2),
    "call": (calling, {"limit_api": 1}, 10),
}


@pytest.mark.parametrize("what", LIMITED)
def test_all_tokens_of_one_address_share_its_limit(open_house: OpenHouse, what: str) -> None:
    act, settings, most = LIMITED[what]
    house = open_house(**settings)
    many = programs(house, most + 2)
    assert allowed([lambda each=each: act(each, house) for each in many]) == [True] * most + [False] * 2
    assert allowed([lambda: act(program(house, "Else", ELSEWHERE), house)]) == [True]


def test_pages_and_programs_of_one_address_share_its_limit(open_house: OpenHouse) -> None:
    house = open_house(limit_create=2)
    assert house.visitor(HERE).start("rps").status == 200
    [one, other] = programs(house, 2)
    assert allowed([lambda: opening(one, house), lambda: opening(other, house)]) == [True, False]
    form = house.visitor().get("/new/rps")
    assert house.visitor(HERE).submit(form, "/new/rps").status == 429


def test_a_token_has_its_limit_from_whatever_addresses(open_house: OpenHouse) -> None:
    house = open_house(limit_create=2)
    ann = Program(house, "Ann")
    done = []
    for number in range(4):
        ann.client.environ_base["REMOTE_ADDR"] = f"192.0.2.{number}"
        done += allowed([lambda: opening(ann, house)])
    assert done == [True, True, False, False]


def test_a_household_with_ipv6_is_one_address_to_programs_too(open_house: OpenHouse) -> None:
    house = open_house(limit_create=2)
    many = [program(house, f"P{nth}", f"2001:db8:1:2::{nth}") for nth in range(3)]
    assert allowed([lambda each=each: opening(each, house) for each in many]) == [True, True, False]
    assert allowed([lambda: opening(program(house, "Else", "2001:db8:1:3::1"), house)]) == [True]


def test_one_address_leaves_a_quarter_of_a_tournament_to_others(open_house: OpenHouse) -> None:
    house = open_house()
    cup, other_cup = (cup_of(program(house, "Host", ELSEWHERE)) for _ in range(2))
    many = programs(house, ENTRANTS + 2)
    joins = [lambda each=each: each.do("tournament.join", tournament=cup) for each in many]
    assert allowed(joins) == [True] * ENTRANTS + [False] * 2
    written_otherwise = f"{cup[:4]}-{cup[4:]}".lower()
    assert allowed([lambda: many[-1].do("tournament.join", tournament=written_otherwise)]) == [False]
    assert allowed([lambda: many[-1].do("tournament.join", tournament=other_cup)]) == [True]
    welcome = program(house, "Else", ELSEWHERE).do("tournament.join", tournament=cup)
    assert not refusal(welcome)
    assert len(welcome["players"]) == ENTRANTS + 1


def test_a_call_that_is_sent_again_counts_once(open_house: OpenHouse) -> None:
    house = open_house(limit_create=1)
    table = table_elsewhere(house)
    [ann] = programs(house, 1)
    key = new_key()
    assert allowed([lambda: ann.do("table.sit", table=table, key=key)] * 5) == [True] * 5


# -- what headers say --------------------------------------------------------------------------------


def test_the_limit_of_a_token_is_told_and_kept(open_house: OpenHouse) -> None:
    house = open_house(limit_api=3)
    ann, ben = Program(house, "Ann"), Program(house, "Ben")
    left = [int(ann.send("GET", "/me").headers["RateLimit-Remaining"]) for _ in range(3)]
    assert left == [2, 1, 0]
    late = ann.send("GET", "/me")
    assert late.status_code == 429
    assert 1 <= int(late.headers["Retry-After"]) <= 60
    by_rpc = ann.rpc({"jsonrpc": "2.0", "method": "lobby.me", "params": {}, "id": 1})
    assert (by_rpc.status_code, by_rpc.json["error"]["code"]) == (429, -32003)
    assert ben.send("GET", "/me").headers["RateLimit-Limit"] == "3"


def test_where_each_worker_counts_by_itself_only_what_it_allows_is_told(open_house: OpenHouse) -> None:
    house = open_house(limit_api=5, workers=2)
    ann = Program(house, "Ann")
    answers: list[Any] = [ann.send("GET", "/me") for _ in range(4)]
    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    for each in answers:
        assert each.headers["RateLimit-Limit"] == "3"
        assert not {"RateLimit-Remaining", "RateLimit-Reset"} & set(each.headers.keys())
    assert "Retry-After" in answers[-1].headers
