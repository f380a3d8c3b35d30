"""Costly work that strangers ask for keeps no page waiting, and no move."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import Event
from time import monotonic

import pytest

from strifebarge.results.record import written
from tests.results.test_record import played
from tests.servers.busy_day import Guest
from tests.support.servers import Site
from tests.support.visitor import Remote, Visitor

pytestmark = pytest.mark.servers

RECORDS, READERS, ROUNDS = 10, 40, 8
FLOOR = 2.0  # seconds that a page may take on a busy machine


def longest(site: Site, players: list[Remote], table: str) -> float:
    """Return the seconds that the slowest of some pages and moves took."""
    slowest = 0.0
    for number in range(ROUNDS):
        page = players[number % 2].get(table)
        for do in (
            lambda: Remote(site.port, 120).get("/about"),
            lambda: players[number % 2].submit(page, "/turn", move="throw rock"),  # noqa: B023 - called at once
        ):
            began = monotonic()
            assert do().status in (200, 303)
            slowest = max(slowest, monotonic() - began)
    return slowest


def bring(who: Visitor) -> str:
    """Bring a game of Mirrow to a site; return the path of its record."""
    page = who.submit(who.get("/import"), "/import", text=record())
    assert page.status == 303, page.words
    return page.location


@cache
def record() -> str:
    return written(played("mirrow", "ab" * 32)).decode()


@contextmanager
def checks_asked_for(readers: Sequence[Visitor], paths: Sequence[str]) -> Iterator[list[int]]:
    """Readers ask for checks of records, again and again at once; yields the statuses of their answers."""
    enough, statuses = Event(), list[int]()

    def read(number: int) -> None:
        asked = 0
        while not enough.is_set():
            asked += 1
            path = f"{paths[(number + asked) % len(paths)]}/check?{number}={asked}"
            statuses.append(readers[number].get(path).status)

    with ThreadPoolExecutor(len(readers)) as threads:
        works = [threads.submit(read, number) for number in range(len(readers))]
        try:
            yield statuses
        finally:
            enough.set()
        for each in works:
            each.result()


def test_checks_of_records_keep_no_page_and_no_move_waiting() -> None:
    with Site(WORKERS="1", TRUSTED_PROXIES="1", LIMIT_CREATE="9999") as site:
        guests = [Guest(site, number) for number in range(READERS)]
        paths = [bring(who) for who in guests[:RECORDS]]
        players = [Remote(site.port, 120), Remote(site.port, 120)]
        table = players[0].start("rps", best_of="7").table
        players[1].join(table)
        quiet = longest(site, players, table)
        with checks_asked_for(guests, paths) as statuses:
            began = monotonic()
            busy = longest(site, players, table)
            answers, seconds = len(statuses), monotonic() - began
        assert {200, 503} == {*statuses}, "some are checked, and others are turned away"
        assert answers < READERS * (2 + seconds), "who is turned away again waits for the answer"
        assert busy < 3 * quiet + FLOOR, (quiet, busy)
