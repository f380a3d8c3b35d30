"""Refuse settings that look right one by one, but that the site could not run with."""

import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

LOCALE = Path(__file__).parents[1] / "locale"
MOST = 65535  # the highest port
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256: keys are below it
WITH_PORT = ("database_url", "database_direct", "redis_url", "public_url", "smtp_url")


class CheckedSettings(Protocol):
    """The settings that are looked at here."""

    @property
    def database_url(self) -> str: ...
    @property
    def database_direct(self) -> str | None: ...
    @property
    def redis_url(self) -> str | None: ...
    @property
    def public_url(self) -> str | None: ...
    @property
    def smtp_url(self) -> str | None: ...
    @property
    def push_key(self) -> str | None: ...
    @property
    def metrics(self) -> str | None: ...
    @property
    def language(self) -> str: ...
    @property
    def secure(self) -> bool | None: ...


def impossible(settings: CheckedSettings) -> Iterator[str]:
    """Yield the name of each setting whose value cannot be what it must be."""
    for name in WITH_PORT:
        if not port_is_possible(getattr(settings, name) or ""):
            yield name
    for name in ("database_url", "database_direct"):
        ports = re.findall(r"[?&]host=[^&]*:(\d*)(?=&|$)", getattr(settings, name) or "")
        if not all(int(port or 1) in range(1, MOST + 1) for port in ports):
            yield name
    served = settings.metrics or ""
    if not served.startswith("unix:") and int(served.rpartition(":")[2] or 1) > MOST:
        yield "metrics"
    if ":memory:" in settings.database_url:  # each connection would have an empty one of its own
        yield "database_url"
    if settings.push_key and not 0 < int.from_bytes(urlsafe_b64decode(settings.push_key[:43] + "=")) < ORDER:
        yield "push_key"


def port_is_possible(url: str) -> bool:
    """Return whether a URL's port, if it names one, is a number that a port may have."""
    if url.startswith(("sqlite:", "unix:")):  # which name files
        return True
    rest = url.partition("://")[2].partition("?")[0]
    host = rest.rpartition("@")[2].partition("/")[0]  # a password may hold anything but an @
    match = re.fullmatch(r"(?:\[[^\[\]]*\]|[^\[\]:]*)(?::(\d*))?", host)
    return bool(match and int(match[1] or 1) in range(1, MOST + 1))


def contradictions(settings: CheckedSettings) -> Iterator[str]:
    """Yield a sentence for each setting that does not go with the site or with another setting."""
    if not any(code in languages() for code in (settings.language, settings.language.partition("-")[0])):
        spoken = " or ".join(languages())
        yield f"STRIFEBARGE_LANGUAGE is {settings.language!r}, but the site speaks {spoken} only."
    if settings.database_direct and settings.database_url.startswith("sqlite:"):
        yield (
            "STRIFEBARGE_DATABASE_DIRECT is for a pooler before PostgreSQL, but STRIFEBARGE_DATABASE_URL "
            "leads to a file of SQLite."
        )
    if settings.smtp_url and not settings.public_url:
        yield "STRIFEBARGE_SMTP_URL needs STRIFEBARGE_PUBLIC_URL, for mail has a link to the site in it."
    if settings.secure and over_http(settings.public_url or ""):
        yield (
            "STRIFEBARGE_SECURE is true, but STRIFEBARGE_PUBLIC_URL begins with http: browsers send no such "
            "cookies there, so that nobody could play."
        )


def languages() -> list[str]:
    """Return the codes of the languages that the site speaks."""
    return sorted(["en", *(path.stem for path in LOCALE.glob("*.po"))])


def over_http(url: str) -> bool:
    """Return whether an address is one without https that is not this machine's own."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme == "http" and host != "localhost" and not host.endswith(".localhost")
