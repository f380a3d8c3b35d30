"""Decide where a webhook may lead: to public addresses, never into the server's own networks.

A name is looked up once, all its addresses are judged, and the connection goes to an address that was judged:
a second lookup could give another one.
"""

import socket
from ipaddress import ip_address, ip_network
from queue import Empty, Queue
from threading import Thread
from urllib.parse import SplitResult, urlsplit

from strifebarge.lib.addresses import web_address
from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

LOOKING_UP = 3.0  # seconds
LONGEST = 1000  # characters of an address: those of browsers are long

# What IANA's registries of special-purpose addresses set apart, and multicast.  Python's `is_global` follows
# them late and lets some of them pass.  Outside 2000::/3 all of IPv6 is special.
WORLD_IPV6 = ip_network("2000::/3")
SPECIAL = [
    ip_network(each)
    for each in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
        *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        "224.0.0.0/3",  # multicast and reserved
        "168.63.129.16/32",  # where one cloud answers its own machines
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"),
    )
]


def is_inner(address: str) -> bool:
    """Return whether an address may belong to a network of the server's own, or to none at all."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return True
    if ip.version == 6 and ip not in WORLD_IPV6:
        return True
    return not ip.is_global or any(ip in network for network in SPECIAL)


def hook_at(address: str, inner: bool) -> SplitResult:
    """Return the parts of a webhook's address as browsers write it; http is allowed with `inner`.

    Raises Refused(WRONG_HOOK).
    """
    try:
        tidy = web_address(address)
    except ValueError as wrong:
        raise Refused(NotificationRefusal.WRONG_HOOK) from wrong
    parts = urlsplit(tidy)
    plain = tidy.isascii() and address.isprintable() and " " not in address and "\\" not in address
    schemes = ("https", "http") if inner else ("https",)
    if not plain or parts.scheme not in schemes or parts.fragment or len(address) > LONGEST:
        raise Refused(NotificationRefusal.WRONG_HOOK)
    return parts


def addresses_of(host: str, port: int, inner: bool) -> list[str]:
    """Return the addresses of a host, all of them judged.  Raises Refused: NO_HOST, INNER."""
    addresses = _looked_up(host, port)
    if not addresses:
        raise Refused(NotificationRefusal.NO_HOST)
    if not inner and any(is_inner(address) for address in addresses):
        raise Refused(NotificationRefusal.INNER)
    return addresses


def _looked_up(host: str, port: int) -> list[str]:
    """Look a host up in a thread of its own, for the system may take a minute; return what came in time."""
    answers: Queue[list[str]] = Queue()

    def look_up() -> None:
        try:
            infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put(list(dict.fromkeys(str(each[4][0]) for each in infos)))
        except (OSError, UnicodeError):
            answers.put([])

    Thread(target=look_up, daemon=True).start()
    try:
        return answers.get(timeout=LOOKING_UP)
    except Empty:
        return []
