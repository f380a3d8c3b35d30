"""Without PUBLIC_URL a site on all networks hands out an address that others can reach."""

import re
import socket
from contextlib import closing

import pytest
from werkzeug.test import create_environ, run_wsgi_app

from strifebarge.web.http import site_address
from tests.conftest import need
from tests.support.networks import Network
from tests.support.servers import LOOPBACK, Site, wait_for
from tests.support.visitor import Local, Remote
from tests.web.house import House, OpenHouse

PORT = 5050
OURS = "198.51.100.7"  # where others in its network reach this machine


def invitation(host: Local, came_by: str) -> str:
    """The invitation that a host copies who came by this address."""
    form = host.get("/new/rps", Host=came_by)
    table = host.post("/new/rps", form.form("/new/rps").filled(), Host=came_by).location
    page = host.get(table, Host=came_by)
    [link] = {link_text for link_text in re.findall(r'value="(http[^"]*/g/[^"]*)"', page.text)}
    return link


def begins(link: str) -> str:
    return link.partition("/g/")[0]


@pytest.fixture
def house(open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(site_address, "lan_address", lambda: OURS)
    return open_house(host="0.0.0.0", port=PORT)


def test_a_host_that_is_no_name_leads_back_to_where_it_was_sent(open_house: OpenHouse) -> None:
    site = open_house().app.wsgi_app
    for came_by in ("xn--", "xn--a.example", "xn--zz9999:5050"):
        environ = create_environ("/", headers={"Host": came_by})  # a client of tests would read the name too
        page, status, _ = run_wsgi_app(site, environ)
        assert status == "200 OK"
        assert f'content="http://{came_by}/' in b"".join(page).decode()


@pytest.mark.parametrize(
    "came_by",
    ["localhost:5050", "127.0.0.1:5050", "[::1]:5050", "localhost:9999", "0.0.0.0:5050", "LOCALHOST.:5050"],
)
def test_who_came_by_localhost_invites_to_the_address_in_the_network(house: House, came_by: str) -> None:
    assert begins(invitation(house.visitor(), came_by)) == f"http://{OURS}:{PORT}"


@pytest.mark.parametrize(
    "came_by",
    [
        f"{OURS}:5050",
        "203.0.113.7:8080",
        "[2001:db8::7]:5050",
        socket.gethostname() + ".local:5050",
    ],
)
def test_who_came_by_an_address_that_others_can_use_invites_to_it(house: House, came_by: str) -> None:
    assert begins(invitation(house.visitor(), came_by)).lower() == f"http://{came_by}".lower()


@pytest.mark.parametrize("came_by", ["evil.example", "evil.example:5050", "localhost.evil.example"])
def test_a_name_that_is_not_this_machines_is_not_handed_out(house: House, came_by: str) -> None:
    assert begins(invitation(house.visitor(), came_by)) == f"http://{OURS}:{PORT}"


@pytest.mark.parametrize(
    ("settings", "came_by", "expected"),
    [
        ({"host": "127.0.0.1"}, "localhost:5050", "http://localhost:5050"),
        (
            {"host": "0.0.0.0", "public_url": "https://games.example.org"},
            "x.example",
            "https://games.example.org",
        ),
        ({"host": "0.0.0.0", "trusted_proxies": 1}, "games.example.org", "http://games.example.org"),
    ],
)
def test_elsewhere_it_is_the_public_address_or_that_of_the_request(
    open_house: OpenHouse, settings: dict[str, object], came_by: str, expected: str
) -> None:
    house = open_house(**settings, secure=False)
    assert begins(invitation(house.visitor(), came_by)) == expected


@pytest.mark.parametrize("came_by", ["[", "[x", "]:1", "a b", "x:y:z", "", ":5050", "\x7f"])
def test_a_host_that_is_none_is_no_fault_of_the_site(house: House, came_by: str) -> None:
    for path in ("/", "/new/rps", "/sign-in", "/me/devices"):
        assert house.visitor().get(path, Host=came_by).status < 500, path


@pytest.mark.servers
def test_serve_says_the_address_in_the_network_and_is_there() -> None:
    with (
        closing(need(Network(1).__enter__)) as network,
        Site(machine=network.machines[0], HOST="0.0.0.0", WORKERS="1") as site,
    ):
        wait_for(lambda: "StrifeBarge is at" in site.log(), awaited="the address")
        there = f"{site.url}/"
        assert f"StrifeBarge is at http://localhost:{site.port}/, {there} (Ctrl+C ends it)." in site.log()
        assert LOOPBACK not in site.log()
        page = Remote.of(site).start("rps")
        assert f'value="{there}g/' in page.text
