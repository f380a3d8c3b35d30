"""Costly work has a queue of its own: a page that finds no place in it says that the site is busy."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from strifebarge.lib.costly import COSTLY
from tests.support.hints import give_hints
from tests.support.programs import token_of
from tests.support.visitor import Page, Visitor
from tests.web.asking import addresses
from tests.web.house import House, OpenHouse, Party

BUSY = (503, "web.busy")
LONG = "strifebarge.tables.play.queries.LONG"


@contextmanager
def at_work(address: str = "192.0.2.1") -> Iterator[None]:
    """Costly work is done for this address, and nobody else waits for its end."""
    with pytest.MonkeyPatch.context() as patch, COSTLY.place(address):
        patch.setattr(COSTLY.semaphore, "patience", 0)
        yield


def outcome(page: Page) -> tuple[int, str]:
    return page.status, page.token


@pytest.fixture(scope="module")
def over(house: House) -> Party:
    return house.thrown("rock", "paper")


def record_of(party: Party) -> str:
    return party.house.referee.views.status(party.code).ending.record


@pytest.mark.parametrize(
    "path",
    [
        "/r/{record}/check",
        "/r/{record}/record.json",
        "/g/{code}/record.json",
        "/preview/records/{record}.png",
    ],
)
def test_costly_pages_are_refused_while_others_are_made(house: House, over: Party, path: str) -> None:
    path = path.format(record=record_of(over), code=over.code)
    with at_work():
        refused = house.visitor().get(path)
        german = house.visitor().get(path, Accept_Language="de")
        assert house.visitor().get("/about").status == 200
    assert outcome(refused) == BUSY
    assert refused.headers["Retry-After"] == "2"
    assert "The server is busy." in refused.words
    assert "Der Server ist überlastet." in german.words
    assert house.visitor().get(path).status == 200
    if path.endswith("check"):
        with at_work():
            assert house.visitor().get(path).status == 200, "it is kept"


def test_an_address_has_one_place_at_a_time(house: House, over: Party) -> None:
    path = f"/r/{record_of(over)}/record.json"
    with COSTLY.place("10.9.9.9"):
        assert outcome(house.visitor("10.9.9.9").get(path)) == BUSY


@pytest.mark.parametrize("what", ["record", "log", "history/1", "state", "state?stable=true"])
def test_a_program_is_told_so_in_json(
    house: House, over: Party, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    call = {"Authorization": f"Bearer {token_of(over.players[0])}"}
    path = f"/api/v1/tables/{over.code}/{what}"
    house.referee.matches.clear()
    with at_work(), monkeypatch.context() as patch:
        patch.setattr(LONG, 0)
        refused = house.visitor().get(path, **call)
    assert (refused.status, refused.headers["Retry-After"]) == (503, "2")
    assert json.loads(refused.body)["fault"]["message"].startswith("The server is busy.")
    assert house.visitor().get(path, **call).status == 200


def test_all_that_shows_the_record_of_a_long_game_stands_in_the_queue(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = record_of(house.thrown("rock", "paper"))
    paths = [
        each for each in addresses(house, "GET", "AAAA0000") if each.startswith(("/r/", "/preview/records/"))
    ]
    assert len(paths) > 8

    def refused() -> set[str]:
        with at_work():
            pages = {path: house.visitor().get(path.replace("0" * 16, record)) for path in paths}
        return {path for path, page in pages.items() if page.status == 503}

    with monkeypatch.context() as patch:
        patch.setattr(LONG, 0)
        assert refused() == {*paths}
    assert {path.rpartition("/")[2] for path in refused()} <= {"check", "record.json", "0" * 16 + ".png"}


@pytest.mark.parametrize(
    "what", ["", "/at/1", "/from/1", "/log", "/log.txt", "/sheet/1", "/export.pgn", "/talk"]
)
def test_a_long_game_that_is_over_is_shown_at_its_table_by_the_queue(
    house: House, over: Party, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    house.referee.matches.clear()
    with at_work(), monkeypatch.context() as patch:
        patch.setattr(LONG, 0)
        assert outcome(over.players[0].get(over.table + what)) == BUSY
        patch.undo()
        assert outcome(over.players[0].get(over.table + what)) != BUSY


def test_to_play_on_from_a_long_game_stands_in_the_queue(
    house: House, over: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    who = house.visitor()
    page = who.get(f"/r/{record_of(over)}/from/1")
    with at_work(), monkeypatch.context() as patch:
        patch.setattr(LONG, 0)
        assert outcome(who.submit(page, "/from/1", how="analysis")) == BUSY
    assert who.submit(page, "/from/1", how="analysis").status == 303


def test_who_plays_a_long_game_waits_in_no_queue(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    party = house.gathered("rps")
    monkeypatch.setattr(LONG, 0)
    house.referee.matches.clear()
    with at_work():
        assert outcome(house.visitor().get(party.table)) == BUSY
        assert party.players[0].get(party.table).status == 200
        assert house.visitor().get(party.table).status == 200, "the match is laid out by now"
        assert party.players[0].move(party.table, "throw rock").status == 303


def test_an_import_that_found_no_place_does_not_count(open_house: OpenHouse) -> None:
    house = open_house(limit_import=1)
    data = house.visitor().get(f"/r/{record_of(house.thrown('rock', 'paper'))}/record.json").text
    who = house.visitor()
    page = who.get("/import")

    def bring(who: Visitor) -> Page:
        return who.submit(page, "/import", text=data)

    with at_work():
        assert outcome(bring(who)) == BUSY
    assert bring(who).status == 303


def test_hints_stand_in_the_same_queue(house: House) -> None:
    who = house.visitor()
    table = who.submit(who.get("/rules/chess/how"), "/bots/chess").location
    give_hints(house.app)
    with at_work():
        assert outcome(who.get(f"{table}/hint")) == BUSY
    assert who.get(f"{table}/hint").status == 200
    del house.app.extensions["hints"]
