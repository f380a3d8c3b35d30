"""Sending: a client that takes its answer slowly gets all of it, and no thread waits for it."""

import socket
from collections.abc import Iterator

import pytest

from strifebarge.server import sending
from strifebarge.server.sending import AnswerSocket

ANSWER = bytes(range(256)) * 2**14  # 4 MB: more than a system takes for a client that reads nothing


@pytest.fixture
def ends() -> Iterator[tuple[AnswerSocket, socket.socket]]:
    near, far = socket.socketpair()
    ours = AnswerSocket(near.detach())
    with ours, far:
        yield ours, far


def test_what_a_client_does_not_take_is_sent_on_later(ends: tuple[AnswerSocket, socket.socket]) -> None:
    ours, client = ends
    ours.sendall(ANSWER[:100])
    ours.sendall(ANSWER[100:])
    assert 0 < len(ours.unsent) < len(ANSWER)
    assert ours.send_on() == 0
    received = b""
    while len(received) < len(ANSWER):
        received += client.recv(2**16)
        ours.send_on()
    assert received == ANSWER
    assert not ours.unsent


def test_an_answer_that_is_held_back_is_sent_later(
    ends: tuple[AnswerSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, client = ends
    client.setblocking(False)
    monkeypatch.setattr(sending, "monotonic", lambda: 10.0)
    ours.hold_back(2.0)
    ours.sendall(ANSWER[:100])
    with pytest.raises(BlockingIOError):
        client.recv(1)
    monkeypatch.setattr(sending, "monotonic", lambda: 12.0)
    assert ours.send_on() == 100
    assert client.recv(2**16) == ANSWER[:100]


def test_a_connection_that_is_lost_is_told_of(ends: tuple[AnswerSocket, socket.socket]) -> None:
    ours, client = ends
    client.close()
    with pytest.raises(OSError, match="Broken pipe"):
        ours.sendall(ANSWER)
