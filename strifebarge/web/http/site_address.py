"""The address of the site that it hands out, in invitations and other links."""

import socket
from functools import cache, lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from strifebarge.lib.addresses import is_wildcard, lan_address, only_here, url_of
from strifebarge.web.http.request_store import this_request
from strifebarge.web.http.services import settings

SAID_OF_HOST = ("wsgi.url_scheme", "HTTP_HOST", "SERVER_NAME", "SERVER_PORT")  # by what a host is known
MOST = 64  # addresses that are remembered: visitors may say any
LONGEST = 300  # characters of what is said of a host that is remembered
VISITED: dict[tuple[str | None, ...], str] = {}


def site_address() -> str:
    """Return the address to hand out: PUBLIC_URL, or the one that the visitor used if others can use it too.

    A site that listens on all networks, with no proxy in front, is known by IP addresses and by the machine's
    name. `localhost` leads everybody else to their own machine, and any other name is only what the visitor
    says; instead of these it is the address in the local network.
    """
    site = settings()
    if site.public_url:
        return str(site.public_url)
    visited = _visited()
    if not is_wildcard(site.host) or site.trusted_proxies or leads_here(visited):
        return visited
    others = lan_address()
    return url_of(others, site.port or int(this_request().environ["SERVER_PORT"])) if others else visited


def _visited() -> str:
    """Return the address that the visitor used for the site, made once for each."""
    request = this_request()
    headers = tuple(map(request.environ.get, SAID_OF_HOST))
    address = VISITED.get(headers)
    if address is None:
        address = request.host_url
        if len(str(headers)) <= LONGEST:
            if len(VISITED) >= MOST:
                VISITED.clear()
            VISITED[headers] = address
    return address


@lru_cache(MOST)
def leads_here(url: str) -> bool:
    """Return whether others can reach this machine by the host of an address that a visitor reached it by."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:  # a bracket alone
        return False
    if only_here(host):
        return False
    try:
        ip_address(host)
    except ValueError:
        return host.partition(".")[0] == own_name()
    return True  # it need not be one of this machine's own, where a router or a container hands it on


@cache
def own_name() -> str:
    """Return what this machine calls itself, without a domain."""
    return socket.gethostname().partition(".")[0].lower()
