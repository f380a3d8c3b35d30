"""A worker that has never reached the database answers with pages: the server is busy, nothing is lost."""

import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event

from strifebarge.store.db.engine import access_of
from tests.support.visitor import Local
from tests.web.asking import addresses
from tests.web.house import House, OpenHouse, token
from tests.web.markup import must_be_sound

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


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_address_has_an_answer_and_every_page_is_sound(away: House, method: str) -> None:
    paths = addresses(away, method, "ABCDEFGH")
    assert len(paths) > 50
    for path in paths:
        visitor = away.visitor()
        page = visitor.get(path) if method == "GET" else visitor.post(path, [("key", "1" * 32)])
        assert page.status < 500 or page.status == 503, (path, page.text)
        if page.headers["Content-Type"].startswith("text/html") and page.status >= 400:
            assert page.status != 503 or token(page) == BUSY, (path, page.text)
            must_be_sound(page)


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
