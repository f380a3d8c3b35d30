"""Thousands of open connections that ask for nothing: a new visitor is answered all the same."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from time import monotonic

import pytest

from tests.conftest import need
from tests.support.servers import LOOPBACK, Site, Unavailable
from tests.support.visitor import Remote

CROWD = 5000
FIRST_REQUESTS = 500  # and then kept their connection
SOON = 20.0  # seconds, on a machine with much else to do; a thread for each would take minutes
ASKING = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"

pytestmark = pytest.mark.servers


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open as many files as the test has connections."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    need(lambda: allow_files(CROWD + 1000))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def allow_files(needed: int) -> None:
    """Raises Unavailable where this machine lets a process open fewer files."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY:
        most = max(most, needed)  # as root alone may
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, needed), most))
    except (OSError, ValueError) as no:
        raise Unavailable(f"this machine lets a process open fewer than {needed} files") from no


def connected(stack: ExitStack, site: Site) -> socket.socket:
    return stack.enter_context(socket.create_connection((LOOPBACK, site.port), timeout=SOON))


def request(connection: socket.socket) -> None:
    """Ask for a page, and keep the connection."""
    connection.sendall(ASKING)
    read_answer(connection)


def read_answer(connection: socket.socket) -> None:
    answer = b""
    while piece := b"" if answer.endswith(b"\r\n\r\nok\n") else connection.recv(4096):
        answer += piece
    assert answer.startswith(b"HTTP/1.1 200"), answer


def test_five_thousand_idle_connections_keep_nobody_waiting(many_files: None) -> None:
    with Site(WORKERS="2") as site, ExitStack() as stack:
        before = Remote(site.port).get("/about")
        for number in range(CROWD):
            connection = connected(stack, site)
            if number < FIRST_REQUESTS:
                request(connection)
        begun = monotonic()
        for path in ("/about", "/", "/new/rps", "/healthz"):
            assert Remote(site.port, patience=SOON).get(path).status == 200
        assert monotonic() - begun < SOON
        host = Remote(site.port, patience=SOON)
        assert host.start("rps").status == 200
        assert before.status == 200
        assert site.running
        assert "ERROR" not in site.log()


def test_half_a_request_that_follows_an_answer_at_once_holds_no_thread() -> None:
    with Site(WORKERS="1", THREADS="8") as site, ExitStack() as stack:
        connections = [connected(stack, site) for _ in range(16)]
        for connection in connections:
            connection.sendall(ASKING + ASKING[:20])
            read_answer(connection)
        assert Remote(site.port, patience=SOON).get("/about").status == 200
        for connection in connections:
            connection.sendall(ASKING[20:])
            read_answer(connection)
