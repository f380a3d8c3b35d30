"""Passkeys: keys of a browser or a password manager by which somebody signs in without a password."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from hashlib import sha256
from secrets import token_bytes
from typing import NamedTuple

from itsdangerous import BadData
from itsdangerous.encoding import base64_decode, base64_encode

from strifebarge.lib.signing import timed_serializer
from strifebarge.people.models import IdentityRefusal, Passkey, passkey_name
from strifebarge.people.ports import PasskeyRepository
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player

LASTS = timedelta(minutes=10)  # how long a page with a challenge may lie open
LARGEST = 16 * 1024  # characters of what a browser says of a key


class PasskeyChallenge(NamedTuple):
    """Data by which a page asks the browser for a key: options, as JSON, and the signed challenge."""

    options: str
    challenge: str


class RelyingParty(NamedTuple):
    """Where keys are valid: the host without its port, and the address that pages have."""

    id: str
    origin: str


class Passkeys:
    """Offers, keeps and checks passkeys; `keys` sign the challenges.  Every method may raise Busy."""

    def __init__(self, repository: PasskeyRepository, keys: Sequence[str], now: Callable[[], float]):
        self.repository = repository
        self.signer = timed_serializer(keys, "strifebarge:passkey", now)
        self.now = now

    def list_for(self, player: str) -> list[Passkey]:
        """Return the passkeys of a person, the oldest first."""
        return self.repository.passkeys(player)

    def remove(self, player: str, id: str) -> None:
        """Delete a passkey of a person."""
        self.repository.drop_passkey(player, id)

    # -- offering ------------------------------------------------------------------

    def offer_new(self, player: Player, site: RelyingParty) -> PasskeyChallenge:
        """Return what a browser needs to make one more passkey for somebody."""
        import webauthn  # here and not above: it is slow to load, and few pages need it
        from webauthn.helpers import structs

        account = self.repository.account_of(player.id)
        challenge = token_bytes(32)
        options = webauthn.generate_registration_options(
            rp_id=site.id,
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
                for each in self.list_for(player.id)
            ],
        )
        return PasskeyChallenge(webauthn.options_to_json(options), self._signed(challenge, player.public))

    def offer_known(self, site: RelyingParty) -> PasskeyChallenge:
        """Return what a browser needs to sign in with any passkey it has for this site."""
        return self._offer(site, "")

    def offer_proof(self, player: Player, site: RelyingParty) -> PasskeyChallenge:
        """Return what a browser needs to prove with one of their passkeys who somebody is."""
        return self._offer(site, _proof(player), self.list_for(player.id))

    def _offer(self, site: RelyingParty, purpose: str, passkeys: Sequence[Passkey] = ()) -> PasskeyChallenge:
        import webauthn
        from webauthn.helpers import structs

        challenge = token_bytes(32)
        options = webauthn.generate_authentication_options(
            rp_id=site.id,
            challenge=challenge,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
            allow_credentials=[
                structs.PublicKeyCredentialDescriptor(base64_decode(key.id)) for key in passkeys
            ],
        )
        return PasskeyChallenge(webauthn.options_to_json(options), self._signed(challenge, purpose))

    # -- checking ------------------------------------------------------------------

    def add(self, player: Player, site: RelyingParty, challenge: str, credential: str, agent: str) -> None:
        """Keep the public half of a passkey that a browser has just made.

        Raises Refused: WRONG_PASSKEY, TOO_MANY_KEYS, GONE.
        """
        import webauthn
        from webauthn.helpers.exceptions import WebAuthnException

        expected = self._challenge(challenge, player.public)
        try:
            verified = webauthn.verify_registration_response(
                credential=credential[:LARGEST],
                expected_challenge=expected,
                expected_rp_id=site.id,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError) as wrong:
            raise Refused(IdentityRefusal.WRONG_PASSKEY) from wrong
        now, id = self.now(), base64_encode(verified.credential_id).decode()
        taken = {each.name for each in self.list_for(player.id)}
        name = passkey_name(verified.aaguid, agent, taken)
        self.repository.add_passkey(
            Passkey(id, player.id, verified.credential_public_key, verified.sign_count, name, now)
        )

    def verify_challenge(self, site: RelyingParty, challenge: str, credential: str) -> Player:
        """Return whose passkey has signed this challenge.  Raises Refused(WRONG_PASSKEY)."""
        return self._signer_of(site, challenge, credential, "")

    def must_sign(self, player: Player, site: RelyingParty, challenge: str, credential: str) -> None:
        """Require that a passkey of this person has signed the challenge.  Raises Refused(WRONG_PASSKEY)."""
        self._signer_of(site, challenge, credential, _proof(player), player.id)

    def _signer_of(
        self, site: RelyingParty, challenge: str, credential: str, purpose: str, owner: str | None = None
    ) -> Player:
        import webauthn
        from webauthn.helpers import parse_authentication_credential_json
        from webauthn.helpers.exceptions import WebAuthnException

        expected = self._challenge(challenge, purpose)
        try:
            answer = parse_authentication_credential_json(credential[:LARGEST])
            key = self.repository.passkey(base64_encode(answer.raw_id).decode())
            if key is None or (owner is not None and key.player != owner):
                raise Refused(IdentityRefusal.WRONG_PASSKEY)
            used = webauthn.verify_authentication_response(
                credential=answer,
                expected_challenge=expected,
                expected_rp_id=site.id,
                expected_origin=site.origin,
                credential_public_key=key.key,
                credential_current_sign_count=key.uses,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, KeyError, TypeError) as wrong:
            raise Refused(IdentityRefusal.WRONG_PASSKEY) from wrong
        player = self.repository.player(key.player)
        if player is None or not self.repository.used_passkey(
            key.id, key.uses, used.new_sign_count, self.now()
        ):
            raise Refused(IdentityRefusal.WRONG_PASSKEY)
        return player

    # -- challenges ----------------------------------------------------------------

    def _signed(self, challenge: bytes, purpose: str) -> str:
        return str(self.signer.dumps([base64_encode(challenge).decode(), purpose]))

    def _challenge(self, signed: str, purpose: str) -> bytes:
        """Return the challenge of one of our pages: not too old, for this purpose, and used the first time.

        Raises Refused(WRONG_PASSKEY).
        """
        try:
            challenge, meant = self.signer.loads(signed, max_age=int(LASTS.total_seconds()))
            plain = base64_decode(challenge)
        except (BadData, ValueError, TypeError) as wrong:
            raise Refused(IdentityRefusal.WRONG_PASSKEY) from wrong
        now = self.now()
        digest = sha256(b"challenge " + plain).hexdigest()
        if meant != purpose or not self.repository.first_use(digest, now + LASTS.total_seconds(), now):
            raise Refused(IdentityRefusal.WRONG_PASSKEY)
        return plain


def _proof(player: Player) -> str:
    return f"proof of {player.public}"
