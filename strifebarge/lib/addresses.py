"""The addresses of this machine: which of them others can reach."""

import socket
from ipaddress import ip_address

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
