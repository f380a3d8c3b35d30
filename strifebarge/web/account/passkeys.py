"""Passkeys on pages: where they are valid, and what a page needs to ask a browser for one."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import request

from strifebarge.lib.addresses import web_address
from strifebarge.people.models import IdentityRefusal
from strifebarge.people.passkeys import PasskeyChallenge, RelyingParty
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player
from strifebarge.web.http.services import accounts, settings


def site() -> RelyingParty | None:
    """Return where passkeys are valid.

    None where browsers have none: at a bare IP address, or without https except on this machine.
    """
    try:
        url = urlsplit(settings().public_url or web_address(request.host_url))
    except ValueError:  # no browser sends such a host
        return None
    host = url.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        pass
    else:
        return None
    local = host == "localhost" or host.endswith(".localhost")
    return RelyingParty(host, f"{url.scheme}://{url.netloc}") if url.scheme == "https" or local else None


def new_key(player: Player) -> PasskeyChallenge | None:
    """Return what a page needs to make one more passkey for somebody; None where there are none."""
    relying_party = site()
    return accounts().passkeys.offer_new(player, relying_party) if relying_party else None


def known_key() -> PasskeyChallenge | None:
    """Return what a page needs to sign in with any passkey of the browser; None where there are none."""
    relying_party = site()
    return accounts().passkeys.offer_known(relying_party) if relying_party else None


def proof_of(player: Player) -> PasskeyChallenge | None:
    """Return what a page needs to ask somebody for a passkey of theirs; None where there are none."""
    relying_party = site()
    return (
        accounts().passkeys.offer_proof(player, relying_party)
        if relying_party and accounts().passkeys.list_for(player.id)
        else None
    )


def must_sign(player: Player, challenge: str, credential: str) -> None:
    """Require that a passkey of this person has signed the challenge.  Raises Refused(WRONG_PASSKEY)."""
    accounts().passkeys.must_sign(player, _here(), challenge, credential)


def keep_passkey(player: Player, agent: str) -> None:
    """Keep the passkey that a form brings.  Raises Refused: WRONG_PASSKEY, TOO_MANY_KEYS, GONE."""
    accounts().passkeys.add(player, _here(), *_sent(), agent)


def whose() -> Player:
    """Return whose passkey has signed the challenge of a form.  Raises Refused(WRONG_PASSKEY)."""
    return accounts().passkeys.verify_challenge(_here(), *_sent())


def _sent() -> tuple[str, str]:
    return request.form.get("challenge", ""), request.form.get("credential", "")


def _here() -> RelyingParty:
    relying_party = site()
    if relying_party is None:
        raise Refused(IdentityRefusal.WRONG_PASSKEY)
    return relying_party
