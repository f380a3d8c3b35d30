"""The audit log: what the site's hosts have done by commands, and to what."""

from typing import Any

from msgspec import Struct


class AuditEntry(Struct, frozen=True):
    """One act of a host: when, in seconds since 1970, UTC; by whom; which act; and a table's id."""

    at: float
    by: str
    act: str
    subject: str
    details: dict[str, Any] = {}
