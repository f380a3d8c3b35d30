"""Passwords are kept as Argon2id hashes: whoever steals them has years to guess each one."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore, Lock

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from strifebarge.rules import Refused

from .person import LONGEST, SHORTEST, Who
from .ports import Busy

# OWASP's second set: 19 MiB, two passes.  More would be better, and a small host must hold several at once.
HASHER = PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1)
AT_ONCE = BoundedSemaphore(4)  # so that many who sign in at once do not use up the memory
PATIENCE = 5.0  # seconds

FEWEST = 10**6  # guesses, as zxcvbn counts them: so many are out of reach of whoever may try ten a minute
JUDGED = 64  # characters of a password that are looked at: the others can only make it better
# What zxcvbn does not know as others do here: words of German, of its keyboards, and of this site.
OURS = """
passwort kennwort geheimnis geheim ichliebedich schatz schatzi hallo fussball willkommen sommer winter
frühling fruehling herbst berlin hamburg münchen muenchen schalke04 borussia bundesliga bayern deutschland
qwertzui qwertzuiop qwertz asdfghjkl yxcvbnm strifebarge barge battleship schiffeversenken schiffe
"""
JUDGING = Lock()  # zxcvbn has one dictionary of what is the user's own, for all who ask at once


@contextmanager
def _place() -> Iterator[None]:
    if not AT_ONCE.acquire(timeout=PATIENCE):
        raise Busy("too many sign in at once")
    try:
        yield
    finally:
        AT_ONCE.release()


def must_be_good(password: str, login: str) -> None:
    """Raises Refused: WEAK, COMMON, TOO_LONG.  There are no rules of what must be in it."""
    if len(password) < SHORTEST:
        raise Refused(Who.WEAK, least=SHORTEST)
    if len(password) > LONGEST:
        raise Refused(Who.TOO_LONG, most=LONGEST)
    if guesses(password, login) < FEWEST:
        raise Refused(Who.COMMON)


def guesses(password: str, login: str) -> int:
    """How many others would try before this one, if they know the name to sign in with.

    What most put at the end when they are asked for more counts for nothing.
    """
    from zxcvbn import zxcvbn  # here and not above: its lists of words are large, and few forms need them

    plain = password.rstrip("!?.#$*") or password
    with JUDGING:
        return int(zxcvbn(plain[:JUDGED], user_inputs=[login, *OURS.split()])["guesses"])


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
