"""Decide where a webhook may lead: to public addresses, never into the server's own networks.

A name is looked up once, all its addresses are judged, and the connection goes to an address that was judged:
a second lookup could give another one.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from queue import Empty, Queue
from threading import Thread
from urllib.parse import SplitResult, urlsplit

from strifebarge.rules import Refused
from strifebarge.tables.model.reasons import NotificationRefusal

LOOKING_UP = 3.0  # seconds
LONGEST = 1000  # characters of an address: those of browsers are long

# Those of IPv6 that stand for others, of IPv4, and lead wherever those lead; those of a site alone; and what
# Python does not know of in all its versions: for examples, for protocols, where clouds keep their secrets.
NOT_OF_THE_WORLD = [
    ip_network(each)
    for each in (
        "::ffff:0:0/96",
        "::/96",
        "2002::/16",
        "2001::/32",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "fec0::/10",
        "3fff::/20",
        "5f00::/16",
        "192.0.0.0/24",
        "168.63.129.16/32",
    )
]


def is_inner(address: str) -> bool:
    """Return whether an address may belong to a network of the server's own, or to none at all."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return True
    if any(ip in network for network in NOT_OF_THE_WORLD):
        return True
    return not _is_of_the_world(ip)


def _is_of_the_world(ip: IPv4Address | IPv6Address) -> bool:
    odd = ip.is_multicast or ip.is_reserved or ip.is_unspecified or ip.is_loopback
    return ip.is_global and not (odd or ip.is_private or ip.is_link_local)


def hook_at(address: str, inner: bool) -> SplitResult:
    """Return the parts of a webhook's address; http is allowed with `inner`.  Raises Refused(WRONG_HOOK)."""
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
        host = host and host.encode("idna").decode()
    except (UnicodeError, ValueError) as wrong:
        raise Refused(NotificationRefusal.WRONG_HOOK) from wrong
    plain = address.isascii() and address.isprintable() and " " not in address and "\\" not in address
    schemes = ("https", "http") if inner else ("https",)
    whole = host and parts.scheme in schemes and parts.username is None and not parts.fragment
    if not plain or not whole or len(address) > LONGEST:
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
