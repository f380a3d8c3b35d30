"""Passkeys on pages: where they are valid, and what a page needs to ask a browser for one."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import request

from strifebarge.people.models import Who
from strifebarge.people.passkeys import Offer, Site
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.web.http.services import accounts, settings


def site() -> Site | None:
    """Return where passkeys are valid.

    None where browsers have none: at a bare IP address, or without https except on this machine.
    """
    url = urlsplit(settings().public_url or request.host_url)
    host = url.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        pass
    else:
        return None
    local = host == "localhost" or host.endswith(".localhost")
    return Site(host, f"{url.scheme}://{url.netloc}") if url.scheme == "https" or local else None


def new_key(player: Player) -> Offer | None:
    """Return what a page needs to make one more passkey for somebody; None where there are none."""
    here = site()
    return accounts().passkeys.offer_new(player, here) if here else None


def known_key() -> Offer | None:
    """Return what a page needs to sign in with any passkey of the browser; None where there are none."""
    here = site()
    return accounts().passkeys.offer_known(here) if here else None


def proof_of(player: Player) -> Offer | None:
    """Return what a page needs to ask somebody for a passkey of theirs; None where there are none."""
    here = site()
    return (
        accounts().passkeys.offer_proof(player, here) if here and accounts().passkeys.of(player.id) else None
    )


def must_sign(player: Player, challenge: str, credential: str) -> None:
    """Require that a passkey of this person has signed the challenge.  Raises Refused(WRONG_PASSKEY)."""
    accounts().passkeys.must_sign(player, _here(), challenge, credential)


def keep_passkey(player: Player, agent: str) -> None:
    """Keep the passkey that a form brings.  Raises Refused: WRONG_PASSKEY, TOO_MANY_KEYS, GONE."""
    accounts().passkeys.add(player, _here(), *_sent(), agent)


def whose() -> Player:
    """Return whose passkey has signed the challenge of a form.  Raises Refused(WRONG_PASSKEY)."""
    return accounts().passkeys.whose(_here(), *_sent())


def _sent() -> tuple[str, str]:
    return request.form.get("challenge", ""), request.form.get("credential", "")


def _here() -> Site:
    here = site()
    if here is None:
        raise Refused(Who.WRONG_PASSKEY)
    return here
