"""Nothing odd in a field or an address is a fault of ours."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

from tests.web.asking import ODD, must_refuse_or_do, sent
from tests.web.house import House, Party, opened

# -- odd values ----------------------------------------------------------------------


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd[:12]))
def test_no_value_of_any_field_is_a_fault_of_ours(house: House, party: Party, odd: str) -> None:
    player = party.to_move()
    form = dict(player.get(party.table).form("/turn").fields)
    for name in ("asked", "key", "move", "do", "square"):
        with house.unchanged():
            fields = [*({"do": "fire", **form} | {name: odd}).items()]
            page = sent(player, f"{party.table}/turn", fields)
            assert 400 <= page.status < 500, (name, page.status)
    newcomer = house.visitor()
    newcomer.start("rps")
    table = house.visitor().start("strifebarge", seats="8").table
    for path, name in [
        (f"{table}/remove", "seat"),
        ("/new/eights", "draw"),
        ("/new/eights", "name"),
        ("/new/eights", "no_such_option"),
        (f"{table}/join", "seat"),
        (f"{table}/join", "name"),
        (f"{party.table}/remove", "seat"),
        (f"{party.table}/undo", "asked"),
        (f"{party.table}/seat", "t"),
        ("/code", "code"),
        ("/name", "name"),
        ("/prefer/theme", "theme"),
    ]:
        page = sent(
            newcomer, path, [("key", f"{Random(repr((odd, path, name))).getrandbits(128):032x}"), (name, odd)]
        )
        must_refuse_or_do(page, (name, odd[:20]))


@pytest.mark.parametrize(("path", "field"), [("/new/eights", "seats"), ("/new/chess", "sit")])
@pytest.mark.parametrize("odd", [odd for odd in ODD if len(odd) != 5000], ids=lambda odd: ascii(odd[:12]))
def test_no_number_of_seats_is_a_fault_of_ours(house: House, odd: str, path: str, field: str) -> None:
    who = house.visitor()
    page = who.get(path)
    must_refuse_or_do(sent(who, path, page.form(path).filled(**{field: odd})), odd[:20])


@pytest.mark.parametrize(("path", "field"), [("/new/eights", "seats"), ("/new/chess", "sit")])
def test_a_number_of_seats_with_5000_digits_is_no_fault_of_ours(house: House, path: str, field: str) -> None:
    who = house.visitor()
    must_refuse_or_do(sent(who, path, who.get(path).form(path).filled(**{field: "9" * 5000})), field)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd[:12]))
def test_no_part_of_an_address_is_a_fault_of_ours(house: House, party: Party, odd: str) -> None:
    written = quote(odd, safe="", errors="surrogatepass")
    player = party.players[0]
    with house.unchanged():
        for path in (
            f"{party.table}?done={written}",
            f"{party.table}?pick={written}",
            f"{party.table}/status?v={written}&n={written}",
            f"{party.table}/at/{written}",
            f"{party.table}/at/0?as={written}",
            f"{party.table}/seat?t={written}",
            f"{party.table}/export.{written}",
            f"{party.table}/sure?asked={written}&move={written}",
            f"{party.table}/sure?asked=0&do=fire&square={written}",
            f"/games/next?after={written}",
            f"/rules/{written}",
            f"/new/{written}",
            f"/g/{written}",
        ):
            must_refuse_or_do(player.get(path), path[:60])


@pytest.mark.parametrize(
    "key",
    [None, "", "short", "x" * 15, "x" * 65, "x" * 5000, "k" * 31 + "\n", "k k" * 8, "ключ" * 8, "'" * 32],
)
def test_a_form_without_a_proper_key_is_asked_for_again(house: House, party: Party, key: str | None) -> None:
    player = party.to_move()
    page = player.get(party.table)
    with house.unchanged():
        refused = player.submit(page, "/turn", page.form("/turn").moves[0], key=key)
        assert (refused.status, refused.token) == (422, "table.no_key")
        assert refused.my_turn


def test_a_move_that_does_not_say_which_question_it_answers_is_asked_for_again(
    house: House, party: Party
) -> None:
    player = party.to_move()
    page = player.get(party.table)
    with house.unchanged():
        refused = player.submit(page, "/turn", page.form("/turn").moves[0], asked=None)
        assert (refused.status, refused.token) == (422, "table.no_key")


# -- what no database keeps ----------------------------------------------------------


NULS = ["a\0b" * 8, "\0" * 32, "\ud800" * 16]


@pytest.mark.parametrize("odd", NULS, ids=ascii)
def test_no_database_is_asked_for_what_it_cannot_keep(ready_url: str, tmp_path: Path, odd: str) -> None:
    with opened(ready_url, tmp_path) as site:
        party = site.fleet()
        player = party.to_move()
        table = site.visitor().start("strifebarge", seats="3").table
        for path in (
            "/new/rps",
            f"{table}/join",
            f"{party.table}/turn",
            f"{party.table}/seat",
            "/code",
            "/name",
        ):
            for who in (site.visitor(), player):
                for name in ("key", "name", "code", "t", "move", "draw", "best_of"):
                    if name == "key" and "\0" in odd and who is not player:
                        continue  # see below
                    fields = {"key": f"{next(site.numbers):032x}", "asked": "0", name: odd}
                    must_refuse_or_do(sent(who, path, [*fields.items()]), name)
        for path in ("/me/devices", "/me/passkeys/remove", "/me/account", "/sign-in", "/notices/remove"):
            for name in ("device", "passkey", "login", "password", "again", "address"):
                fields = {"key": f"{next(site.numbers):032x}", name: odd}
                must_refuse_or_do(sent(player, path, [*fields.items()]), (path, name))
        written = quote(odd, errors="surrogatepass")
        for path in (
            f"/g/{written}",
            f"{party.table}?pick=%00",
            "/rules/%00",
            *(f"/tables?{name}={written}" for name in ("game", "pace", "language", "free", "page")),
            *(f"/{folder}/{written}" for folder in ("p", "r", "feed", "new")),
            f"/feed/{written}.ics",
            f"/notices/off?t={written}",
        ):
            must_refuse_or_do(player.get(path), path)
        player.cookies["sb"] = "a%00b"
        assert player.get("/games").status == 200


@pytest.mark.parametrize("path", ["/new/rps", "/join"])
def test_a_strangers_key_is_looked_at_before_postgresql_is_asked_for_it(
    postgres_ready: str, tmp_path: Path, path: str
) -> None:
    with opened(postgres_ready, tmp_path) as site:
        if path == "/join":
            path = site.visitor().start("rps").table + path
        assert sent(site.visitor(), path, [("key", "k" * 20 + "\0")]).status == 422


# -- at random -----------------------------------------------------------------------


def requests(
    house: House, chance: Random, ids: list[str]
) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Any method, at any address of the site, with any fields."""
    rules = sorted(house.app.url_map.iter_rules(), key=str)
    names = [
        "key",
        "asked",
        "move",
        "do",
        "seat",
        "seats",
        "name",
        "how",
        "t",
        "square",
        "code",
        "best_of",
        "back",
    ]
    values = [*ODD, "k" * 32, "fire A1", "throw rock", "resign", "free", "rock", "fire", "/", *ids]
    methods = ["GET", "HEAD", "POST", "POST", "POST", "PUT", "OPTIONS", "DELETE"]
    while True:
        path = str(chance.choice(rules))
        for part, choices in (
            ("<id>", ids),
            ("<code>", ids),
            ("<game>", ["rps", "eights", "nope"]),
            ("<what>", ["theme", "sure", "nope"]),
            ("<int:number>", ["0", "1", "999", "-1", "x"]),
            ("<ending>", ["pgn", "fen", "exe"]),
        ):
            path = path.replace(part, chance.choice(choices))
        fields = [(chance.choice(names), chance.choice(values)) for _ in range(chance.randrange(5))]
        if chance.random() < 0.5:
            fields += [("key", f"{chance.getrandbits(128):032x}")]
        yield chance.choice(methods), path, fields


def test_whatever_is_asked_no_fault_is_ours_and_a_refusal_changes_nothing(house: House) -> None:
    chance = Random(2012)
    parties = [house.fleet(3), house.thrown("rock"), house.thrown("rock", "paper")]
    gathering = house.visitor().start("strifebarge", seats="3").code
    ids = [*(party.code for party in parties), gathering, "00000000", "short", "../..", "%2e%2e"]
    people = [house.visitor(), *(player for party in parties for player in party.players)]
    before = house.kept()
    for _, (method, path, fields) in zip(range(400), requests(house, chance, ids), strict=False):
        who = chance.choice(people)
        page = sent(who, path, fields, method)
        assert page.status < 500, (method, path, fields)
        after = house.kept()
        if method != "POST" or page.status >= 400:
            assert after == before, (method, path, fields, page.status)
        before = after
