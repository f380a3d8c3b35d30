"""Who may post and what a page may load: nothing from other sites, and nothing odd breaks anything."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from urllib.parse import quote, urlencode

import pytest

from tests.support.visitor import Local, Page
from tests.web.house import House, Party, leave, opened

OpenHouse = Callable[..., House]
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; manifest-src 'self'"
)
OTHER_SITE = {
    "Sec-Fetch-Site: cross-site": {"Sec_Fetch_Site": "cross-site"},
    "Sec-Fetch-Site: same-site": {"Sec_Fetch_Site": "same-site"},
    "Sec-Fetch-Site: cross-site with our Origin": {
        "Sec_Fetch_Site": "cross-site",
        "Origin": "http://localhost",
    },
    "a foreign Origin": {"Origin": "https://evil.example"},
    "our name as a part of theirs": {"Origin": "http://localhost.evil.example"},
    "another port": {"Origin": "http://localhost:81"},
    "Origin: null": {"Origin": "null"},
    "an empty Origin": {"Origin": ""},
}
OURS = {
    "no header at all": {},
    "Sec-Fetch-Site: same-origin": {"Sec_Fetch_Site": "same-origin"},
    "Sec-Fetch-Site: none": {"Sec_Fetch_Site": "none"},
    "our Origin": {"Origin": "http://localhost"},
}


@pytest.fixture(scope="module")
def party(house: House) -> Party:
    """A game in the midst of it, that none of these tests may move."""
    return house.fleet()


def addresses(house: House, method: str, code: str) -> list[str]:
    """Every address of the site that takes this method."""
    values = {"id": code, "game": "rps", "what": "theme", "number": 0, "ending": "pgn"}
    values |= {"record": "0" * 16, "person": "0" * 16, "secret": "nonsense"}
    with house.app.test_request_context():
        adapter = house.app.url_map.bind("localhost")
        return sorted(
            adapter.build(rule.endpoint, {name: values[name] for name in rule.arguments}, method)
            for rule in house.app.url_map.iter_rules()
            if method in (rule.methods or ())
        )


# -- from other sites ---------------------------------------------------------------------


@pytest.mark.parametrize("sent", OTHER_SITE)
def test_no_form_sent_from_another_site_is_even_looked_at(house: House, party: Party, sent: str) -> None:
    posts = addresses(house, "POST", party.code)
    assert len(posts) >= 12
    player = party.to_move()
    form = player.get(party.table).form("/turn")
    with house.unchanged():
        for path in posts:
            refused = player.post(
                path, form.filled(form.moves[0], name="Evil", how="resign"), **OTHER_SITE[sent]
            )
            assert refused.status == 403, path
            assert refused.headers.get("Set-Cookie") is None
            assert "not sent from this site" in refused.words


@pytest.mark.parametrize("sent", OURS)
def test_our_own_forms_pass_and_so_do_programs_without_these_headers(house: House, sent: str) -> None:
    who = house.visitor()
    assert who.post("/new/rps", who.get("/").form("/new/rps").filled(), **OURS[sent]).status == 303


def test_links_from_other_sites_lead_in(house: House, party: Party) -> None:
    for headers in OTHER_SITE.values():
        assert house.visitor().get(party.table, **headers).status == 200


# -- headers and cookies ---------------------------------------------------------------------


def test_every_page_says_what_it_may_load_and_that_it_is_what_it_says(house: House, party: Party) -> None:
    player = party.players[0]
    paths = ["/", party.table, "/g/00000000", "/nope", "/healthz", f"{party.table}/version", "/games"]
    for page in [*map(player.get, paths), player.post(f"{party.table}/turn")]:
        assert page.headers["Content-Security-Policy"] == POLICY, page.path
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["Referrer-Policy"] == "same-origin"
        assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    asset = next(link for link in player.get("/").seen.links if link.startswith("/static/"))
    assert player.get(asset).headers["X-Content-Type-Options"] == "nosniff"


def test_pages_of_those_who_sit_are_never_stored(house: House, party: Party) -> None:
    for who in party.players:
        for path in ("", "/status", "/version", "/log", "/at/0", "/quit"):
            assert who.get(party.table + path).headers["Cache-Control"] == "no-store", path
        assert who.get("/").headers["Cache-Control"] == "no-store"


def test_strangers_who_watch_get_the_same_bytes_which_may_be_kept_a_second(
    house: House, party: Party
) -> None:
    one, other = (house.visitor().get(party.table) for _ in range(2))
    assert one.headers["Cache-Control"] == "public, max-age=1"
    assert "Cookie" in one.headers["Vary"]
    assert one.body == other.body


def test_an_open_table_and_one_with_a_free_seat_carry_a_key_and_are_not_kept(house: House) -> None:
    table = house.visitor().start("rps").table
    free = house.fleet(3)
    leave(free.players[0], free.table, "free")
    for path in (table, free.table):
        assert house.visitor().get(path).headers["Cache-Control"] == "no-store"


def session_cookies(page: Page) -> list[str]:
    return [line for line in page.headers.get_all("Set-Cookie") if line.split("=")[0].endswith("sb")]


@pytest.mark.parametrize("secure", [False, True])
def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(open_house: OpenHouse, secure: bool) -> None:
    house = open_house(secure=secure)
    who = house.visitor()
    [cookie] = session_cookies(who.submit(who.get("/"), "/new/rps"))
    named, *flags = re.split("; *", cookie)
    assert named.startswith("__Host-sb=" if secure else "sb=")
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(flags)
    assert ("Secure" in flags) == secure
    assert not [flag for flag in flags if flag.startswith("Domain")]


def test_whoever_becomes_somebody_by_sitting_down_gets_a_fresh_session(house: House) -> None:
    who = house.visitor()
    who.cookies["sb"] = "x" * 43
    who.start("rps")
    assert who.cookies["sb"] != "x" * 43


def test_a_second_seat_keeps_the_session_or_another_tab_would_lose_the_first(house: House) -> None:
    who = house.visitor()
    first = who.start("rps").table
    other_tab = who.copy()
    who.start("eights")
    assert "(you)" in other_tab.get(first).words
    assert other_tab.cookies == who.cookies


def test_a_session_id_that_somebody_planted_is_not_taken_over(house: House) -> None:
    planted = "planted-" + "x" * 35
    who = house.visitor()
    who.cookies["sb"] = planted
    table = who.start("rps").table
    assert who.cookies["sb"] != planted
    thief = house.visitor()
    thief.cookies["sb"] = planted
    assert "(you)" not in thief.get(table).words
    assert "No games yet" in thief.get("/games").words


def test_looking_never_makes_a_session(house: House, party: Party) -> None:
    known = party.players[0]
    for path in addresses(house, "GET", party.code):
        for who in (house.visitor(), known):
            assert not session_cookies(who.get(path)), path


# -- going on to --------------------------------------------------------------------------------

ELSEWHERE = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/\r\nLocation: https://evil.example",
    "http:evil.example",
    "evil.example",
    " //evil.example",
]


@pytest.mark.parametrize("back", ELSEWHERE)
def test_nobody_is_led_to_another_site_by_our_redirect(house: House, back: str) -> None:
    refused = house.visitor().post("/prefer/theme", [("theme", "dark"), ("back", back)])
    assert refused.status == 400
    assert refused.headers.get("Location") is None
    assert not refused.headers.get_all("Set-Cookie")


def test_a_preference_is_one_of_its_values_or_none(house: House) -> None:
    who = house.visitor()
    assert who.post("/prefer/theme", [("theme", "dark"), ("back", "/about")]).location == "/about"
    assert 'data-theme="dark"' in who.get("/").text
    for other in ("", "purple", '"><script>'):
        assert who.post("/prefer/theme", [("theme", other)]).status == 303
        assert "data-theme" not in who.get("/").text
    who.cookies["theme"] = "purple"
    assert "purple" not in who.get("/").text
    assert who.post("/prefer/session", [("session", "x")]).status == 404


# -- too much, and wrong ------------------------------------------------------------------------


def test_a_form_of_more_than_64_kb_is_refused_unread(house: House, party: Party) -> None:
    with house.unchanged():
        for path in {*addresses(house, "POST", party.code)} - {"/import"}:  # which takes larger files
            refused = party.players[0].post(path, [("key", "k" * 32), ("move", "x" * 66_000)])
            assert refused.status == 413, path


@pytest.mark.parametrize("number", [251, 1000, 5000])
def test_a_form_of_too_many_fields_changes_nothing(house: House, party: Party, number: int) -> None:
    fields = [("key", "k" * 32), ("asked", "0"), *((f"f{n}", "x") for n in range(number))]
    with house.unchanged():
        assert 400 <= party.to_move().post(f"{party.table}/turn", fields).status < 500


def test_an_address_that_takes_no_posts_says_so_and_the_other_way_round(house: House, party: Party) -> None:
    gets, posts = (set(addresses(house, method, party.code)) for method in ("GET", "POST"))
    player = party.players[0]
    with house.unchanged():
        for path in gets - posts:
            assert player.post(path).status == 405, path
        for path in posts - gets:
            assert player.get(path).status == 405, path
        for path in gets | posts:
            for method in ("PUT", "PATCH", "DELETE"):
                assert player.request(method, path).status == 405, (method, path)


@pytest.mark.parametrize(
    "path", ["/g/%ff%fe%fd%fc%fb%fa%f9%f8", "/%c0%ae%c0%ae", "/rules/%ed%a0%80", "/g/%00"]
)
def test_an_address_that_is_no_text_is_nothing_here(house: House, path: str) -> None:
    assert house.visitor().get(path).status == 404


def test_a_form_that_is_no_text_is_refused(house: House, party: Party) -> None:
    bodies = [b"\xff\xfe=\xfd", b"move=%ff%fe", b"key=%ed%a0%80&move=x", b"move=\x00", b"=&=&==", b"%", b"{}"]
    kinds = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", "x", ""]
    player = party.to_move()
    with house.unchanged():
        for body in bodies:
            for kind in kinds:
                answer = player.request("POST", f"{party.table}/turn", body, Content_Type=kind)
                assert 400 <= answer.status < 500, (body, kind, answer.status)


# -- odd values -----------------------------------------------------------------------------------

ODD = [
    "",
    " ",
    "-1",
    "0",
    "1",
    "99",
    "NaN",
    "Infinity",
    "1e9",
    "0x10",
    "1.5",
    "+1",
    "1_000",
    "٣",
    "²",
    "9" * 12,
    "9" * 100,
    "9" * 5000,
    "-" + "9" * 5000,
    "\0",
    "a\0b",
    "\ud800",
    "\U0010ffff",
    "null",
    "[]",
    "{}",
    "%s%n{0}",
    "<script>",
    "x" * 3000,
]


def sent(who: Local, path: str, fields: list[tuple[str, str]], method: str = "POST") -> Page:
    """Lone surrogates and all, as a browser never would."""
    body = urlencode(fields, errors="surrogatepass").encode()
    return who.request(method, path, body, Content_Type="application/x-www-form-urlencoded")


def must_refuse_or_do(page: Page, what: object) -> None:
    assert page.status in (200, 301, 302, 303) or 400 <= page.status < 500, (page.path, page.status, what)


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


NULS = ["a\0b" * 8, "\0" * 32, "\ud800" * 16]


@pytest.mark.parametrize("odd", NULS, ids=ascii)
def test_no_database_is_asked_for_what_it_cannot_keep(ready_url: str, tmp_path: Path, odd: str) -> None:
    with opened(ready_url, tmp_path) as site:
        party = site.fleet()
        known = party.to_move()
        table = site.visitor().start("strifebarge", seats="3").table
        for path in (
            "/new/rps",
            f"{table}/join",
            f"{party.table}/turn",
            f"{party.table}/seat",
            "/code",
            "/name",
        ):
            for who in (site.visitor(), known):
                for name in ("key", "name", "code", "t", "move", "draw", "best_of"):
                    if name == "key" and "\0" in odd and who is not known:
                        continue  # see below
                    fields = {"key": f"{next(site.numbers):032x}", "asked": "0", name: odd}
                    must_refuse_or_do(sent(who, path, [*fields.items()]), name)
        for path in (f"/g/{quote(odd, errors='surrogatepass')}", f"{party.table}?pick=%00", "/rules/%00"):
            must_refuse_or_do(known.get(path), path)
        known.cookies["sb"] = "a%00b"
        assert known.get("/games").status == 200


@pytest.mark.parametrize("path", ["/new/rps", "/join"])
def test_a_strangers_key_is_looked_at_before_postgresql_is_asked_for_it(
    postgres_ready: str, tmp_path: Path, path: str
) -> None:
    with opened(postgres_ready, tmp_path) as site:
        if path == "/join":
            path = site.visitor().start("rps").table + path
        assert sent(site.visitor(), path, [("key", "k" * 20 + "\0")]).status == 422


# -- at random ------------------------------------------------------------------------------------


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


POSTS = ["/turn", "/undo", "/ready", "/begin", "/remove", "/quit", "/rematch", "/join", "/seat"]


@pytest.mark.parametrize("act", POSTS)
def test_a_post_to_a_table_that_is_not_there_is_a_404_whoever_sends_it(house: House, act: str) -> None:
    known = house.visitor()
    known.start("rps")
    for who in (house.visitor(), known):
        for key in ("", "n" * 32):
            with house.unchanged():
                assert who.post(f"/g/00000000{act}", [("key", key), ("asked", "0")]).status in (404, 410)


def test_codes_guessed_by_posts_are_held_back_too(open_house: OpenHouse) -> None:
    house = open_house(limit_codes=10)
    guesser = house.visitor()
    for number in range(11):
        answer = guesser.post(f"/g/{number:08}/ready", [("key", "k" * 32)])
    assert answer.status == 429


def test_at_the_limit_the_same_form_again_gets_its_answer_again(open_house: OpenHouse) -> None:
    house = open_house(limit_create=1)
    host = house.visitor()
    page = host.get("/new/rps")
    table = host.submit(page, "/new/rps").location
    assert host.submit(page, "/new/rps").location == table
    other = host.get("/new/rps")
    assert host.submit(other, "/new/rps").status == 429
    assert host.submit(page, "/new/rps").location == table


def test_a_refusal_makes_nobody(house: House) -> None:
    full = house.fleet()
    form = house.visitor().get(house.visitor().start("rps").table).form("/join")
    with house.unchanged():
        for path, fields in [
            (f"{full.table}/join", form.filled(name="Late")),
            ("/new/eights", [*form.filled(), ("seats", "77")]),
            ("/new/eights", [*form.filled(), ("draw", "nonsense")]),
            (f"{full.table}/join", [*form.filled(name="x" * 21)]),
        ]:
            assert 400 <= house.visitor().post(path, fields).status < 500


def test_a_refused_start_does_not_rename_anybody(house: House) -> None:
    ann = house.visitor()
    ann.start("rps", name="Ann")
    page = ann.get("/new/eights")
    with house.unchanged():
        assert ann.submit(page, "/new/eights", name="Beth", seats="77").status == 422
