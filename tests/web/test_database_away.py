"""A worker that has never reached the database answers with pages: the server is busy, nothing is lost."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event

from strifebarge.store.engine import access_of
from tests.support.visitor import Local
from tests.web.house import House, OpenHouse, token
from tests.web.markup import must_be_sound

MET = ("/", "/games", "/new/rps", "/g/ABCDEFGH", "/sign-in", "/me", "/tournaments", "/no/such/page")
CANNOT_SAY = ("/games", "/g/ABCDEFGH", "/g/ABCDEFGH/at/1", "/g/ABCDEFGH/status")
BUSY = "web.busy"


def fail(*_: Any) -> None:
    error = sqlite3.OperationalError("failed by a test")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise error


@pytest.fixture
def away(open_house: OpenHouse) -> Iterator[House]:
    """A house whose database cannot be opened, and which does not know what time it is."""
    house = open_house()
    house.app.testing = False
    engine = house.referee.store.engine
    engine.dispose()
    for each in (engine, access_of(engine).reading):
        event.listen(each, "do_connect", fail)
    return house


def must_be_a_page(page: Any) -> None:
    assert page.status < 500 or (page.status, token(page)) == (503, BUSY), page.text
    must_be_sound(page)
    assert "StrifeBarge" in page.text


@pytest.mark.parametrize("path", MET)
def test_every_address_is_answered_with_a_page(away: House, path: str) -> None:
    must_be_a_page(away.visitor().get(path))


@pytest.mark.parametrize("path", CANNOT_SAY)
def test_what_only_the_database_knows_is_told_later(away: House, path: str) -> None:
    page = away.visitor().get(path)
    assert (page.status, token(page)) == (503, BUSY)
    assert int(page.headers["Retry-After"]) == 2


def test_a_form_is_kept_to_be_sent_again(away: House) -> None:
    visitor: Local = away.visitor()
    page = visitor.post("/new/rps", [("name", "Ann"), ("key", "1" * 32)])
    assert (page.status, token(page)) == (503, BUSY)
    must_be_sound(page)
    assert page.form("/new/rps").filled() == [("name", "Ann"), ("key", "1" * 32)]
