"""Webhooks: no way leads into the server's own networks, and nobody out there can hold it up."""

import json
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network

import pytest

from strifebarge.notifications import guard
from strifebarge.notifications import webhooks as hooks
from strifebarge.notifications.dispatch import NotificationMessage
from strifebarge.notifications.guard import is_inner
from strifebarge.notifications.models import Channel, ChannelKind
from strifebarge.notifications.webhooks import Webhooks, form_of
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

MESSAGE = NotificationMessage(
    id="1",
    subject="Your turn",
    text="long",
    short="Your turn, <@everyone> & co",
    link="https://x.example/g/1",
)
INNER = [
    "127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1",
    "172.31.255.254", "192.168.0.1", "169.254.169.254", "100.64.0.1", "100.127.255.254", "192.0.0.1",
    "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1",
    "::ffff:8.8.8.8", "::127.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12:3456::1", "fec0::1",
    "ff02::1", "2002:7f00:1::", "2002:0a00:0001::1", "2001::1", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "2001:db8::1", "100::1", "", "localhost", "127.1", "0x7f000001", "2130706433",
    "168.63.129.16", "192.0.0.192", "100.100.100.200", "fd00:ec2::254", "::ffff:0:10.0.0.1", "3fff::1",
    "5f00::1", "64:ff9b::a9fe:a9fe", "0:0:0:0:0:ffff:7f00:1", "192.0.0.8", "255.255.255.254",
]  # fmt: skip
# The blocks of IANA's registries of special-purpose addresses for IPv4 and IPv6, as of November 2026, and of
# what RFC 4291 and RFC 3879 set apart beside them.
REGISTERED = [
    "0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32",
    "192.0.0.170/31", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
    "192.88.99.2/32", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
    "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32", "::1/128", "::/128", "::/96",
    "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23",
    "2001::/32", "2001:1::1/128", "2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32",
    "2001:4:112::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28", "2001:db8::/32", "2002::/16",
    "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
]  # fmt: skip
WORLD = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700:4700::1111",
    "2a00:1450::1",
    "192.88.98.255",
    "192.88.100.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:200::1",
    "2001:db7::1",
    "2003::1",
    "3ffe::1",
]


def at(place: str, kind: ChannelKind = ChannelKind.NTFY) -> Channel:
    return Channel(id="a", player="ann", kind=kind, address=place)


def why_not(hook: Webhooks, place: str) -> NotificationRefusal:
    with pytest.raises(Refused) as no:
        hook.send(at(place), MESSAGE)
    assert isinstance(no.value.why, NotificationRefusal)
    return no.value.why


# -- the guard ------------------------------------------------------------------------


@pytest.mark.parametrize("address", INNER)
def test_what_lies_inside_is_inner(address: str) -> None:
    assert is_inner(address)


@pytest.mark.parametrize("block", REGISTERED)
def test_no_block_of_special_purpose_addresses_is_of_the_world(block: str) -> None:
    network = ip_network(block)
    assert is_inner(str(network[0]))
    assert is_inner(str(network[-1]))


@pytest.mark.parametrize("ipv4", ["10.0.0.1", "127.0.0.1", "169.254.169.254", "8.8.8.8"])
def test_an_address_of_ipv6_with_one_of_ipv4_in_it_leads_inside(ipv4: str) -> None:
    number = int(ip_address(ipv4))
    holders = [
        IPv6Address(f"::{ipv4}"),
        IPv6Address(f"::ffff:{ipv4}"),
        IPv6Address(f"64:ff9b::{ipv4}"),
        IPv6Address(f"64:ff9b:1::{ipv4}"),
        IPv6Address((0x2002 << 112) + (number << 80)),  # 6to4
        IPv6Address((0x20010000 << 96) + (number ^ 0xFFFFFFFF)),  # Teredo
    ]
    assert [str(each) for each in holders if not is_inner(str(each))] == []


@pytest.mark.parametrize("address", WORLD)
def test_what_lies_out_in_the_world_is_not(address: str) -> None:
    assert not is_inner(address)


