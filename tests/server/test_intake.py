"""The intake: when a request is whole, whatever pieces it comes in, and how much of them is held."""

import socket
from collections.abc import Iterator
from itertools import pairwise
from selectors import DefaultSelector
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strifebarge.server.intake import LARGEST_BODY, LARGEST_HEAD, MOST_HELD, SMALL, Incoming, IntakeWorker

HEAD = b"POST /name HTTP/1.1\r\nHost: a\r\n"
REQUESTS = {
    "no body": b"GET /about HTTP/1.1\r\nHost: a\r\n\r\n",
    "a length": HEAD + b"Content-Length: 9\r\n\r\nname=Anna",
    "a length in capitals, and a blank line in the body": HEAD + b"CONTENT-LENGTH:4\r\n\r\n\r\n\r\n",
    "length 0": HEAD + b"Content-Length: 0\r\n\r\n",
    "chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nname=\r\n4\r\nAnna\r\n0\r\n\r\n",
    "a chunk that looks like the end": HEAD
    + b"transfer-encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n0\r\n\r\n",
    "chunks and a trailer": HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n",
}


@pytest.mark.parametrize("request_bytes", REQUESTS.values(), ids=REQUESTS.keys())
@given(cuts=st.lists(st.integers(1, 200), max_size=10))
def test_a_request_is_whole_with_its_last_byte_and_not_before(request_bytes: bytes, cuts: list[int]) -> None:
    incoming = Incoming()
    places = sorted({0, *(cut for cut in cuts if cut < len(request_bytes) - 1), len(request_bytes) - 1})
    for start, end in pairwise(places):
        incoming.add(request_bytes[start:end])
        assert not incoming.is_whole()
    incoming.add(request_bytes[-1:])
    assert incoming.is_whole()
    assert not incoming.too_large
    assert incoming.data == request_bytes


@pytest.mark.parametrize(
    "malformed",
    [
        b"a" * (LARGEST_HEAD + 1),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1" * (LARGEST_HEAD + 1),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"a" * (LARGEST_HEAD + 1),
    ],
    ids=["head without an end", "no number", "number without an end", "trailer without an end"],
)
def test_what_gunicorn_refuses_does_not_wait(malformed: bytes) -> None:
    incoming = Incoming()
    incoming.add(malformed)
    assert incoming.is_whole()


@pytest.mark.parametrize(
    "head",
    [b"Content-Length: %d\r\n\r\n" % (LARGEST_BODY + 1), b"Transfer-Encoding: chunked\r\n\r\nfffffff\r\n"],
    ids=["a length", "a chunk"],
)
def test_a_body_that_is_too_large_is_not_waited_for(head: bytes) -> None:
    incoming = Incoming()
    incoming.add(HEAD + head)
    assert incoming.is_whole()
    assert incoming.too_large


def test_a_client_is_asked_for_its_body_once_the_head_is_there() -> None:
    incoming = Incoming()
    incoming.add(HEAD + b"Expect: 100-continue\r\nContent-Length: 4\r\n")
    assert not incoming.is_whole()
    assert not incoming.expects_continue
    incoming.add(b"\r\n")
    assert not incoming.is_whole()
    assert incoming.expects_continue
    incoming.add(b"a=b")
    assert not incoming.is_whole()
    assert not incoming.expects_continue


class Client:
    """A connection that has sent a request of this size, but for some bytes that are missing."""

    def __init__(self, size: int, missing: int = 0):
        self.sock, self.far = socket.socketpair()
        body = size - len(HEAD + b"Content-Length: 00000\r\n\r\n")
        self.far.sendall(HEAD + b"Content-Length: %05d\r\n\r\n" % body + b"x" * (body - missing))
        self.parser: Any = None
        self.closed = False

    def init(self) -> None:
        self.parser = SimpleNamespace(unreader=SimpleNamespace(unread=bool))

    def close(self) -> None:
        self.sock.close()
        self.far.close()
        self.closed = True


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[IntakeWorker]:
    """A worker whose threads never come to answer a request."""
    worker = IntakeWorker.__new__(IntakeWorker)
    worker.incoming, worker.held, worker.nr_conns, worker.poller = {}, 0, 0, DefaultSelector()
    monkeypatch.setattr(worker, "submit", bool)
    yield worker
    worker.poller.close()


def test_a_form_takes_a_thread_once_all_of_it_has_arrived(
    worker: IntakeWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Any] = []
    monkeypatch.setattr(worker, "submit", taken.append)
    slow, quick = Client(400, missing=1), Client(400)
    worker.enqueue_req(slow)
    worker.enqueue_req(quick)
    assert taken == [quick]
    slow.far.sendall(b"x")
    for key, _ in worker.poller.select():
        key.data(key.fileobj)
    assert taken == [quick, slow]
    for each in taken:
        each.close()


def test_of_large_requests_only_so_many_are_held_until_they_are_answered(worker: IntakeWorker) -> None:
    clients = [Client(60_000) for _ in range(MOST_HELD // 60_000 + 3)]
    for each in clients:
        worker.enqueue_req(each)
    taken = [each for each in clients if not each.closed]
    assert len(taken) == MOST_HELD // 60_000
    small, late = Client(SMALL), Client(60_000)
    worker.enqueue_req(small)
    assert not small.closed
    worker.release(small)
    worker.release(taken[0])
    worker.enqueue_req(late)
    assert not late.closed
    assert not worker.incoming
    for each in (*taken, small, late):
        each.close()
