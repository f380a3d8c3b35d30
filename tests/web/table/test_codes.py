"""Codes that somebody reads out: forgiving of how they are typed, and not to be guessed."""

import pytest

from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, token

FORM = {"Content_Type": "application/x-www-form-urlencoded"}
ADDRESSES = ["", "/version", "/status", "/log", "/at/0", "/record.json", "/quit", "/seat?t=x", "/sure"]
NO_GUESS = {"answer.look", "answer.play"}  # whose links are signed: they say the same of any table


def ways_to_type(code: str) -> list[str]:
    """What people make of a code."""
    return [
        code.lower(),
        f"{code[:4]}-{code[4:]}",
        " ".join(code),
        f"  {code[:4].lower()} - {code[4:]} ",
        code.replace("0", "O"),
        code.replace("0", "o"),
        code.replace("1", "I"),
        code.replace("1", "l"),
        code.replace("1", "L").replace("0", "o"),
    ]


def with_lookalikes(house: House) -> str:
    """A table whose code has both a 0 and a 1."""
    codes = iter([bytes.fromhex("0045c2ce21")] * 3)  # no chance in this one
    entropy = house.referee.entropy
    house.referee.entropy = lambda size: next(codes) if size == 5 else entropy(size)
    try:
        return house.visitor().start("rps").code
    finally:
        house.referee.entropy = entropy


def test_a_code_is_found_however_it_is_typed(open_house: OpenHouse) -> None:
    house = open_house()
    code = with_lookalikes(house)
    assert "0" in code
    assert "1" in code
    for typed in ways_to_type(code):
        answer = house.visitor().post("/code", [("code", typed)])
        assert (answer.status, answer.location) == (303, f"/g/{code}"), typed


def test_an_address_is_found_however_it_is_typed_and_the_canonical_one_shown(open_house: OpenHouse) -> None:
    house = open_house()
    code = with_lookalikes(house)
    for typed in {each.strip().replace(" ", "%20") for each in ways_to_type(code)} - {code}:
        answer = house.visitor().get(f"/g/{typed}")
        assert (answer.status, answer.location) == (301, f"/g/{code}"), typed


@pytest.mark.parametrize("code", ["", "1234567", "123456789", "ABCDEFGU", "ÄBCDEFGH", "ABCD.FGH", "\0" * 8])
def test_what_is_no_code_is_answered_like_one_that_nobody_has(house: House, code: str) -> None:
    answer, unknown = house.visitor().post("/code", [("code", code)]), house.visitor().get("/g/00000000")
    assert (answer.status, answer.lasting_words) == (404, unknown.lasting_words)


def guess(who: Local, times: int) -> list[Page]:
    return [who.get(f"/g/{number:08}") for number in range(times)]


def must_be_held_back(page: Page) -> None:
    assert page.status == 429
    assert 1 <= int(page.headers["Retry-After"]) <= 60
    assert token(page) == "web.too_fast"
    assert "That was too fast." in page.words


@pytest.mark.parametrize("address", ADDRESSES)
def test_after_ten_wrong_codes_in_a_minute_every_address_of_a_table_is_held_back(
    open_house: OpenHouse, address: str
) -> None:
    house = open_house(limit_codes=10)
    table = house.fleet().table
    guesser = house.visitor()
    assert [page.status for page in guess(guesser, 10)] == [404] * 10
    must_be_held_back(guesser.get(f"/g/00000099{address}"))
    must_be_held_back(guesser.get(f"{table}{address}"))  # or a right guess could be told from a wrong one
    must_be_held_back(guesser.post("/code", [("code", table)]))
    assert house.visitor().get(table).status == 200


def test_no_address_at_all_tells_a_right_code_from_a_wrong_one_after_that(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    code, guesser = house.fleet().code, house.visitor()
    player = Local(house.app, guesser.address)  # somebody here, but not at that table
    player.start("rps")
    guess(guesser, 10)
    rules = [rule for rule in house.app.url_map.iter_rules() if "id" in rule.arguments]
    assert len(rules) > 40
    for rule in (each for each in rules if each.endpoint not in NO_GUESS):
        method = "POST" if "POST" in (rule.methods or ()) else "GET"
        path = str(rule).replace("<int:number>", "0").replace("<ending>", "pgn")
        for who in (guesser, player):
            with house.unchanged():
                answers = [
                    who.request(method, path.replace("<id>", each), f"key={'k' * 32}".encode(), **FORM)
                    for each in (code, "00000099")
                ]
            assert [answer.status for answer in answers] == [429, 429], path


def test_the_code_box_counts_wrong_codes_as_addresses_do(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    table, guesser = house.fleet().table, house.visitor()
    for number in range(10):
        assert guesser.post("/code", [("code", f"{number:08}")]).status == 404
    must_be_held_back(guesser.post("/code", [("code", "00000099")]))
    must_be_held_back(guesser.get(table))
    must_be_held_back(guesser.get(f"{table}/version"))


@pytest.mark.parametrize("address", ["/version", "/status", "/log", "/at/0", "/record.json", "/quit"])
def test_a_wrong_code_counts_whichever_address_it_is_tried_at(open_house: OpenHouse, address: str) -> None:
    house = open_house(limit_codes=10)
    guesser = house.visitor()
    for number in range(10):
        assert guesser.get(f"/g/{number:08}{address}").status == 404
    must_be_held_back(guesser.get("/g/00000099"))


def test_right_codes_are_never_counted(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    party, guest = house.fleet(), house.visitor()
    for _ in range(30):
        assert guest.post("/code", [("code", party.code)]).status == 303
        assert guest.get(f"{party.table}/version").status == 200


def test_who_sits_at_a_table_reaches_it_even_from_an_address_that_guesses(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    party = house.fleet()
    player = party.to_move()
    guess(Local(house.app, player.address), 20)
    must_be_held_back(Local(house.app, player.address).get(party.table))
    for address in ("", "/version", "/status", "/log", "/at/0", "/quit"):
        assert player.get(party.table + address).status == 200, address
    page = player.get(party.table)
    assert player.submit(page, "/turn", page.form("/turn").moves[0]).status == 303


def test_and_so_do_several_at_one_device(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    player = house.visitor()
    page = player.start("eights", seats="2", devices="one", name="Ann", others="Ben")
    guess(Local(house.app, player.address), 20)
    assert player.get(page.table).status == 200


def test_after_twenty_games_in_a_minute_an_address_is_asked_to_wait(open_house: OpenHouse) -> None:
    house = open_house(limit_create=20)
    host = house.visitor()
    for _ in range(20):
        host.start("rps")
    with house.unchanged():
        page = host.get("/new/rps")
        must_be_held_back(host.submit(page, "/new/rps"))
        must_be_held_back(Local(house.app, host.address).submit(page, "/new/rps"))
    assert house.visitor().start("rps").status == 200


def test_one_household_with_ipv6_is_one_address(open_house: OpenHouse) -> None:
    house = open_house(limit_create=3)
    for number in range(3):
        house.visitor(f"2001:db8:1:2::{number}").start("rps")
    page = house.visitor().get("/new/rps")
    must_be_held_back(house.visitor("2001:db8:1:2:ffff::9").submit(page, "/new/rps"))
    assert house.visitor("2001:db8:1:3::1").submit(page, "/new/rps").status == 303


def test_each_worker_has_its_share_of_a_limit(open_house: OpenHouse) -> None:
    house = open_house(limit_create=20, workers=8)
    host = house.visitor()
    for _ in range(3):  # an eighth, rounded up
        host.start("rps")
    must_be_held_back(host.submit(host.get("/new/rps"), "/new/rps"))
