"""What the site's time means for pages: health, sessions, limits, links."""

from typing import Any

import pytest

from strifebarge.lib.signing import timed_serializer
from strifebarge.rules import Refused
from strifebarge.store.db.redis import counters
from strifebarge.web.http.counting import MemoryCounters
from strifebarge.web.http.seals import CONFIRM_WITHIN, Seals
from tests.web.house import OpenHouse

YEAR = 365 * 86400.0  # seconds


def test_readyz_says_that_the_clock_of_the_machine_is_off(open_house: OpenHouse) -> None:
    house = open_house()
    visitor = house.visitor()
    assert visitor.get("/readyz").text == "ready\n"
    machine = house.app.extensions["services"].clock.machine
    wall = machine.wall
    machine.wall = lambda: wall() + 3600
    page = visitor.get("/readyz")
    assert page.status == 200
    first, clock = page.text.splitlines()
    assert (first, clock.startswith("clock: 0 d 1 h 0 min")) == ("ready", True)


def test_a_session_lasts_by_the_sites_time_and_its_cookie_says_how_long(open_house: OpenHouse) -> None:
    visitor = open_house().visitor()
    page = visitor.submit(visitor.get("/new/rps"), "/new/rps")
    [cookie] = [line for line in page.headers.get_all("Set-Cookie") if line.startswith("sb=")]
    assert f"Max-Age={400 * 86400};" in f"{cookie};"


def test_limits_go_by_a_time_that_no_wall_clock_moves() -> None:
    now = [0.0]
    counters = MemoryCounters(lambda: now[0])
    assert [counters.acquire_entry("a", 2, 60) for _ in range(3)] == [True, True, False]
    assert counters.acquire_entry("b", 2, 60)
    now[0] = 59.0
    assert (counters.get_moving_window("a", 2, 60), counters.acquire_entry("a", 2, 60)) == ((0.0, 2), False)
    now[0] = 61.0
    assert counters.get_moving_window("a", 2, 60) == (61.0, 0)
    assert counters.acquire_entry("a", 2, 60, amount=2)
    assert not counters.acquire_entry("a", 2, 60)
    counters.clear("a")
    assert counters.acquire_entry("a", 2, 60)
    assert counters.reset() == 2


def test_signatures_hold_by_the_time_they_are_given() -> None:
    now = [1_800_000_000.0]
    signer = timed_serializer(["key"], "salt", lambda: now[0])
    signed = signer.dumps("this")
    now[0] += 60
    assert signer.loads(signed, max_age=60) == "this"
    seals = Seals(["key"], lambda: now[0])
    token = seals.confirm("ann@example.org")
    now[0] += CONFIRM_WITHIN
    assert seals.read("confirm", token) == "ann@example.org"
    now[0] += 1
    with pytest.raises(Refused):
        seals.read("confirm", token)


def test_limits_in_redis_go_by_the_sites_time_too(redis_url: str) -> None:
    now = [1_800_000_000.0]
    storage: Any = counters(redis_url, lambda: now[0])
    assert [storage.acquire_entry("a", 2, 60) for _ in range(3)] == [True, True, False]
    assert storage.get_moving_window("a", 2, 60) == (1_800_000_000.0, 2)
    now[0] += 61
    assert storage.acquire_entry("a", 2, 60)
    assert storage.get_moving_window("b", 2, 60) == (now[0], 0)
