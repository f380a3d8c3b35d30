"""What hosts of the site switch while it runs: read-only, and an announcement on every page.

The database keeps it.  Each process looks every two seconds, in a thread of its own, so no page asks for it.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from strifebarge.lib.joiners import is_printable
from strifebarge.tables.model.audit import AuditEntry

LOOKED_AT_EVERY = 2  # seconds
LONGEST_ANNOUNCEMENT = 300  # characters

log = logging.getLogger("strifebarge")


class SwitchState(Struct, frozen=True):
    """What is switched on."""

    read_only: bool = False
    announcement: str = ""  # "" for none


class SwitchRepository(Protocol):
    """Where it is kept; each act is one transaction with its entry.  Every method may raise Busy."""

    def switched(self) -> SwitchState:
        """Return what is switched on."""

    def set_read_only(self, on: bool, entry: AuditEntry) -> None:
        """Make the site read-only, or end that; what was then is an absence of the site, so no clock ran."""

    def announce(self, text: str, entry: AuditEntry) -> None:
        """Show a text on every page, or none with ""."""


class Switches:
    """What is switched on, as this process knows it."""

    def __init__(self, repository: SwitchRepository, always_read_only: bool = False):
        self.repository = repository
        self.always_read_only = always_read_only  # by a setting
        self.state: SwitchState | None = None  # None: nobody has looked

    def refresh(self, _now: float = 0) -> None:
        """Look what is switched on now: a job for a ticker.  Raises Busy."""
        self.state = self.repository.switched()

    def set_read_only(self, on: bool, by: str, now: float) -> None:
        """Make the site read-only, or end that; the audit log tells who did.  Raises Busy."""
        self.repository.set_read_only(on, self._entry(now, by, "readonly", "on" if on else "off"))
        self.refresh()

    def announce(self, text: str, by: str, now: float) -> None:
        """Show a tidy text on every page, or none with ""; the audit log tells who did.  Raises Busy."""
        self.repository.announce(text, self._entry(now, by, "announce", text))
        self.refresh()

    @staticmethod
    def _entry(now: float, by: str, act: str, value: str) -> AuditEntry:
        return AuditEntry(now, by, act, "site", {"to": value})

    @property
    def read_only(self) -> bool:
        """True if games can be watched only."""
        return self.always_read_only or self._state.read_only

    @property
    def announcement(self) -> str:
        """The text that hosts show on every page; "" for none."""
        return self._state.announcement

    @property
    def _state(self) -> SwitchState:
        if self.state is None:
            try:
                self.refresh()
            except Exception as error:  # also pages that say the database is away need an answer
                log.warning("What hosts have switched cannot be read: %s", error)
        return self.state or SwitchState()


def unless_read_only(switches: Switches, job: Callable[[float], None]) -> Callable[[float], None]:
    """Return a job that does nothing while the site is read-only."""

    def do(now: float) -> None:
        if not switches.read_only:
            job(now)

    return do


def tidy_announcement(text: str) -> str:
    """Return a text as it is announced: one line; "" where it cannot be."""
    tidy = " ".join(text.split())
    return tidy if len(tidy) <= LONGEST_ANNOUNCEMENT and is_printable(tidy) else ""
