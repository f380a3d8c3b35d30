"""The hosts of a site in a browser: a link that works once makes a browser a host's, for some hours.

Only people who may run commands of the site make such links, so a host's browser may do what commands do.
"""

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Protocol

from msgspec import Struct

from strifebarge.tables.model.audit import AuditEntry

LINK_LASTS = 10 * 60  # seconds
SESSION_LASTS = 12 * 60 * 60  # seconds


class SiteOverview(Struct, frozen=True):
    """What is going on at a site: how many there are of what."""

    tables: dict[str, int]  # by status
    people: int  # with an account
    guests: int
    players_now: int  # who have a table before them
    spectators_now: int
    notifications: int  # that are due and not sent
    oldest_due: float | None  # since when the first of them is due, in seconds since 1970
    database: str  # its kind and version


class HostRepository(Protocol):
    """Where links and sessions of hosts are kept, by their hashes.  Every method may raise Busy."""

    def add_link(self, hash: str, by: str, expires: float, now: float) -> None:
        """Keep a new link, and drop whatever has expired."""

    def opens(self, hash: str, now: float) -> bool:
        """Return whether a link still opens a session."""

    def open_session(self, link: str, session: str, until: float, now: float) -> bool:
        """End a link and begin a session by it, with an entry in the audit log; False if it opens none."""

    def session(self, hash: str, now: float) -> str | None:
        """Return who made the link of a session; None if there is no such session now."""

    def end_session(self, hash: str) -> None:
        """End a session."""

    def carried_out(self, key: str) -> bool:
        """Return whether a host's form of this key was carried out."""

    def overview(self, now: float) -> SiteOverview:
        """Return what is going on."""


class Hosts:
    """Links and sessions of one site's hosts.  Every method may raise Busy."""

    def __init__(self, repository: HostRepository, now: Callable[[], float]):
        self.repository = repository
        self.now = now

    def make_link(self, by: str) -> str:
        """Return the secret of a new link, which opens one session within ten minutes."""
        token, now = secrets.token_urlsafe(32), self.now()
        self.repository.add_link(hashed(token), by, now + LINK_LASTS, now)
        return token

    def opens(self, link: str) -> bool:
        """Return whether a link still opens a session."""
        return self.repository.opens(hashed(link), self.now())

    def open_session(self, link: str) -> str | None:
        """Use a link up, and return the secret of the session it has opened; None if it opens none."""
        token, now = secrets.token_urlsafe(32), self.now()
        opened = self.repository.open_session(hashed(link), hashed(token), now + SESSION_LASTS, now)
        return token if opened else None

    def host_of_session(self, session: str) -> str | None:
        """Return the name of the host whose session it is; None if it is nobody's now."""
        return self.repository.session(hashed(session), self.now()) if session else None

    def end_session(self, session: str) -> None:
        """End a session: its secret is worth nothing from now on."""
        self.repository.end_session(hashed(session))


def hashed(secret: str) -> str:
    """Return what is kept of a secret."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


def address_of(site: str, link: str) -> str:
    """Return the address of a link, at the address of the site."""
    return f"{site.rstrip('/')}/host/open?link={link}"


def opened_entry(by: str, now: float) -> AuditEntry:
    """Return what the audit log tells of a session that was opened."""
    return AuditEntry(now, by, "open", "host page")


def operator_name() -> str:
    """Return who runs this program, for the audit log."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user whom the system has no name for, as in some containers
        return "somebody without a name"
