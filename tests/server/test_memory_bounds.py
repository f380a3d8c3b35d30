"""What takes much memory is done by few at once, and what is remembered has an end."""

import gc
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import lru_cache
from typing import Any

import pytest

from strifebarge.lib import hashing
from strifebarge.lib.busy import FairSemaphore
from strifebarge.rules import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.schema import seat_numbers
from strifebarge.rules.testing import random_choice
from strifebarge.server import allocator
from strifebarge.tables.library.library import Library, Title
from strifebarge.tables.play import matches
from strifebarge.tables.play.matches import CachedMatch, MatchCache, size_of
from tests.web.house import House

LARGEST_CACHE = 4096  # entries
ENOUGH_CALLERS = 8


class Counted:
    """Counts how many threads are in a function at the same time."""

    def __init__(self, do: Callable[..., Any]):
        self.do = do
        self.now = self.most = 0
        self.lock = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            return self.do(*arguments)
        finally:
            with self.lock:
                self.now -= 1


def test_few_hashes_are_computed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow:
        hash = Counted(lambda secret: threading.Event().wait(0.02))
        verify = Counted(lambda secret_hash, secret: threading.Event().wait(0.02))

    monkeypatch.setattr(hashing, "HASHER", Slow)
    monkeypatch.setattr(hashing, "HASHES", FairSemaphore(hashing.HASHES.places, 30, "hashes"))
    with ThreadPoolExecutor(ENOUGH_CALLERS) as callers:
        list(callers.map(hashing.hashed, ["secret"] * ENOUGH_CALLERS))
        list(callers.map(hashing.verify_secret, ["secret"] * ENOUGH_CALLERS, ["kept"] * ENOUGH_CALLERS))
    assert hashing.HASHES.places <= 2
    assert max(Slow.hash.most, Slow.verify.most) <= hashing.HASHES.places


def test_matches_that_were_put_first_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "size_of", lambda match: matches.MOST // 3 + 1)
    cache = MatchCache()
    for number in range(3):
        cache.put(f"table {number}", b"", None)  # type: ignore[arg-type]
    assert [*cache.matches.entries] == ["table 1", "table 2"]


LENGTHS = 10, 150  # moves
COPIES = 4


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("title", [*Library()], ids=lambda title: title.slug)
def test_a_match_is_counted_with_all_that_it_takes(title: Title, length: int) -> None:
    dice = Chance("sizes")
    match = Match.new(title.rules, seat_numbers(title.rules)[-1], "sizes")
    while not match.result and match.number < length:
        seat = dice.choice(match.waiting_for())
        match.move(seat, random_choice(match, seat, dice))
    tracemalloc.start()
    copies = [Match(match.rules, match.snapshot, deepcopy(match.ledger)) for _ in range(COPIES)]
    for copy in copies:
        for seat in copy.waiting_for():
            copy.offers(seat)
    taken = tracemalloc.get_traced_memory()[0] / COPIES
    tracemalloc.stop()
    assert taken < size_of(CachedMatch(copies[0], []))


def test_every_cache_of_what_visitors_may_send_has_an_end() -> None:
    import strifebarge.server.application
    import strifebarge.web

    assert strifebarge.server
    assert strifebarge.web
    gc.unfreeze()  # an earlier test may have started a worker
    caches = [each for each in gc.get_objects() if isinstance(each, type(lru_cache(lambda: None)))]
    ours = [each for each in caches if getattr(each, "__module__", "").startswith("strifebarge.")]
    assert ours
    endless = {each.__qualname__ for each in ours if each.cache_parameters()["maxsize"] is None}
    assert endless <= OF_KINDS | OF_NOTHING
    assert max(each.cache_parameters()["maxsize"] or 0 for each in ours) <= LARGEST_CACHE


# Of classes in the rules of games and libraries that these import, and of forms of Arabic letters, of which
# there are few; and of no argument at all.
OF_KINDS = {
    *(
        "_decoder",
        "_defaults",
        "_enumerated",
        "_held",
        "_hints",
        "_optional",
        "_structured",
        "keeping",
        "listed",
    ),
    *("actions", "form_fields", "options_type", "refusals", "_version_of", "_hiding", "notes_of"),
    "_arabic_characters",
}
OF_NOTHING = {
    *(
        "_libraries",
        "_reserved_names",
        "_nobodys",
        "classes_of_the_frame",
        "ids_of_the_frame",
        "_page",
        "colours",
        "document",
        "framework",
        "names_of_the_site",
    ),
    *("own_name", "paints", "prototypes"),
}


@pytest.mark.parametrize(("length", "remembered"), [(10, True), (5000, False)])
def test_no_long_address_is_remembered(house: House, length: int, remembered: bool) -> None:
    with house.app.test_request_context():
        url_for = house.app.jinja_env.globals["url_for"]
        addresses = [url_for("play.show", id="AAAA0000", view="x" * length) for _ in range(2)]  # type: ignore[operator]
    assert addresses[0] == addresses[1]
    assert (addresses[0] is addresses[1]) == remembered


@pytest.mark.parametrize("number", [0, 7, 10**6, "7"])
@pytest.mark.parametrize("root", ["", "/games"])
def test_addresses_that_differ_in_a_number_are_remembered_as_one(
    house: House, root: str, number: Any
) -> None:
    app = house.app
    with app.test_request_context(base_url=f"http://localhost{root}"):
        url_for = app.jinja_env.globals["url_for"]
        for endpoint, values in ("play.at", {"id": "AAAA7777"}), ("records.at", {"record": "77777777"}):
            usual = app.url_for(endpoint, number=number, **values)
            assert url_for(endpoint, number=number, **values) == usual  # type: ignore[operator]


class Library:
    """A C library that notes what it is told."""

    def __init__(self) -> None:
        self.told: dict[int, int] = {}

    def mallopt(self, option: int, value: int) -> int:
        self.told[option] = value
        return 1


def test_what_a_host_has_set_for_the_allocator_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in allocator.OPTIONS:
        monkeypatch.delenv(variable, raising=False)
    libc = Library()
    monkeypatch.setattr(allocator.ctypes, "CDLL", lambda name: libc)
    assert allocator.return_memory()
    assert libc.told == dict(allocator.OPTIONS.values())
    libc.told.clear()
    for variable in allocator.OPTIONS:
        monkeypatch.setenv(variable, "7")
    assert allocator.return_memory()
    assert libc.told == {}
    monkeypatch.setattr(allocator.ctypes, "CDLL", lambda name: object())
    assert not allocator.return_memory()


def test_garbage_is_looked_for_among_what_requests_make() -> None:
    program = """if True:
    import gc
    from strifebarge.server import allocator
    kept = [[number] for number in range(10_000)]
    allocator.spare_what_lasts()
    assert gc.get_freeze_count() > len(kept)
    circle = type("Circle", (), {})()
    circle.itself, went = circle, []
    import weakref
    weakref.finalize(circle, went.append, True)
    del circle
    made = [[number] for number in range(200_000)]
    assert went
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


HASHING = """
import sys
from concurrent.futures import ThreadPoolExecutor
from strifebarge.lib import hashing
from strifebarge.server import allocator

def memory():
    lines = open("/proc/self/smaps_rollup").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Rss:"))

assert allocator.return_memory()
hashing.hashed("warm")
before = memory()
hashing.HASHES.__init__(8, 60, "hashes")
with ThreadPoolExecutor(8) as callers:
    list(callers.map(hashing.hashed, map(str, range(24))))
    print(memory() - before)
"""


def test_what_hashes_took_is_given_back() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", HASHING], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) < 19 * 1024, "kilobytes: less than one hash takes"
