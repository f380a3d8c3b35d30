"""Threads that stay with a connection for a moment: for what follows at once, and never while work waits."""

import os
import socket
from collections.abc import Iterator
from io import BytesIO
from threading import Event, get_ident
from time import monotonic
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.workers.gthread import ThreadWorker

from strifebarge.server.lingering import LingeringWorker, comes

THREADS = 8
LONG = 10.0  # seconds for what comes at once


class Connection:
    """A connection of gunicorn's, as far as a worker looks at it, and the browser's end of it."""

    def __init__(self) -> None:
        self.sock, self.browser = socket.socketpair()
        self.read_ahead = BytesIO()
        self.parser = SimpleNamespace(unreader=SimpleNamespace(buf=self.read_ahead))
        self.answered = list[tuple[bytes, int]]()  # each request, and the thread that answered it


@pytest.fixture
def connection() -> Iterator[Connection]:
    made = Connection()
    with made.sock, made.browser:
        yield made


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[LingeringWorker]:
    """A worker whose requests are single bytes; its answer to `q` closes the connection."""

    def answer(_: Any, connection: Connection) -> bool:
        request = connection.sock.recv(1)
        connection.answered.append((request, get_ident()))
        return request not in (b"", b"q")

    monkeypatch.setattr(ThreadWorker, "handle", answer)
    monkeypatch.setattr("strifebarge.server.lingering.MOMENT", 0.01)
    config = Config()
    config.set("threads", THREADS)
    made = LingeringWorker(0, os.getppid(), [], None, 30, config, None)
    made.tpool = made.get_thread_pool()
    with made.tpool:
        yield made
    made.tmp.close()


def test_requests_that_follow_at_once_are_answered_by_the_thread_that_has_answered(
    worker: LingeringWorker, connection: Connection
) -> None:
    connection.browser.send(b"abc")
    assert worker.tpool.submit(worker.handle, connection).result(LONG) is True
    requests, threads = zip(*connection.answered, strict=True)
    assert requests == (b"a", b"b", b"c")
    assert len(set(threads)) == 1
    assert get_ident() not in threads


def test_the_end_of_a_connection_is_an_answer_too(worker: LingeringWorker, connection: Connection) -> None:
    connection.browser.send(b"a")
    connection.browser.close()
    assert worker.handle(connection) is False
    assert [request for request, _ in connection.answered] == [b"a", b""]


def test_an_answer_that_closes_the_connection_is_the_last(
    worker: LingeringWorker, connection: Connection
) -> None:
    connection.browser.send(b"qa")
    assert worker.handle(connection) is False
    assert [request for request, _ in connection.answered] == [b"q"]


def test_no_thread_stays_while_work_waits_for_one(worker: LingeringWorker, connection: Connection) -> None:
    go_on = Event()
    held = [worker.tpool.submit(go_on.wait, LONG) for _ in range(THREADS + 1)]
    connection.browser.send(b"ab")
    assert worker.handle(connection) is True
    assert [request for request, _ in connection.answered] == [b"a"]
    go_on.set()
    assert all(each.result(LONG) for each in held)


def test_no_thread_stays_while_another_works_nor_just_afterwards(
    worker: LingeringWorker, connection: Connection
) -> None:
    go_on = Event()
    held = worker.tpool.submit(go_on.wait, LONG)
    connection.browser.send(b"ab")
    assert worker.tpool.submit(worker.handle, connection).result(LONG) is True
    go_on.set()
    assert held.result(LONG)
    connection.browser.send(b"c")
    assert worker.handle(connection) is True
    assert [request for request, _ in connection.answered] == [b"a", b"b"]
    worker.busy_until = 0.0
    assert worker.handle(connection) is True
    assert [request for request, _ in connection.answered] == [b"a", b"b", b"c"]


def test_a_thread_stays_beside_another_that_stays(worker: LingeringWorker, connection: Connection) -> None:
    go_on = Event()
    staying = worker.places.pop()
    held = worker.tpool.submit(go_on.wait, LONG)
    connection.browser.send(b"ab")
    worker.handle(connection)
    assert [request for request, _ in connection.answered] == [b"a", b"b"]
    worker.places.append(staying)
    go_on.set()
    assert held.result(LONG)


def test_a_thread_that_stays_hands_the_connection_back_when_another_has_begun_to_work(
    worker: LingeringWorker, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = Event()
    held = list[Any]()

    def comes_while_others_work(descriptor: int, seconds: float) -> bool:
        held.extend(worker.tpool.submit(go_on.wait, LONG) for _ in range(2))
        return comes(descriptor, seconds)

    monkeypatch.setattr("strifebarge.server.lingering.comes", comes_while_others_work)
    connection.browser.send(b"ab")
    assert worker.handle(connection) is True
    assert [request for request, _ in connection.answered] == [b"a"]
    go_on.set()
    assert all(each.result(LONG) for each in held)


def test_most_threads_never_stay(worker: LingeringWorker, connection: Connection) -> None:
    assert len(worker.places) == THREADS // 4
    worker.places.clear()
    connection.browser.send(b"ab")
    assert worker.handle(connection) is True
    assert [request for request, _ in connection.answered] == [b"a"]


def test_a_place_is_given_back_whether_something_comes_or_not(
    worker: LingeringWorker, connection: Connection
) -> None:
    before = sorted(worker.places)
    connection.browser.send(b"ab")
    worker.handle(connection)
    assert sorted(worker.places) == before


def test_a_worker_that_ends_and_a_request_that_was_read_ahead_go_gunicorns_own_way(
    worker: LingeringWorker, connection: Connection
) -> None:
    connection.browser.send(b"abc")
    connection.read_ahead.write(b"x")
    assert worker.handle(connection) is True
    connection.read_ahead.truncate(0)
    worker.alive = False
    assert worker.handle(connection) is True
    assert [request for request, _ in connection.answered] == [b"a", b"b"]


def test_nobody_waits_longer_than_was_said(connection: Connection) -> None:
    began = monotonic()
    assert not comes(connection.sock.fileno(), 0.02)
    assert monotonic() - began >= 0.02
    connection.browser.send(b"a")
    assert comes(connection.sock.fileno(), LONG)
