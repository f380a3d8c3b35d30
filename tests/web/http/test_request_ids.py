"""The id of a request: in a header of every answer and on every error page, and nowhere else."""

import json
import logging
import re
from collections.abc import Callable
from typing import Any

import pytest

from strifebarge.lib.busy import Busy, DiskFull
from tests.support.visitor import Local, Page
from tests.web.house import House, OpenHouse, Party

OWN_ID = r"[0-9a-f]{16}"
SENT = "f1a3d9c2-4b6e-proxy_made"
ADDRESSES = ["/", "/about", "/me", "/healthz", "/readyz", "/games", "/nope", "/api/v1/", "/api/v1/nope"]


def id_of(page: Page) -> str:
    return str(page.headers["X-Request-ID"])


def unknown_address(house: House, visitor: Local, party: Party) -> Page:
    return visitor.get("/nope")


def unknown_table(house: House, visitor: Local, party: Party) -> Page:
    return visitor.get("/g/00000000")


def form_of_another_site(house: House, visitor: Local, party: Party) -> Page:
    return visitor.post(f"{party.table}/turn", Sec_Fetch_Site="cross-site")


def wrong_method(house: House, visitor: Local, party: Party) -> Page:
    return visitor.post("/healthz")


def large_form(house: House, visitor: Local, party: Party) -> Page:
    return visitor.request(
        "POST", "/sign-in", b"x" * 70_000, Content_Type="application/x-www-form-urlencoded"
    )


def failing(error: Exception) -> Callable[[House, Local, Party], Page]:
    def fail(house: House, visitor: Local, party: Party) -> Page:
        def show(*_: Any, **__: Any) -> None:
            raise error

        house.app.testing = False
        fresh = house.fleet()  # whose pages are not kept yet
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(house.referee.views, "show", show)
            return fresh.players[0].get(fresh.table)

    return fail


ERRORS = {
    "unknown address": (404, unknown_address),
    "unknown table": (404, unknown_table),
    "cross-site": (403, form_of_another_site),
    "method": (405, wrong_method),
    "large": (413, large_form),
    "fault": (500, failing(ZeroDivisionError())),
    "busy": (503, failing(Busy())),
    "disk full": (503, failing(DiskFull())),
}


@pytest.mark.parametrize(("status", "ask"), ERRORS.values(), ids=ERRORS)
def test_every_error_page_shows_the_id_of_its_request(
    house: House, party: Party, status: int, ask: Any
) -> None:
    pages = [ask(house, house.visitor(), party) for _ in range(2)]
    for page in pages:
        assert page.status == status
        assert re.fullmatch(OWN_ID, id_of(page))
        assert f"Reference: {id_of(page)}" in page.words
    assert id_of(pages[0]) != id_of(pages[1])


def test_so_do_the_pages_of_a_limit(open_house: OpenHouse) -> None:
    guesser = open_house(limit_codes=1).visitor()
    pages = [guesser.get(f"/g/AAAA000{number}") for number in range(3)]
    assert pages[-1].status == 429
    assert f"Reference: {id_of(pages[-1])}" in pages[-1].words
    assert len(set(map(id_of, pages))) == 3


def test_error_pages_show_it_in_german_and_in_pieces_too(house: House) -> None:
    page = house.visitor().get("/nope", Accept_Language="de")
    assert f"Kennung: {id_of(page)}" in page.words
    piece = house.visitor().get("/nope", X_Piece="main")
    assert f"Reference: {id_of(piece)}" in piece.words
    assert piece.headers["ETag"] is None


def test_every_answer_has_an_id_of_its_own(house: House, party: Party) -> None:
    visitor = house.visitor()
    asset = next(link for link in visitor.get("/").seen.links if link.startswith("/static/"))
    ids = [id_of(visitor.get(path)) for path in [*ADDRESSES, party.table, asset] * 2]
    assert all(re.fullmatch(OWN_ID, id) for id in ids)
    assert len(set(ids)) == len(ids)


def test_no_page_but_those_of_errors_holds_the_id(house: House, party: Party) -> None:
    for who in (house.visitor(), party.players[0]):
        for path in (*ADDRESSES[:6], party.table, f"{party.table}/log", f"{party.table}/at/0"):
            page = who.get(path)
            assert page.status == 200, path
            assert id_of(page) not in page.text, path


@pytest.mark.parametrize("piece", [{}, {"X_Piece": "main"}], ids=["page", "piece"])
def test_a_page_that_is_kept_has_the_same_tag_for_every_request(
    house: House, party: Party, piece: dict[str, str]
) -> None:
    one, other = (house.visitor().get(party.table, **piece) for _ in range(2))
    assert id_of(one) != id_of(other)
    assert one.headers["ETag"] == other.headers["ETag"]
    again = house.visitor().get(party.table, If_None_Match=one.headers["ETag"], **piece)
    assert (again.status, again.body) == (304, b"")
    assert id_of(again) not in (id_of(one), id_of(other))


def test_the_id_of_a_proxy_is_believed_where_one_stands_before_the_site(open_house: OpenHouse) -> None:
    visitor = open_house(trusted_proxies=1).visitor()
    page = visitor.get("/nope", X_Request_ID=SENT, X_Forwarded_For="192.0.2.7")
    assert id_of(page) == SENT
    assert f"Reference: {SENT}" in page.words


@pytest.mark.parametrize(
    "sent", ["short", "x" * 65, 'a"quote-and-more', "with spaces in it", "new\x85line-and-more"]
)
def test_an_id_of_a_proxy_that_is_not_well_formed_is_replaced(open_house: OpenHouse, sent: str) -> None:
    page = (
        open_house(trusted_proxies=1).visitor().get("/nope", X_Request_ID=sent, X_Forwarded_For="192.0.2.7")
    )
    assert re.fullmatch(OWN_ID, id_of(page))


def test_the_id_of_a_stranger_is_not_believed(house: House) -> None:
    page = house.visitor().get("/nope", X_Request_ID=SENT)
    assert re.fullmatch(OWN_ID, id_of(page))
    assert SENT not in page.text


def test_faults_of_calls_have_it(house: House) -> None:
    visitor = house.visitor()
    plain = visitor.get("/api/v1/tables")
    assert json.loads(plain.body)["fault"]["data"]["reference"] == id_of(plain)
    rpc = visitor.request("POST", "/api/v1/rpc", b"{}", Content_Type="application/json")
    assert json.loads(rpc.body)["error"]["data"]["reference"] == id_of(rpc)


def test_a_fault_is_logged_with_the_id_that_its_page_shows(
    house: House, party: Party, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        page = failing(ZeroDivisionError())(house, house.visitor(), party)
    assert f"fault {id_of(page)} at GET /g/<id>" in caplog.messages
