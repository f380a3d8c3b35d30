"""Argon2id hashes of secrets that people type: passwords and PINs."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from strifebarge.lib.busy import FairSemaphore

# OWASP's second set: 19 MiB, two passes.  More would be better, and a small host must hold several at once.
HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
# Each takes 19 MiB while it is computed.  A second can begin while the first one ends, and more would not be
# quicker on a small machine.
HASHES = FairSemaphore(2, patience=10.0, what="hashes")


def hashed(secret: str) -> str:
    """Return the hash under which a secret is kept.  Raises Busy."""
    with HASHES:
        return HASHER.hash(secret)


def verify_secret(secret: str, stored: str | None) -> bool:
    """Return whether a hash is that of this secret, after the same time if there is none.  Raises Busy."""
    with HASHES:
        against = stored or _nobodys()
        try:
            HASHER.verify(against, secret)
        except (VerificationError, InvalidHashError):
            return False
    return stored is not None


def outdated(stored: str) -> bool:
    """Return whether a hash was made with less effort than is asked for now."""
    return HASHER.check_needs_rehash(stored)


@cache
def _nobodys() -> str:
    return HASHER.hash("nobody has this password")
