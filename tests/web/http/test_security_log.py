"""The security log: one line of JSON for each sign-in, refusal, limit and malformed request; no secrets."""

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.servers import Site
from tests.support.visitor import Local, Remote
from tests.web.house import House, OpenHouse

PASSWORD = "seven white whales at noon"
NAMED = {"login": "ann.of.the.sea", "password": PASSWORD, "again": PASSWORD}
Lines = list[dict[str, Any]]


class SecurityLog(logging.Handler):
    """The lines written since the test began."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())

    @property
    def lines(self) -> Lines:
        return [json.loads(line) for line in self.said]

    def of(self, event: str) -> Lines:
        return [line for line in self.lines if line["event"] == event]


@pytest.fixture
def security_log() -> Iterator[SecurityLog]:
    handler, log = SecurityLog(), logging.getLogger("strifebarge.security")
    log.addHandler(handler)
    yield handler
    log.removeHandler(handler)


@pytest.fixture
def ann(house: House) -> Local:
    return house.visitor()


def account(visitor: Local, login: str = NAMED["login"]) -> None:
    page = visitor.submit(visitor.get("/me/account"), "/me/account", **{**NAMED, "login": login})
    assert page.status == 303, page.words


def test_a_way_through_an_account_leaves_a_line_for_each_step(
    house: House, ann: Local, security_log: SecurityLog
) -> None:
    account(ann)
    ann.submit(ann.get("/me/out"), "/me/out")
    ann.submit(ann.get("/sign-in"), "/sign-in", login=NAMED["login"], password="no whale at all")
    ann.submit(ann.get("/sign-in"), "/sign-in", login=NAMED["login"], password=PASSWORD)
    signed_up, out, failed, signed_in = security_log.of("authentication")
    assert [line["route"] for line in (signed_up, out, failed, signed_in)] == [
        "/me/account",
        "/me/out",
        "/sign-in",
        "/sign-in",
    ]
    assert [line["outcome"] for line in (signed_up, out, failed, signed_in)] == [
        "done",
        "done",
        "failed",
        "done",
    ]
    assert failed["why"] == "who.wrong_sign_in"
    assert failed["login"] == signed_in["login"] == signed_up["login"]
    assert signed_up["who"] == out["who"] == signed_in["who"]
    assert "who" not in failed
    assert len({line["from"] for line in security_log.lines}) == 1


def test_a_form_from_another_site_and_a_seat_of_others_are_told(
    house: House, ann: Local, security_log: SecurityLog
) -> None:
    party = house.fleet()
    ann.post(f"{party.table}/turn", Sec_Fetch_Site="cross-site")
    ann.post("/sign-in", [("login", "x")], Sec_Fetch_Site="cross-site")
    refused = [line for line in security_log.lines if line.get("why") == "web.cross_site"]
    assert [(line["status"], line["outcome"]) for line in refused] == [(403, "failed"), (403, "failed")]


def test_a_guessed_code_and_the_limit_after_it_are_told(
    open_house: OpenHouse, security_log: SecurityLog
) -> None:
    house = open_house(limit_codes=2)
    guesser = house.visitor()
    for number in range(4):
        guesser.get(f"/g/AAAA000{number}")
    assert [(line["event"], line["status"]) for line in security_log.lines] == [
        ("refusal", 404),
        ("refusal", 404),
        ("limit", 429),
        ("limit", 429),
    ]
    assert {line["route"] for line in security_log.lines} == {"/g/<id>"}


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/sign-in", b"x" * 70_000, 413), ("/g/AAAA0000/turn", b"x" * 70_000, 413), ("/healthz", b"", 405)],
)
def test_what_is_malformed_is_told(
    house: House, ann: Local, security_log: SecurityLog, path: str, body: bytes, status: int
) -> None:
    answer = ann.request("POST", path, body, Content_Type="application/x-www-form-urlencoded")
    assert answer.status == status
    [line] = security_log.lines
    assert (line["status"], line["outcome"]) == (status, "failed")


def test_what_people_do_in_a_game_is_no_business_of_this_log(house: House, security_log: SecurityLog) -> None:
    party = house.thrown("rock")
    party.players[1].move(party.table, "throw nothing")
    party.players[1].get("/nope")
    assert security_log.lines == []


def test_a_line_is_one_line_of_plain_text_and_holds_nothing_secret(
    house: House, security_log: SecurityLog
) -> None:
    ann = house.visitor("198.51.100.77")
    account(ann, login="mallory")
    typed = 'x\r\n{"event": "forged"}\x1b[31m\u202e'
    ann.submit(ann.get("/sign-in"), "/sign-in", login=typed, password="hunter2-hunter2")
    page = ann.get("/me/code")
    ann.submit(page, "/me/code")
    stranger = house.visitor("198.51.100.77")
    stranger.get("/open?t=a-personal-link")
    stranger.post("/move", [("c", "SECRET-CODE"), ("key", "k" * 32)])
    assert len(security_log.said) >= 4
    for line in security_log.said:
        assert re.fullmatch(r"[ -~]+", line)
        assert json.loads(line)["event"] != "forged"
    lines = " ".join(security_log.said)
    for secret in ("hunter2", PASSWORD, "mallory", "forged", "SECRET-CODE", "a-personal-link", "198.51.100"):
        assert secret not in lines, secret
    assert not any(cookie in lines for cookie in ann.cookies.values())
    with house.engine.connect() as connection:
        for (player,) in connection.exec_driver_sql("SELECT player FROM devices").all():
            assert player not in lines


@pytest.mark.servers
def test_the_lines_are_on_standard_error_of_the_site() -> None:
    with Site(WORKERS="1") as site:
        Remote(site.port).post("/sign-in", [("login", "x")], Sec_Fetch_Site="cross-site")
        [line] = [each for each in site.log().splitlines() if each.startswith("{")]
        assert json.loads(line)["why"] == "web.cross_site"
