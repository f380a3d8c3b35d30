"""Clients that send or read slowly, or send many forms, keep nobody from looking and moving."""

import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse
from time import monotonic

import pytest

from strifebarge.server import intake
from tests.servers.books import Books
from tests.servers.conftest import BOTH, on_a_database
from tests.servers.test_many_connections import many_files
from tests.support.front import Front
from tests.support.servers import LOOPBACK, Site, wait_for
from tests.support.visitor import Remote, Visitor
from tests.web.asking import addresses
from tests.web.conftest import house
from tests.web.house import House

__all__ = ["house", "many_files"]

PATIENCE = 60.0  # seconds for an answer: ample, since a busy machine is no failure
TIMES = 4  # that each act is done
SLOWER = 3  # times as long as in quiet: the most that an act may take
SPARE = 5.0  # seconds on top, for a machine with much else to do
SLOW = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 400\r\n\r\nkey="
WHOLE = SLOW.replace(b"400", b"4")
LARGE = "/api/v1/openapi.json"  # hundreds of kilobytes
SMALL = 600  # bytes of a segment: the system takes little of an answer that is not read

pytestmark = pytest.mark.servers


def head(line: str, rest: bytes, host: str = LOOPBACK) -> bytes:
    return f"{line} HTTP/1.1\r\nHost: {host}\r\n".encode() + rest


def must_show(who: Visitor, path: str) -> None:
    page = who.get(path)
    assert page.status == 200, page.words


class Playing:
    """Two people at a game with a clock."""

    def __init__(self, front: Front):
        self.players = [front.visitor(), front.visitor()]
        self.table = self.players[0].start("rps", best_of="7", pace="turn-120").table
        self.players[1].join(self.table)
        self.moves = 0

    def look(self) -> None:
        must_show(self.players[0], self.table)

    def move(self) -> None:
        answer = self.players[self.moves % 2].move(self.table, "throw rock")
        assert answer.status == 303, answer.words
        self.moves += 1


