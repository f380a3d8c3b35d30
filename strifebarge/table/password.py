"""Passwords are kept as Argon2id hashes: whoever steals them has years to guess each one."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from .ports import Busy

# OWASP's second set: 19 MiB, two passes.  More would be better, and a small host must hold several at once.
HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
AT_ONCE = BoundedSemaphore(4)  # so that many who sign in at once do not use up the memory
PATIENCE = 5.0  # seconds


@contextmanager
def _place() -> Iterator[None]:
    if not AT_ONCE.acquire(timeout=PATIENCE):
        raise Busy("too many sign in at once")
    try:
        yield
    finally:
        AT_ONCE.release()


def hashed(password: str) -> str:
    """Raises Busy."""
    with _place():
        return HASHER.hash(password)


def holds(password: str, kept: str | None) -> bool:
    """Whether it is the password; where none is kept, no, after the same time.  Raises Busy."""
    with _place():
        against = kept or _nobodys()
        try:
            HASHER.verify(against, password)
        except (VerificationError, InvalidHashError):
            return False
    return kept is not None


def outdated(kept: str) -> bool:
    """Whether it was made with less than is asked for now."""
    return HASHER.check_needs_rehash(kept)


@cache
def _nobodys() -> str:
    return HASHER.hash("nobody has this password")
