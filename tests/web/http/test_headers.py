"""What goes out with every page: what it may load, who may keep it, and how it is packed."""

import gzip
import re

import pytest

from tests.web.house import House, OpenHouse, Party, leave

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; manifest-src 'self'"
)


# -- what a page may do --------------------------------------------------------------


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


@pytest.mark.parametrize("path", ["/", "/nope", "/api/v1", "/api/v1/me", "/api/nope"])
def test_browsers_are_told_to_stay_with_https_where_they_came_by_it(open_house: OpenHouse, path: str) -> None:
    house = open_house(trusted_proxies=1)
    by_tls = house.visitor().get(path, X_Forwarded_Proto="https", X_Forwarded_For="192.0.2.7")
    assert by_tls.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]
    assert house.visitor().get(path).headers.get("Strict-Transport-Security") is None
    assert by_tls.headers.get_all("X-Content-Type-Options") == ["nosniff"]
    assert len(by_tls.headers.get_all("Content-Security-Policy") or []) == 1


def test_an_answer_that_could_not_be_finished_says_so_too(
    open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = open_house()

    def finish(answer: object) -> object:
        raise RuntimeError("cannot finish")

    monkeypatch.setitem(house.app.after_request_funcs, None, [finish])
    page = house.visitor().get("/")
    assert page.status == 500
    assert page.headers["Content-Security-Policy"] == POLICY
    assert page.headers["X-Content-Type-Options"] == "nosniff"


# -- who may keep a page -------------------------------------------------------------


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


@pytest.mark.parametrize("path", ["/rules/", "/about"])
def test_what_is_the_same_for_all_strangers_may_be_kept_a_minute_and_nothing_of_anybody_known(
    house: House, path: str
) -> None:
    player, dark = house.visitor(), house.visitor()
    player.start("rps")
    dark.cookies["theme"] = "dark"
    one, other = (house.visitor().get(path) for _ in range(2))
    assert one.headers["Cache-Control"] == "public, max-age=60, stale-while-revalidate=600"
    assert {"Cookie", "Accept-Language"} <= set(re.split(", *", one.headers["Vary"]))
    assert one.headers.get("Set-Cookie") is None
    assert one.body == other.body
    for who in (player, dark):
        assert who.get(path).headers["Cache-Control"] == "no-store"
    for keyed in ("/", "/rules/rps", "/new/rps"):  # keys are for one person alone
        assert house.visitor().get(keyed).headers["Cache-Control"] == "no-store"


def test_no_address_of_a_table_looks_like_a_file_that_caches_keep(house: House, party: Party) -> None:
    for path in ("/x.css", "/log.css", "/log.txt/x.js", "/at/0/x.png", ";x.css", "%2Fx.css"):
        assert party.players[0].get(party.table + path).status == 404, path


def test_an_open_table_and_one_with_a_free_seat_carry_a_key_and_are_not_kept(house: House) -> None:
    table = house.visitor().start("rps").table
    free = house.fleet(3)
    leave(free.players[0], free.table, "free")
    for path in (table, free.table):
        assert house.visitor().get(path).headers["Cache-Control"] == "no-store"


# -- how it is packed ----------------------------------------------------------------


def test_pages_go_out_with_gzip_to_whoever_takes_it(house: House, party: Party) -> None:
    for who in (house.visitor(), party.players[0]):
        plain, pressed = (who.get("/about", Accept_Encoding=how) for how in ("identity", "gzip, deflate, br"))
        assert plain.headers.get("Content-Encoding") is None
        assert pressed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(pressed.body) == plain.body
        assert all("Accept-Encoding" in page.headers["Vary"] for page in (plain, pressed))
        assert int(pressed.headers["Content-Length"]) == len(pressed.body) < len(plain.body) / 2
    assert who.get("/about", Accept_Encoding="gzip;q=0").headers.get("Content-Encoding") is None
