"""The address of a database as PostgreSQL's own library and programs take it."""

import re

from sqlalchemy import URL, make_url

from strifebarge.settings.database import POOLER


def without_pooler(url: URL) -> tuple[URL, bool]:
    """Return an address without the option of a pooler, and whether it had that."""
    return url.difference_update_query([POOLER]), POOLER in url.query


def parameters(url: str) -> dict[str, str]:
    """Return how PostgreSQL's library finds a database: its keywords (manual, 34.1.2) with their values."""
    address, _ = without_pooler(make_url(url))
    query = {
        name: value for name, value in address.query.items() if isinstance(value, str) and name != "host"
    }
    hosts, ports = _hosts(address)
    variables = {
        **query,
        "host": hosts,
        "port": ports,
        "user": address.username,
        "password": address.password,
        "dbname": address.database,
    }
    return {name: str(value) for name, value in variables.items() if value}


def _hosts(address: URL) -> tuple[str, str]:
    """Return the hosts and the ports, in the same order; "" where the address names none."""
    value = address.query.get("host", ())
    several = (value,) if isinstance(value, str) else value
    if not several:
        return address.host or "", str(address.port or "")
    pairs = [_split(host) for host in several]
    ports = ",".join(port for _, port in pairs)
    return ",".join(host for host, _ in pairs), ports if ports.strip(",") else str(address.port or "")


def _split(host: str) -> tuple[str, str]:
    """Return a host, or the path of a socket, and its port; "" where it has none."""
    match = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d*))?", host)
    return (match[1].strip("[]"), match[2] or "") if match else (host, "")
