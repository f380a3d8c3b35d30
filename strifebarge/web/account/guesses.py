"""How passwords are kept from being guessed, and their owner from being locked out by others' guesses."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from math import ceil

from strifebarge.people.models import IdentityRefusal, tidy_login
from strifebarge.rules import Refused
from strifebarge.web.account.known_browsers import browser_known_for
from strifebarge.web.http.guard import address
from strifebarge.web.http.services import limits
from strifebarge.web.http.session import device

TELLS = {
    IdentityRefusal.WRONG_SIGN_IN,
    IdentityRefusal.LOGIN_TAKEN,
}  # refusals by which a password may have been tried


@contextmanager
def attempt(login: str) -> Iterator[None]:
    """Let somebody try a name and a password, unless too many were tried.

    A browser that is known for the name has a limit of its own, whatever others do.  All others are limited
    by their address, by address and name together, and slowly by the name alone, whether or not it is
    somebody's.  Raises Refused: TOO_FAST, GUARDED, and what is raised inside.
    """
    name = _name(login)
    browser = browser_known_for(_plain(login))
    if browser:
        limits().count("known", f"{browser} {name}")
    else:
        limits().count("sign_in")
        limits().count("login", f"{address()} {name}")
        _must_not_be_guarded(name)
    try:
        yield
    except Refused as no:
        if no.why in TELLS and not browser:
            limits().note("guarded", name)
        raise


def count_own() -> None:
    """Count a try of their own password by somebody who is signed in.  Raises Refused(TOO_FAST)."""
    limits().count("known", device())


def _must_not_be_guarded(name: str) -> None:
    if limits().spent("guarded", name):
        seconds = int(limits().too_fast("guarded", name).args_told["seconds"])
        raise Refused(IdentityRefusal.GUARDED, seconds=seconds, minutes=ceil(seconds / 60))


def _name(login: str) -> str:
    return sha256(_plain(login).encode("utf-8", "replace")).hexdigest()


def _plain(login: str) -> str:
    try:
        return tidy_login(login)
    except Refused:
        return login[:100]
