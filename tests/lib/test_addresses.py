"""Web addresses and hosts as browsers write them; and where a machine is reached."""

import socket

import pytest

from strifebarge.lib.addresses import ascii_host, lan_address, web_address

WRITTEN = {
    "https://games.example.org": "https://games.example.org",
    "HTTPS://Games.Example.ORG:443/Play/?Q=A": "https://games.example.org/Play/?Q=A",
    "http://games.example.org:80": "http://games.example.org",
    "https://games.example.org:80/x": "https://games.example.org:80/x",
    "https://games.example.org.:8443": "https://games.example.org:8443",
    "https://Spiele-Müller.example": "https://xn--spiele-mller-klb.example",
    "https://straße.example": "https://xn--strae-oqa.example",
    "https://例え。テスト": "https://xn--r8jz45g.xn--zckzah",
    "https://xn--strae-oqa.example": "https://xn--strae-oqa.example",
    "http://[2001:DB8:0::1]:80/": "http://[2001:db8::1]/",
    "http://192.0.2.7:5050": "http://192.0.2.7:5050",
}
NO_HOSTS = ["", ".", "a..b", "a b", "a\\b", "-a.example", "a-.example", "a%41", "a" * 64, "a." * 130 + "b"]


@pytest.mark.parametrize("written", WRITTEN)
def test_an_address_has_one_spelling(written: str) -> None:
    assert web_address(written) == WRITTEN[written]
    assert web_address(WRITTEN[written]) == WRITTEN[written]


@pytest.mark.parametrize("host", NO_HOSTS)
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(ValueError):
        ascii_host(host)
    with pytest.raises(ValueError):
        web_address(f"https://{host}/")


@pytest.mark.parametrize(
    "written", ["https://me@example.org", "https://example.org:port", "//", "https://[1"]
)
def test_what_is_no_address_is_refused(written: str) -> None:
    with pytest.raises(ValueError):
        web_address(written)


class Probe:
    """A UDP socket of a machine that would send from an address of its own, if it has a route."""

    sends_from: dict[int, str] = {}

    def __init__(self, family: int, kind: int):
        assert kind == socket.SOCK_DGRAM
        self.family = family

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, far: tuple[str, int]) -> None:
        if self.family not in self.sends_from:
            raise OSError("no route")

    def getsockname(self) -> tuple[str, int]:
        return self.sends_from[self.family], 9


@pytest.mark.parametrize(
    ("sends_from", "address"),
    [
        ({socket.AF_INET: "192.168.0.7", socket.AF_INET6: "fd00::7"}, "192.168.0.7"),
        ({socket.AF_INET6: "fd00::7"}, "fd00::7"),
        ({socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}, ""),
        ({}, ""),
    ],
)
def test_a_machine_is_reached_where_it_sends_from(
    monkeypatch: pytest.MonkeyPatch, sends_from: dict[int, str], address: str
) -> None:
    monkeypatch.setattr(Probe, "sends_from", sends_from)
    monkeypatch.setattr(socket, "socket", Probe)
    assert lan_address() == address
