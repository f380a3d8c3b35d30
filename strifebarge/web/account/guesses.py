"""How passwords are kept from being guessed, and their owner from being locked out by others' guesses."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from math import ceil

from strifebarge.people.models import IdentityRefusal, tidy_login
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.web.account.known_browsers import browser_known_for
from strifebarge.web.http.guard import address
from strifebarge.web.http.services import accounts, limits

TELLS = {
    IdentityRefusal.WRONG_SIGN_IN,
    IdentityRefusal.WRONG_PASSWORD,
    IdentityRefusal.LOGIN_TAKEN,
    IdentityRefusal.HAS_ACCOUNT,
}  # refusals by which a password may have been tried


@contextmanager
def attempt(login: str) -> Iterator[None]:
    """Let somebody try a name and a password, unless too many were tried.

    Every form with a password is judged within this, that of a signed-in person too.
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


def own_login(player: Player) -> str:
    """Return the name by which a person signs in; "" for one without a password."""
    account = accounts().account_of(player.id)
    return account.login if account else ""


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
