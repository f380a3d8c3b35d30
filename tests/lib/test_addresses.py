"""Web addresses and hosts as browsers write them."""

import pytest

from strifebarge.lib.addresses import ascii_host, web_address

WRITTEN = {
    "https://games.example.org": "https://games.example.org",
    "HTTPS://Games.Example.ORG:443/Play/?Q=A": "https://games.example.org/Play/?Q=A",
    "http://games.example.org:80": "http://games.example.org",
    "https://games.example.org:80/x": "https://games.example.org:80/x",
    "https://games.example.org.:8443": "https://games.example.org:8443",
    "https://Spiele-Müller.example": "https://xn--spiele-mller-llb.example",
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


@pytest.mark.parametrize("written", ["https://me@example.org", "https://example.org:port", "//", "https://[1"])
def test_what_is_no_address_is_refused(written: str) -> None:
    with pytest.raises(ValueError):
        web_address(written)
