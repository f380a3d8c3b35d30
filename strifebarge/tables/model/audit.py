"""The audit log: what the site's hosts have done, and to what."""

from typing import Any, NamedTuple

from msgspec import Struct


class ByForm(str):
    """Name a host who acts by a form: the form's key goes into the audit log, so that it counts once."""

    __slots__ = ("key",)
    key: str

    def __new__(cls, name: str, key: str) -> "ByForm":
        """Return the name, with the key of the form."""
        by_form = super().__new__(cls, name)
        by_form.key = key
        return by_form


class DoneBefore(Exception):
    """A host's form that was carried out already."""


class AuditEntry(Struct, frozen=True):
    """One act of a host: when, in seconds since 1970, UTC; by whom; which act; and a table's id."""

    at: float
    by: str
    act: str
    subject: str
    details: dict[str, Any] = {}


class ActOnPerson(NamedTuple):
    """An entry of the audit log by its number, and the secret id of whom it is about, if it is a person."""

    number: int
    act: str
    player: str | None
