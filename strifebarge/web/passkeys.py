"""Passkeys: a browser's own keys for this site, beside the password and the code, for those with scripts."""

from datetime import timedelta
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_bytes
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import current_app, request
from itsdangerous import BadData, URLSafeTimedSerializer
from itsdangerous.encoding import base64_decode, base64_encode

from strifebarge.rules import Refused
from strifebarge.table.person import Passkey, Player, Who, device_name

from .people import referee

LASTS = timedelta(minutes=10)  # a page with a challenge may lie open so long
LARGEST = 16 * 1024  # characters of what a browser says of a key


class Offer(NamedTuple):
    """What a page needs to ask the browser for a key: its options, as JSON, and the signed challenge."""

    options: str
    challenge: str


class Site(NamedTuple):
    """Where keys are valid: the host without its port, and the address pages have."""

    id: str
    origin: str


def site() -> Site | None:
    """None where browsers have no passkeys: at a bare IP address, or without https but on this machine."""
    url = urlsplit(current_app.extensions["settings"].public_url or request.host_url)
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
    """To make one more key for somebody."""
    here = site()
    if here is None:
        return None
    import webauthn  # here and not above: it is slow to load, and few pages need it
    from webauthn.helpers import structs

    account = referee().store.account_of(player.id)
    challenge = token_bytes(32)
    options = webauthn.generate_registration_options(
        rp_id=here.id,
        rp_name="StrifeBarge",
        user_id=sha256(f"passkey of {player.id}".encode()).digest(),
        user_name=(account.login if account else "") or player.name or "StrifeBarge",
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(base64_decode(each.id))
            for each in referee().store.passkeys(player.id)
        ],
    )
    return Offer(webauthn.options_to_json(options), _signed(challenge, player.public))


def known_key() -> Offer | None:
    """To sign in with whatever key the browser has for this site."""
    here = site()
    if here is None:
        return None
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    challenge = token_bytes(32)
    options = webauthn.generate_authentication_options(
        rp_id=here.id, challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
    )
    return Offer(webauthn.options_to_json(options), _signed(challenge, ""))


def keep(player: Player, challenge: str, credential: str, agent: str) -> None:
    """Keep the public half of a key that was just made.  Raises Refused(WRONG_PASSKEY, TOO_MANY_KEYS)."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    here, expected = _here(), _challenge(challenge, player.public)
    try:
        made = webauthn.verify_registration_response(
            credential=credential[:LARGEST],
            expected_challenge=expected,
            expected_rp_id=here.id,
            expected_origin=here.origin,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as wrong:
        raise Refused(Who.WRONG_PASSKEY) from wrong
    now = referee().now()
    id = base64_encode(made.credential_id).decode()
    name = device_name(agent)
    referee().store.add_passkey(
        Passkey(id, player.id, made.credential_public_key, made.sign_count, name, now, now)
    )


def whose(challenge: str, credential: str) -> Player:
    """Whose key has signed this challenge.  Raises Refused(WRONG_PASSKEY)."""
    import webauthn
    from webauthn.helpers import parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    here, expected = _here(), _challenge(challenge, "")
    try:
        answer = parse_authentication_credential_json(credential[:LARGEST])
        key = referee().store.passkey(base64_encode(answer.raw_id).decode())
        if key is None:
            raise Refused(Who.WRONG_PASSKEY)
        used = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=expected,
            expected_rp_id=here.id,
            expected_origin=here.origin,
            credential_public_key=key.key,
            credential_current_sign_count=key.uses,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as wrong:
        raise Refused(Who.WRONG_PASSKEY) from wrong
    store = referee().store
    player = store.player(key.player)
    if player is None or not store.used_passkey(key.id, key.uses, used.new_sign_count, referee().now()):
        raise Refused(Who.WRONG_PASSKEY)
    return player


def _here() -> Site:
    here = site()
    if here is None:
        raise Refused(Who.WRONG_PASSKEY)
    return here


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(
        list(current_app.extensions["settings"].secret_keys), salt="strifebarge:passkey"
    )


def _signed(challenge: bytes, purpose: str) -> str:
    return str(_signer().dumps([base64_encode(challenge).decode(), purpose]))


def _challenge(signed: str, purpose: str) -> bytes:
    """The challenge of one of our own pages, not too old, for this purpose, and for the first time.

    Raises Refused(WRONG_PASSKEY).
    """
    try:
        challenge, meant = _signer().loads(signed, max_age=int(LASTS.total_seconds()))
        plain = base64_decode(challenge)
    except (BadData, ValueError, TypeError) as wrong:
        raise Refused(Who.WRONG_PASSKEY) from wrong
    now = referee().now()
    seen = sha256(b"challenge " + plain).hexdigest()
    if meant != purpose or not referee().store.first_use(seen, now + LASTS.total_seconds(), now):
        raise Refused(Who.WRONG_PASSKEY)
    return plain
