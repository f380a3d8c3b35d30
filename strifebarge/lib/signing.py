"""Signatures that hold for some time, by the site's time and no wall clock; and marks, which name nobody."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from hmac import digest
from typing import Any

from itsdangerous import TimestampSigner, URLSafeTimedSerializer


class SiteSigner(TimestampSigner):
    """Signs with what `now` says, in seconds since 1970."""

    def __init__(self, *arguments: Any, now: Callable[[], float], **named: Any):
        super().__init__(*arguments, **named)
        self.now = now

    def get_timestamp(self) -> int:
        """Return the time that a signature tells, or is held against."""
        return int(self.now())


def timed_serializer(keys: Sequence[str], salt: str, now: Callable[[], float]) -> URLSafeTimedSerializer:
    """Return what signs things together with the time."""
    return URLSafeTimedSerializer(list(keys), salt, signer=SiteSigner, signer_kwargs={"now": now})


class Marks:
    """Makes words that stand for people and devices, and from which nobody learns who these are."""

    def __init__(self, keys: Sequence[str]):
        self.key = keys[-1].encode()

    def __call__(self, kind: str, name: str) -> str:
        """Return the mark of a thing of some kind: 64 bits, in hexadecimal."""
        return digest(self.key, f"strifebarge:live:{kind} {name}".encode(), sha256)[:8].hex()