@pytest.fixture
def no_connections(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Whatever is connected to, which is not done."""
    tried: list[object] = []

    def connect(address: object, *rest: object) -> None:
        tried.append(address)
        raise ConnectionRefusedError("not in this test")

    monkeypatch.setattr(socket, "create_connection", connect)
    return tried


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """What the name is said to stand for, each time it is looked up; all that was asked for."""
    lookups: list[str] = []

    def look_up(host: str, port: int, **how: object) -> list[object]:
        addresses = answers[min(len(lookups), len(answers) - 1)]
        lookups.append(host)
        return [(0, 0, 0, "", (address, port)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return lookups


@pytest.mark.parametrize("address", [each for each in INNER if ":" in each or each.count(".") == 3])
def test_nothing_is_sent_to_a_name_that_stands_for_something_inner(
    monkeypatch: pytest.MonkeyPatch, no_connections: list[object], address: str
) -> None:
    for stands_for in ([address], ["93.184.216.34", address], [address, "93.184.216.34"]):
        resolve_to(monkeypatch, stands_for)
        assert why_not(Webhooks(), "https://hooks.example.org/a") is NotificationRefusal.INNER
    assert no_connections == []


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "localhost",
        "127.1",
        "0x7f.1",
        "2130706433",
        "169.254.169.254",
    ],
)
def test_nothing_is_sent_to_an_inner_address_however_it_is_written(
    no_connections: list[object], host: str
) -> None:
    assert why_not(Webhooks(), f"https://{host}/") in (NotificationRefusal.INNER, NotificationRefusal.NO_HOST)
    assert no_connections == []


def test_a_name_that_changes_its_mind_is_asked_once_and_the_judged_address_is_used(
    monkeypatch: pytest.MonkeyPatch, no_connections: list[object]
) -> None:
    lookups = resolve_to(monkeypatch, ["93.184.216.34"], ["127.0.0.1"])
    assert why_not(Webhooks(), "https://rebinding.example.org/") is NotificationRefusal.NOT_REACHED
    assert lookups == ["rebinding.example.org"]
    assert no_connections == [("93.184.216.34", 443)]


def test_http_and_other_schemes_are_refused_before_anything_is_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lookups = resolve_to(monkeypatch, ["93.184.216.34"])
    for place in ("http://example.org/", "ftp://example.org/", "//example.org/", "gopher://example.org"):
        assert why_not(Webhooks(), place) is NotificationRefusal.WRONG_HOOK
    assert lookups == []


def test_a_name_server_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()
    monkeypatch.setattr(guard, "LOOKING_UP", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [ended.wait()][1:])
    assert why_not(Webhooks(), "https://slow.example.org/") is NotificationRefusal.NO_HOST
    ended.set()


# -- real ones, on this machine ------------------------------------------------------------

Answering = Callable[[socket.socket], None]


class Receiver:
    """Listens on this machine, keeps what it is sent, and answers as it is told."""

    def __init__(self, answer: Answering):
        self.answer = answer
        self.got: list[bytes] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with connection, suppress(OSError):
                    connection.settimeout(5)
                    self.got.append(whole(connection))
                    self.answer(connection)

    def close(self) -> None:
        self.listener.close()


def whole(connection: socket.socket) -> bytes:
    """Read a request with its body; what is no request, such as a greeting of TLS, is not read on."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(4096)
        if not part or not (data or part.startswith(b"P")):
            return data
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += connection.recv(4096)
    return head + b"\r\n\r\n" + body


def saying(*parts: bytes, pause: float = 0) -> Answering:
    def answer(connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)

    return answer


@pytest.fixture
def receiver() -> Iterator[Callable[[Answering], Receiver]]:
    there: list[Receiver] = []

    def make(answer: Answering) -> Receiver:
        there.append(Receiver(answer))
        return there[-1]

    yield make
    for each in there:
        each.close()


OK = saying(b"HTTP/1.1 204 No Content\r\n\r\n")


def test_a_host_may_allow_inner_ones(receiver: Callable[[Answering], Receiver]) -> None:
    there = receiver(OK)
    assert why_not(Webhooks(), f"http://127.0.0.1:{there.port}/") is NotificationRefusal.WRONG_HOOK
    assert why_not(Webhooks(), f"https://127.0.0.1:{there.port}/") is NotificationRefusal.INNER
    assert there.got == []
    Webhooks(inner=True).send(at(f"http://127.0.0.1:{there.port}/topic?a=b"), MESSAGE)
    [sent] = there.got
    lines = sent.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    assert lines[0] == "POST /topic?a=b HTTP/1.1"
    assert f"Host: 127.0.0.1:{there.port}" in lines
    assert "Click: https://x.example/g/1" in lines
    assert sent.endswith(MESSAGE.short.encode())


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (
            b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{port}/led-on\r\n\r\n",
            NotificationRefusal.REFUSED,
        ),
        (b"HTTP/1.1 307 Again\r\nLocation: /led-on\r\n\r\n", NotificationRefusal.REFUSED),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", NotificationRefusal.REFUSED),
        (b"HTTP/1.1 500 Oh\r\n\r\n", NotificationRefusal.REFUSED),
        (b"220 mail.example.org ESMTP\r\n", NotificationRefusal.NO_HTTP),
        (b"HTTP/1.1 2xx\r\n", NotificationRefusal.NO_HTTP),
        (b"", NotificationRefusal.NO_HTTP),
        (b"x" * 100_000, NotificationRefusal.NO_HTTP),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n", NotificationRefusal.NO_HTTP),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 10_000, NotificationRefusal.NO_HTTP),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Oh\r\n\r\n", NotificationRefusal.REFUSED),
    ],
)
def test_an_answer_that_is_no_yes_is_a_no_and_nobody_is_led_on(
    receiver: Callable[[Answering], Receiver], answer: bytes, why: NotificationRefusal
) -> None:
    there = receiver(
        lambda connection: saying(answer.replace(b"{port}", str(there.port).encode()))(connection)
    )
    assert why_not(Webhooks(inner=True), f"http://127.0.0.1:{there.port}/") is why
    time.sleep(0.1)
    assert len(there.got) == 1


