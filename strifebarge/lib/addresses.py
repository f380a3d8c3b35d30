"""The addresses of this machine: which of them others can reach; and web addresses as browsers write them."""

import re
import socket
from encodings.idna import nameprep
from ipaddress import ip_address
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443}
DOTS = re.compile("[.\u3002\uff0e\uff61]")  # all of them part a host name
# Letters that browsers leave as they are (UTS 46), and the standard library's older rules do not.
DEVIATIONS = re.compile("([\u00df\u03c2])")
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")  # a part of a host name, in ASCII
UNROUTED = [(socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")]  # for documentation only


def is_wildcard(host: str) -> bool:
    """Return whether to listen at this host is to listen on all networks of the machine."""
    return host in ("0.0.0.0", "::")  # noqa: S104 - told, not bound


def lan_address() -> str:
    """Return the IP address at which others in its network reach this machine; "" where it has none.

    It is the one that the machine would send from; a UDP socket finds that out without sending anything.
    """
    for family, far in UNROUTED:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))
                address = str(probe.getsockname()[0])
        except OSError:  # no route, or no such family here
            continue
        if not only_here(address):
            return address
    return ""


def only_here(host: str) -> bool:
    """Return whether a host, by name or IP address, means whatever machine it is said on."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ip = ip_address(host)
    except ValueError:
        return False
    return ip.is_loopback or ip.is_unspecified


def url_of(host: str, port: int) -> str:
    """Return the address of a site as browsers take it."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def web_address(written: str) -> str:
    """Return a web address as browsers write it.

    Scheme and host are in lower case, an international host is in ASCII, and the default port is left out.
    Raises ValueError for an address that has no host, or names a user.
    """
    parts = urlsplit(written)
    if "@" in parts.netloc:
        raise ValueError("An address must not name a user.")
    host, port = ascii_host(parts.hostname or ""), parts.port
    place = host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"
    return parts._replace(netloc=place).geturl()


def ascii_host(host: str) -> str:
    """Return a host as browsers write it: an IPv6 address in brackets, a name in lower case and in ASCII.

    Raises ValueError for what is neither an IP address nor a host name.
    """
    if ":" in host:
        return f"[{ip_address(host)}]"
    name = ".".join(map(_ascii_label, DOTS.split(host.removesuffix("."))))
    if len(name) > 253:
        raise ValueError(f"{host!r} is too long for a host name.")
    return name


def _ascii_label(label: str) -> str:
    """Return one part of a host name.  Raises ValueError."""
    prepared = "".join(
        part if DEVIATIONS.fullmatch(part) else nameprep(part) for part in DEVIATIONS.split(label.lower())
    )
    encoded = prepared if prepared.isascii() else "xn--" + prepared.encode("punycode").decode()
    if not LABEL.fullmatch(encoded):
        raise ValueError(f"{label!r} is no part of a host name.")
    return encoded
