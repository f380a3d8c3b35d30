"""The hub, and the streams of programs: they are told that there is more, and nothing else."""

import json
import socket
from collections.abc import Callable, Iterator
from random import Random

import pytest

from strifebarge.live.hub import Hub, StreamLimits
from strifebarge.live.messages import StreamOpened
from strifebarge.live.stream import HEARTBEAT
from strifebarge.tables.view.news import News

from .test_hub import HEAD, Page, change, news


class Program(Page):
    """The other end of a program's stream."""

    def __init__(
        self, hub: Hub, *news: News, token: str = "token", form: str = "ndjson", person: str = "ann"
    ):
        self.socket, theirs = socket.socketpair()
        self.socket.setblocking(False)
        opened = StreamOpened(HEAD, person, token, "here", list(news), [""] * len(news), program=form)
        self.stream = hub.open(theirs, opened)

    def words(self) -> list[str]:
        """The names of what has been said since the last time."""
        text = self.read().removeprefix(HEAD.decode())
        return [json.loads(line)["event"] for line in text.splitlines() if line]


@pytest.fixture
def hub() -> Iterator[Hub]:
    new_hub = Hub(StreamLimits(address=10, site=20, person=1), Random(1))
    yield new_hub
    new_hub.end()
    new_hub.poll.close()


@pytest.fixture
def program(hub: Hub) -> Iterator[Callable[..., Program]]:
    opened: list[Program] = []

    def open_one(*news: News, **more: str) -> Program:
        opened.append(Program(hub, *news, **more))
        return opened[-1]

    yield open_one
    for each in opened:
        each.socket.close()


def test_a_program_is_told_more_when_its_person_may_see_something_new(
    hub: Hub, program: Callable[..., Program]
) -> None:
    one = program(news(1, "1", etags={"ann": "1", "ben": "1"}))
    assert one.words() == []
    change(hub, news(2, "1", etags={"ann": "1", "ben": "1+0f"}))
    assert one.words() == []
    change(hub, news(3, "2", etags={"ann": "2", "ben": "2"}))
    assert one.words() == ["more"]
    for _ in hub.present("T", ".10"):
        pass
    assert one.words() == []
    hub.gone("T")
    assert one.words() == ["more"]


def test_a_program_is_told_of_tables_to_which_its_person_comes_or_is_invited(
    hub: Hub, program: Callable[..., Program]
) -> None:
    one = program()
    change(hub, news(1, table="U", etags={"ben": "1"}))
    assert one.words() == []
    change(hub, news(2, table="U", etags={"ben": "2"}, invited=["ann"]))
    change(hub, news(1, table="V", etags={"ann": "1"}))
    assert one.words() == ["more", "more"]
    hub.follow("ann", "token", news(1, table="W"))
    hub.follow("ann", "another", news(1, table="X"))
    for table in "WX":
        change(hub, news(2, table=table))
    assert one.words() == ["more"]


def test_what_changed_while_a_stream_was_opened_is_told(hub: Hub, program: Callable[..., Program]) -> None:
    change(hub, news(2, "2", etags={"ann": "2"}))
    assert program(news(1, "1", etags={"ann": "1"})).words() == ["more"]
    assert program(news(2, "2", etags={"ann": "2"})).words() == []
    assert program().words() == ["more"]  # she has just come there


def test_a_second_stream_of_a_token_closes_the_first_and_says_so(
    hub: Hub, program: Callable[..., Program]
) -> None:
    first, other, mine = program(), program(token="other"), program(form="sse")
    assert first.words() == ["closed"]
    assert first.ended
    assert not other.ended
    assert "retry: " in mine.read()
    page = Page(hub, news(1), person="ann", device="browser")
    assert page.versions() == ["1"]  # programs take no place of a person's pages
    page.socket.close()


def test_a_sign_of_life_is_an_empty_line(hub: Hub, program: Callable[..., Program]) -> None:
    one, other = program(), program(token="other", form="sse")
    assert one.words() == []
    other.read()
    for _ in range(HEARTBEAT):
        hub.tick()
    assert (one.read(), other.read()) == ("\n", ":\n\n")


def test_programs_count_for_their_address(hub: Hub, program: Callable[..., Program]) -> None:
    for number in range(10):
        assert program(token=str(number)).stream
    crowded = program(token="one too many")
    assert crowded.words() == ["again"]
    assert crowded.ended
    assert program(token="3").stream  # in place of another of the same token


def test_a_token_that_is_revoked_loses_its_stream_at_once(hub: Hub, program: Callable[..., Program]) -> None:
    one, other = program(), program(token="other")
    hub.signed_out("ann", "token")
    assert one.words() == ["again"]
    assert one.ended
    assert not other.ended
    hub.signed_out("ann", "")
    assert other.ended
    assert not hub.programs
    assert not hub.people


def test_a_stream_that_comes_after_its_token_was_revoked_is_not_opened(
    hub: Hub, program: Callable[..., Program]
) -> None:
    hub.signed_out("ann", "token")
    late = program()
    assert late.words() == ["again"]
    assert late.ended
    assert program(token="other").stream
