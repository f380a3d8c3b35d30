"""Sessions on two workers: what one has made of them counts at the other at the very next request."""

import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from strifebarge.tables.model.ports import Busy
from strifebarge.web.http.session import renew
from tests.support.visitor import Local, Page
from tests.web.house import House, Party, copied, opened

PLACES = ("/", "/me", "/games", "/nowhere", "{table}", "{table}/version", "{table}/nowhere", "/g/NOBODY00")


@pytest.fixture
def workers(migrated: Path, tmp_path: Path) -> Iterator[tuple[House, House]]:
    """Two workers on one database."""
    url = copied(migrated, tmp_path)
    with opened(url, tmp_path) as one, opened(url, tmp_path) as other:
        yield one, other


def at(worker: House, who: Local) -> Local:
    """Return the same browser as it comes to another worker."""
    visitor = Local(worker.app, who.address)
    visitor.cookies = dict(who.cookies)
    return visitor


def seated(worker: House) -> tuple[Party, Local]:
    """Return a game that is played, and one of its players, whose name all pages about them say."""
    party = worker.fleet()
    player = party.players[0]
    page = player.get("/me")
    assert player.submit(page, "/name", name="Zoe").status == 303
    return party, player


@pytest.mark.parametrize("place", PLACES)
def test_who_is_signed_out_elsewhere_is_a_stranger_at_the_next_request(
    workers: tuple[House, House], place: str
) -> None:
    one, other = workers
    party, player = seated(one)
    here, address = at(other, player), place.format(table=party.table)
    assert here.get(party.table).has_form("/silent")
    player.submit(player.get("/me/out"), "/out")
    stranger = other.visitor().get(address)
    assert seen_by(here.get(address)) == seen_by(stranger)


def seen_by(page: Page) -> tuple[int, str]:
    """Return what a page is to its reader: its status, and its words without the id of a request."""
    return page.status, re.sub("Reference: [0-9a-f]+", "", page.words)


def cookies(who: Local) -> str:
    return "; ".join(f"{name}={value}" for name, value in who.cookies.items())


def test_a_form_of_who_is_signed_out_elsewhere_is_refused(workers: tuple[House, House]) -> None:
    one, other = workers
    party, _ = seated(one)
    mover = next(who for who in party.players if who.get(party.table).has_form("/turn"))
    here = at(other, mover)
    page = here.get(party.table)
    mover.submit(mover.get("/me/out"), "/out")
    assert here.submit(page, "/turn", page.form("/turn").moves[0]).status == 403
    assert not here.get(party.table).has_form("/turn")


def test_an_old_id_of_a_session_is_worth_nothing_elsewhere(
    workers: tuple[House, House],
) -> None:
    one, other = workers
    party, player = seated(one)
    thief = at(other, player)
    assert thief.get(party.table).has_form("/silent")
    with one.app.test_request_context("/", headers={"Cookie": cookies(player)}):
        renew()
    assert not thief.get(party.table).has_form("/silent")


def test_while_the_database_is_away_a_browser_is_nobody(house: House) -> None:
    party, player = seated(house)
    assert player.get(party.table).has_form("/silent")

    def away(*_: object, **__: object) -> None:
        raise Busy("away")

    with patch.object(house.app.extensions["sessions"], "open", away):
        page = player.get(party.table)
    assert page.status == 503
    assert not page.has_form("/out")
    assert player.get(party.table).has_form("/silent")
