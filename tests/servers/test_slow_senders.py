"""Clients that send or read slowly, or never close, keep nobody waiting: pages are answered, moves played."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPResponse

import pytest

from strifebarge.server import intake
from tests.servers.conftest import BOTH, on_a_database
from tests.support.servers import LOOPBACK, Site, wait_for
from tests.support.visitor import Remote

PATIENCE = 60.0  # seconds for an answer: ample, since a busy machine is no failure
MOVES = 6
FORM = b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 400\r\n\r\nkey="
POSTED = ["/code", "/new/chess", "/sign-in", "/import", "/me/name", "/tournaments/new", "/api/v1"]
LARGE = "/api/v1/openapi.json"  # hundreds of kilobytes
AT_TABLE = ["/turn", "/join", "/quit", "/talk"]

pytestmark = pytest.mark.servers


def head(line: str, rest: bytes) -> bytes:
    return f"{line} HTTP/1.1\r\nHost: {LOOPBACK}\r\n".encode() + rest


class Attacked:
    """A site, two people at a game of chess, and connections of strangers."""

    def __init__(self, site: Site, stack: ExitStack):
        self.site = site
        self.stack = stack
        self.players = [Remote(site.port, PATIENCE), Remote(site.port, PATIENCE)]
        self.table = self.players[0].start("rps", best_of="21").table
        self.players[1].join(self.table)

    def connect(self, data: bytes) -> socket.socket:
        connection = self.stack.enter_context(socket.create_connection((LOOPBACK, self.site.port), PATIENCE))
        connection.sendall(data)
        return connection

    def attack(self, heads: int, bodies: int, unclosed: int) -> None:
        """Open connections that send half a head, half a body to each of the forms, or never close."""
        for _ in range(heads):
            self.connect(head("GET /about", b"X-Slow: "))
        for path in [*POSTED, *(self.table + each for each in AT_TABLE)]:
            for _ in range(bodies):
                self.connect(head(f"POST {path}", FORM))
        for _ in range(unclosed):
            self.connect(head("GET /about", b"Connection: close\r\n\r\n"))

    def take_slowly(self, count: int) -> list[socket.socket]:
        """Open connections that ask for a large page, and take nothing of it for now."""
        return [self._slow_reader() for _ in range(count)]

    def _slow_reader(self) -> socket.socket:
        reader = self.stack.enter_context(socket.socket())
        # The system holds as little of the answer as it can: else it would take the whole page from the site.
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        reader.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        reader.settimeout(PATIENCE)
        reader.connect((LOOPBACK, self.site.port))
        reader.sendall(head(f"GET {LARGE}", b"Connection: close\r\n\r\n"))
        return reader

    def play(self) -> None:
        """Play some moves, and look at a page between them."""
        for number in range(MOVES):
            player = self.players[number % 2]
            page = player.get(self.table)
            assert page.status == 200
            answer = player.submit(page, "/turn", move="throw rock")
            assert answer.status == 303, answer.words
            assert Remote(self.site.port, PATIENCE).get("/about").status == 200


@pytest.mark.full("takes seconds")
def test_clients_that_take_their_answers_slowly_keep_nobody_waiting_and_get_all() -> None:
    with Site(WORKERS="1", THREADS="4", LIMIT_CREATE="9999") as site, attacked(site) as at:
        whole = len(Remote(site.port, PATIENCE).get(LARGE).body)
        readers = at.take_slowly(12)
        at.play()
        bodies = [read(reader).partition(b"\r\n\r\n")[2] for reader in readers]
        assert [len(body) for body in bodies] == [whole] * len(readers)
        at.take_slowly(3)
        at.play()


@contextmanager
def attacked(site: Site) -> Iterator[Attacked]:
    with ExitStack() as stack:
        yield Attacked(site, stack)


def holds(at: Attacked, heads: int, bodies: int, unclosed: int) -> None:
    workers = at.site.workers()
    at.attack(heads, bodies, unclosed)
    at.play()
    assert at.site.workers() == workers
    assert "suspended" not in at.site.log()


def test_a_few_slow_clients_keep_nobody_waiting() -> None:
    with Site(WORKERS="1", THREADS="8", LIMIT_CREATE="9999") as site, attacked(site) as at:
        holds(at, heads=20, bodies=2, unclosed=20)


@pytest.mark.full("hundreds of connections")
@pytest.mark.parametrize("crowded", BOTH, indirect=True)
def test_a_crowd_of_slow_clients_keeps_nobody_waiting(crowded: Site) -> None:
    with attacked(crowded) as at:
        holds(at, heads=300, bodies=40, unclosed=100)


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
    form = connect(head("POST /code", FORM))
    assert statuses(read(form)) == [408]


@pytest.mark.full("waits for five seconds")
def test_a_connection_that_says_nothing_is_closed(connect: Callable[[bytes], socket.socket]) -> None:
    assert read(connect(b"")) == b""


def test_a_worker_ends_in_time_beside_slow_clients(
    calm: Site, connect: Callable[[bytes], socket.socket]
) -> None:
    connect(head("POST /code", FORM))
    [before] = calm.workers()
    calm.reload()
    wait_for(lambda: calm.workers() and before not in calm.workers(), PATIENCE, "another worker")