class Attacked:
    """A site, a table that strangers attack, another table, and the strangers' connections."""

    def __init__(self, front: Front, stack: ExitStack):
        self.front = front
        self.stack = stack
        self.here, self.elsewhere = Playing(front), Playing(front)

    def connect(self, data: bytes, segment: int = 0) -> socket.socket:
        return self.stack.enter_context(self.front.connect(data, segment))

    def attack(self, heads: int, bodies: int, paths: list[str], unclosed: int = 0) -> None:
        """Open connections that send half a head, half a body to each of the forms, or never close."""
        host = self.front.name or LOOPBACK
        for _ in range(heads):
            self.connect(head("GET /about", b"X-Slow: ", host))
        for _ in range(unclosed):
            self.connect(head("GET /about", b"Connection: close\r\n\r\n", host))
        for path in paths:
            for _ in range(bodies):
                last = self.connect(head(f"POST {path}", SLOW, host))
        self.last = last

    @property
    def goes_on(self) -> bool:
        """True while the attack has not been ended by the site."""
        try:
            return bool(self.last.recv(1, socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True

    def act(self, times: int = TIMES) -> dict[str, list[float]]:
        """Look and move; return how many seconds each act took."""
        acts = {
            "a page": lambda: must_show(self.front.visitor(), "/about"),
            "a page of another table": self.elsewhere.look,
            "a move at another table": self.elsewhere.move,
            "a move at the table": self.here.move,
        }
        return {name: [seconds_of(act) for _ in range(times)] for name, act in acts.items()}


def seconds_of(act: Callable[[], object]) -> float:
    begun = monotonic()
    act()
    return monotonic() - begun


def must_be_nearly_as_fast(quiet: dict[str, list[float]], busy: dict[str, list[float]]) -> None:
    slow = {name for name, took in busy.items() if sum(took) > SLOWER * sum(quiet[name]) + SPARE}
    assert not slow, (quiet, busy)


@contextmanager
def attacked(site: Site, front: Front | None = None) -> Iterator[Attacked]:
    """Yield a site to be attacked; no worker dies of it, nothing is suspended, and nobody's time runs out."""
    with ExitStack() as stack:
        at = Attacked(front or Front(site.port), stack)
        workers = site.workers()
        yield at
        assert site.workers() == workers
        assert "suspended" not in site.log()
        for playing in (at.here, at.elsewhere):
            with Books(site.settings["DATABASE_URL"]) as books:
                moves = books.moves(playing.table.removeprefix("/g/"))
            assert [move.action["do"] for move in moves] == ["throw"] * playing.moves


def posts(house: House, table: str) -> list[str]:
    """The address of every form of the site, those of a table for this one."""
    return [*addresses(house, "POST", table.removeprefix("/g/")), "/api/v1/rpc"]


def test_a_few_slow_clients_keep_nobody_waiting() -> None:
    with small_site() as site, attacked(site) as at:
        at.attack(heads=20, bodies=4, paths=["/code", f"{at.here.table}/turn", "/api/v1/rpc"], unclosed=20)
        at.act()
        assert at.goes_on


@pytest.mark.full("thousands of connections")
@pytest.mark.parametrize("crowded", BOTH, indirect=True)
def test_a_crowd_of_slow_clients_keeps_nobody_waiting(crowded: Site, house: House, many_files: None) -> None:
    with attacked(crowded) as at:
        quiet = at.act()
        at.attack(heads=300, bodies=40, paths=posts(house, at.here.table), unclosed=100)
        busy = at.act()
        assert at.goes_on
        must_be_nearly_as_fast(quiet, busy)


@pytest.mark.full("hundreds of connections")
def test_many_whole_forms_of_strangers_keep_no_player_from_moving() -> None:
    with small_site() as site, attacked(site) as at:
        for _ in range(400):
            at.connect(head(f"POST {at.here.table}/turn", WHOLE))
        for _ in range(TIMES):
            at.here.move()


def test_a_stranger_who_does_not_read_the_answer_keeps_no_player_from_moving() -> None:
    with small_site() as site, attacked(site) as at:
        for _ in range(3):
            at.connect(head(f"POST {at.here.table}/turn", WHOLE), segment=SMALL)
        at.act()


@pytest.mark.full("takes seconds")
def test_clients_that_take_their_answers_slowly_keep_nobody_waiting_and_get_all() -> None:
    with small_site() as site, attacked(site) as at:
        whole = len(Remote(site.port, PATIENCE).get(LARGE).body)
        request = head(f"GET {LARGE}", b"Connection: close\r\n\r\n")
        readers = [at.connect(request, segment=SMALL) for _ in range(24)]
        at.act()
        bodies = [read(reader).partition(b"\r\n\r\n")[2] for reader in readers]
        assert [len(body) for body in bodies] == [whole] * len(readers)


@contextmanager
def small_site() -> Iterator[Site]:
    with Site(WORKERS="1", THREADS="8", LIMIT_CREATE="9999") as site:
        site.settings["DATABASE_URL"] = f"sqlite:///{site.data / 'strifebarge.db'}"
        yield site


@pytest.fixture
def crowded(request: pytest.FixtureRequest) -> Iterator[Site]:
    with on_a_database(request, WORKERS="2", LIMIT_CREATE="9999") as site:
        yield site


# -- what the clients themselves are answered ------------------------------------------------


@pytest.fixture(scope="module")
def calm() -> Iterator[Site]:
    with Site(WORKERS="1", THREADS="8") as site:
        yield site


@pytest.fixture
def connect(calm: Site) -> Iterator[Callable[[bytes], socket.socket]]:
    with ExitStack() as stack:

        def connected(data: bytes) -> socket.socket:
            connection = stack.enter_context(socket.create_connection((LOOPBACK, calm.port), PATIENCE))
            connection.sendall(data)
            return connection

        yield connected


def read(connection: socket.socket) -> bytes:
    """Return all that is sent until the connection is closed."""
    received = b""
    while piece := connection.recv(2**16):
        received += piece
    return received


def statuses(received: bytes) -> list[int]:
    return [int(each) for each in re.findall(rb"HTTP/1.1 (\d+)", received)]


def test_requests_that_come_at_once_are_answered_one_after_the_other(
    connect: Callable[[bytes], socket.socket],
) -> None:
    page = head("GET /about", b"\r\n")
    assert (
        statuses(read(connect(page + page + head("GET /about", b"Connection: close\r\n\r\n")))) == [200] * 3
    )


def test_a_form_in_chunks_is_read_whole(connect: Callable[[bytes], socket.socket]) -> None:
    form = connect(head("POST /code", b"Connection: close\r\nTransfer-Encoding: chunked\r\n"))
    form.sendall(b"Content-Type: application/x-www-form-urlencoded\r\n\r\n4\r\nco")
    form.sendall(b"de\r\n9\r\n=ABCDEFGH\r\n0\r\n\r\n")
    assert statuses(read(form)) == [404]


def test_a_body_that_is_too_large_is_refused_unread(connect: Callable[[bytes], socket.socket]) -> None:
    form = connect(head("POST /code", b"Content-Length: 99999999\r\n\r\nkey="))
    response = HTTPResponse(form)
    response.begin()
    assert response.status == 413
    assert response.read()
    assert form.recv(1) == b""


def test_a_client_that_waits_for_permission_is_told_to_send_its_body(
    connect: Callable[[bytes], socket.socket],
) -> None:
    form = connect(
        head("POST /code", b"Connection: close\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
    )
    assert form.recv(2**16) == intake.CONTINUE
    form.sendall(b"code")
    assert statuses(read(form))[-1] == 404


@pytest.mark.full("waits for 20 seconds")
def test_a_request_that_takes_too_long_ends_with_408(connect: Callable[[bytes], socket.socket]) -> None:
    form = connect(head("POST /code", SLOW))
    assert statuses(read(form)) == [408]


@pytest.mark.full("waits for five seconds")
def test_a_connection_that_says_nothing_is_closed(connect: Callable[[bytes], socket.socket]) -> None:
    assert read(connect(b"")) == b""


def test_a_worker_ends_in_time_beside_slow_clients(
    calm: Site, connect: Callable[[bytes], socket.socket]
) -> None:
    connect(head("POST /code", SLOW))
    [before] = calm.workers()
    os.kill(calm.pid, signal.SIGHUP)
    wait_for(lambda: calm.workers() and before not in calm.workers(), PATIENCE, "another worker")
