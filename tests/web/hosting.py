"""Browsers of the site's hosts."""

from tests.support.visitor import Local
from tests.web.house import House


def a_host(house: House) -> Local:
    """A browser in which a host has opened the host's page."""
    host = house.visitor()
    opened_by(host, house.services.hosts.make_link("root"))
    return host


def opened_by(host: Local, link: str) -> None:
    """Use a link up in this browser."""
    assert host.submit(host.get(f"/host/open?link={link}"), "/host/open").status == 303