def test_what_says_only_that_an_answer_is_coming_is_passed_over(
    receiver: Callable[[Answering], Receiver],
) -> None:
    coming = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    there = receiver(saying(coming, b"HTTP/1.1 204 No Content\r\n\r\n"))
    assert Webhooks(inner=True).post(f"http://127.0.0.1:{there.port}/", {}, b"") == 204


@pytest.mark.parametrize(
    "answer", [saying(*[b"H"] * 10_000, pause=0.1), saying(b"", pause=1000)], ids=["drips", "says nothing"]
)
def test_whoever_answers_slowly_is_left(
    receiver: Callable[[Answering], Receiver], monkeypatch: pytest.MonkeyPatch, answer: Answering
) -> None:
    monkeypatch.setattr(hooks, "IN_ALL", 0.5)
    there = receiver(answer)  # which goes on for longer than a test may take
    assert why_not(Webhooks(inner=True), f"http://127.0.0.1:{there.port}/") is NotificationRefusal.NO_ANSWER


def test_nobody_there_and_no_tls_are_said(receiver: Callable[[Answering], Receiver]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert why_not(Webhooks(inner=True), f"http://127.0.0.1:{port}/") is NotificationRefusal.NOT_REACHED
    assert (
        why_not(Webhooks(inner=True), f"https://127.0.0.1:{receiver(OK).port}/")
        is NotificationRefusal.NOT_REACHED
    )


def test_certificates_are_looked_at() -> None:
    tls = Webhooks().tls
    assert (tls.verify_mode, tls.check_hostname) == (ssl.CERT_REQUIRED, True)


# -- forms ---------------------------------------------------------------------------------


def test_each_service_gets_its_own_form_and_nobody_is_called_by_it() -> None:
    headers, body = form_of(ChannelKind.DISCORD, MESSAGE)
    message = json.loads(body)
    assert message["content"] == r"Your turn, \<\@everyone\> & co"
    assert message["allowed_mentions"] == {"parse": []}
    _, body = form_of(ChannelKind.SLACK, MESSAGE)
    assert json.loads(body)["text"] == "Your turn, &lt;@everyone&gt; &amp; co"
    headers, body = form_of(ChannelKind.NTFY, MESSAGE)
    assert (headers["Click"], body) == (MESSAGE.link, MESSAGE.short.encode())
    assert json.loads(form_of(ChannelKind.SLACK, MESSAGE)[1])["mrkdwn"] is False
    long = form_of(
        ChannelKind.DISCORD, NotificationMessage(id="1", subject="", text="", short="ü" * 9999, link="")
    )[1]
    assert len(json.loads(long)["content"]) <= 2000


@pytest.mark.parametrize(
    "name", ["[x](http://a.co)", "http://a.co", "**x** __y__", "- x", "> x", "# x", "1. x", "`x`"]
)
def test_a_name_is_no_markdown_and_the_link_to_the_table_stays_one(name: str) -> None:
    link = "https://x.example/a_b/g/1"
    short = f"{name} want your answer in Chess.\n{link}"
    message = NotificationMessage(id="1", subject="", text="", short=short, link=link)
    first, last = json.loads(form_of(ChannelKind.DISCORD, message)[1])["content"].split("\n")
    assert last == link
    letters = "".join(re.findall(r"[^\W_]|[\s/]", short.partition("\n")[0]))
    assert re.sub(r"\\([^0-9A-Za-z\s])", "", first) == letters
