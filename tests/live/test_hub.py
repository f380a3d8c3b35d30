"""The hub by itself, with streams that are pairs of sockets: who is told what, and who is sent away."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from random import Random

import pytest

from strifebarge.live import hub as hubs
from strifebarge.live.hub import Hub, PresentViewer, StreamLimits
from strifebarge.live.messages import StreamOpened
from strifebarge.live.stream import HEARTBEAT
from strifebarge.tables.view.news import News

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Page:
    """The other end of a stream."""

    def __init__(
        self, hub: Hub, *news: News, person: str = "", device: str = "", address: str = "here"
    ) -> None:
        self.socket, theirs = socket.socketpair()
        self.socket.setblocking(False)
        self.stream = hub.open(
            theirs, StreamOpened(HEAD, person, device, address, list(news), [""] * len(news))
        )

    def read(self) -> str:
        """All that has come since the last time; "" also at the end."""
        data = b""
        while True:
            try:
                came = self.socket.recv(65536)
            except BlockingIOError:
                return data.decode()
            if not came:
                return data.decode()
            data += came

    def told(self) -> list[tuple[str, dict[str, object]]]:
        """The events that have come since the last time."""
        events = re.findall(r"event: (\w+)\ndata: (.*)\n\n", self.read())
        return [(name, json.loads(data)) for name, data in events]

    def versions(self) -> list[str]:
        return [str(data["version"]) for name, data in self.told() if name == "version"]

    @property
    def ended(self) -> bool:
        self.read()
        try:
            return not self.socket.recv(1)
        except BlockingIOError:
            return False


@pytest.fixture
def hub() -> Iterator[Hub]:
    new_hub = Hub(StreamLimits(address=10, site=20), Random(1))
    yield new_hub
    new_hub.end()
    new_hub.poll.close()


@pytest.fixture
def page(hub: Hub) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def opened(*news: News, **who: str) -> Page:
        pages.append(Page(hub, *news, **who))
        return pages[-1]

    yield opened
    for each in pages:
        each.socket.close()


def news(revision: int, word: str = "", table: str = "T", **more: object) -> News:
    return News(table, revision, word or str(revision), **more)


def change(hub: Hub, news: News) -> None:
    for _ in hub.changed(news):
        pass


def versions(pages: dict[str, Page]) -> dict[str, list[str]]:
    return {who: each.versions() for who, each in pages.items()}


def test_a_stream_says_hello_and_where_its_tables_are(hub: Hub, page: Callable[..., Page]) -> None:
    one = page(news(4), news(7, table="U"))
    text = one.read()
    assert text.startswith(HEAD.decode() + "retry: ")
    assert 1000 <= int(re.findall(r"retry: (\d+)", text)[0]) < 2000
    assert re.findall(r"event: (\w+)", text) == ["hello", "version", "version"]


def test_each_viewer_is_told_their_own_word_and_only_when_it_is_another(
    hub: Hub, page: Callable[..., Page]
) -> None:
    first = news(1, "w0", etags={"ann": "1", "ben": "1"}, watched=True)
    pages = {who: page(first, person=who) for who in ("ann", "ben", "eve")}
    assert {who: each.versions() for who, each in pages.items()} == {
        "ann": ["1"],
        "ben": ["1"],
        "eve": ["w0"],
    }
    change(hub, news(2, "w0", etags={"ann": "1+0f", "ben": "1"}, watched=True))
    assert {who: each.versions() for who, each in pages.items()} == {
        "ann": ["1+0f"],
        "ben": [],
        "eve": [],
    }
    change(hub, news(3, "w1", etags={"ben": "2"}, watched=True))  # ann has left her seat
    assert {who: each.versions() for who, each in pages.items()} == {
        "ann": ["w1"],
        "ben": ["2"],
        "eve": ["w1"],
    }
    change(hub, news(4, "w1", etags={"ben": "2", "eve": "2"}, watched=True))  # and somebody else has it
    assert pages["eve"].versions() == ["2"]


def test_news_that_come_late_are_none(hub: Hub, page: Callable[..., Page]) -> None:
    one = page(news(5))
    change(hub, news(4))
    assert one.versions() == ["5"]
    change(hub, news(6))
    late = page(news(5))  # it was looked at before the change, and has come after it
    assert late.versions() == ["6"]
    assert one.versions() == ["6"]
    change(hub, news(9, table="U"))
    assert page(news(8, table="U")).versions() == ["9"]


def test_news_that_a_stream_brings_are_told_to_the_others_too(hub: Hub, page: Callable[..., Page]) -> None:
    one = page(news(5))
    assert one.versions() == ["5"]
    other = page(news(6))  # it was looked at after a change of which the hub is told only now
    change(hub, news(6))
    assert one.versions() == ["6"]
    assert other.versions()[-1] == "6"


def test_presence_ends_the_words_of_a_table_but_not_of_what_is_watched_late(
    hub: Hub, page: Callable[..., Page]
) -> None:
    live = news(1, "w0", etags={"ann": "1"}, shows_presence=True, watched=True, presence="@10.0")
    ann, stranger = page(live, person="ann"), page(live)
    assert (ann.versions(), stranger.versions()) == (["1@10.0"], ["w0"])
    for _ in hub.present("T", "@11.0"):
        pass
    assert (ann.versions(), stranger.versions()) == (["1@11.0"], [])
    change(hub, news(2, "w1", etags={"ann": "2"}, shows_presence=True, watched=True))
    assert (ann.versions(), stranger.versions()) == (["2@11.0"], ["w1"])


def test_a_table_that_is_gone_is_told_and_the_stream_goes_on(hub: Hub, page: Callable[..., Page]) -> None:
    one = page(news(1), news(1, table="U"))
    one.told()
    hub.gone("T")
    assert one.told() == [("gone", {"table": "T"})]
    change(hub, news(2, table="U"))
    assert one.versions() == ["2"]


def test_one_too_many_is_told_to_come_again(hub: Hub, page: Callable[..., Page]) -> None:
    for _ in range(4):
        assert page(news(1), person="ann", address="a").stream
    fifth = page(news(1), person="ann", address="b")
    [(name, data)] = fifth.told()
    assert (name, fifth.stream, fifth.ended) == ("again", None, True)
    assert data["after"] >= 30
    for number in range(6):
        assert page(news(1), person=f"p{number}", address="a").stream
    assert page(news(1), address="a").stream is None  # ten of one address
    for number in range(10):
        assert page(news(1), address=f"b{number}").stream
    assert page(news(1), address="elsewhere").stream is None  # twenty in all
    hub.drop(next(iter(hub.streams.values())))
    assert page(news(1), address="elsewhere").stream


def test_a_reader_who_is_too_slow_gets_its_last_words_and_is_sent_away(
    hub: Hub, page: Callable[..., Page]
) -> None:
    slow, quick = page(news(1)), page(news(1))
    number = 1
    while not slow.stream.left:
        number += 1
        assert number < 100_000
        change(hub, news(number))
        quick.read()
    change(hub, news(number + 1))
    assert quick.versions() == [str(number + 1)]
    text = slow.read()
    hub.poll_connections()
    text += slow.read()
    assert text.endswith("}\n\n")
    assert re.findall(r"event: (\w+)", text)[-1] == "again"
    assert slow.ended
    assert len(hub.streams) == 1


def test_a_reader_who_takes_nothing_at_all_is_dropped(
    hub: Hub, page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "SLOW", 0.0)
    slow, number = page(news(1)), 1
    while not slow.stream.left:
        number += 1
        change(hub, news(number))
    for _ in range(HEARTBEAT):
        hub.tick()
    assert not hub.streams


def test_a_page_that_closes_its_stream_is_forgotten(hub: Hub, page: Callable[..., Page]) -> None:
    one = page(news(1), person="ann")
    assert hub.topics
    one.socket.close()
    hub.poll_connections()
    assert (hub.streams, hub.topics, hub.people, hub.addresses) == ({}, {}, {}, {})


def test_every_stream_has_a_heartbeat_in_each_round_and_an_end(
    hub: Hub, page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = [page(news(1), address=str(number)) for number in range(20)]
    for each in pages:
        each.read()
    for _ in range(HEARTBEAT):
        hub.tick()
    assert [each.read() for each in pages] == [":\n\n"] * 20
    monkeypatch.setattr(hubs, "LONGEST", 0.0)
    for _ in range(HEARTBEAT):
        hub.tick()
    assert [each.told()[0][0] for each in pages] == ["again"] * 20
    assert not hub.streams


def test_who_signs_out_is_told_nothing_more_on_that_device_alone(hub: Hub, page: Callable[..., Page]) -> None:
    phone, laptop = (page(news(1), person="ann", device=each) for each in ("phone", "laptop"))
    other = page(news(1), person="ben", device="phone")
    hub.signed_out("ann", "phone")
    assert [each.ended for each in (phone, laptop, other)] == [True, False, False]
    tablet = page(news(1), person="ann", device="tablet")
    hub.signed_out("ann", "")
    assert [each.ended for each in (laptop, tablet, other)] == [True, True, False]


def test_the_end_of_the_hub_tells_all_to_come_again_not_all_at_once(
    hub: Hub, page: Callable[..., Page]
) -> None:
    pages = [page(news(1), address=str(number)) for number in range(20)]
    for each in pages:
        each.read()
    hub.end()
    after = {each.told()[0][1]["after"] for each in pages}
    assert len(after) > 3
    assert all(1 <= each <= 3 for each in after)
    assert page(news(1)).told()[0][0] == "again"


def test_who_is_present_is_known_by_marks(hub: Hub, page: Callable[..., Page]) -> None:
    page(news(1), person="ann")
    assert hub.all_present() == [PresentViewer("T", "ann", "")]
