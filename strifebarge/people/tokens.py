"""Tokens, by which programs act for a person: made, recognized and revoked."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha256

from strifebarge.lib.busy import Busy
from strifebarge.lib.joiners import is_printable
from strifebarge.people.models import LONGEST_TOKEN_NAME, IdentityRefusal, Scope, Token
from strifebarge.people.ports import TokenRepository
from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import TableRefusal

PREFIX = "sbt_"  # so that a token is recognized where it has leaked
FORM_KEPT = 30 * DAY  # seconds for which the form that made a token cannot make it again


class Tokens:
    """Makes and ends tokens.  Every method may raise Busy."""

    def __init__(
        self, repository: TokenRepository, secret_keys: Sequence[str], now: Callable[[], float]
    ) -> None:
        self.repository = repository
        self.secret_keys = secret_keys
        self.now = now
        self.on_revoke: Callable[[str, str], object] | None = (
            None  # called with each token that ends, and its person
        )

    def list_for(self, player: str) -> list[Token]:
        """Return the tokens of a person, the oldest first."""
        return self.repository.tokens(player)

    def make(self, player: str, name: str, scopes: Iterable[str], key: str) -> str:
        """Make a token and return it; it can be read this one time.

        It follows from the `key` of the form, so that the form sent twice makes one token.
        Raises Refused: WRONG_TOKEN_NAME, NO_SCOPE, TOO_MANY_TOKENS, GONE; KEY_REUSED for the form of a token
        that was revoked since.
        """
        name, valid_scopes = _tidy_name(name), [each for each in Scope if each in set(scopes)]
        if not valid_scopes:
            raise Refused(IdentityRefusal.NO_SCOPE)
        secret = hmac.digest(self.secret_keys[-1].encode(), f"token {player} {key}".encode(), "sha256")
        token = PREFIX + urlsafe_b64encode(secret).decode().rstrip("=")
        now, hashed = self.now(), hash_of(token)
        if self.repository.token(hashed):
            return token
        form = sha256(f"token form {key}".encode()).hexdigest()
        new = Token(hashed[:16], player, hashed, name, valid_scopes, now)
        try:
            self.repository.add_token(new, form, now + FORM_KEPT)
        except Refused as no:  # the same form at the same moment has made it
            if no.why is not TableRefusal.KEY_REUSED or not self.repository.token(hashed):
                raise
        return token

    def look_up(self, token: str, note: bool = True) -> tuple[Token, Player] | None:
        """Return what is kept of a token, and its person; None for anything that is no token.

        `note`: on which day it was last used is written down, unless the database is busy.
        """
        if not token.startswith(PREFIX) or not token.isascii():
            return None
        token_and_owner = self.repository.token(hash_of(token))
        if note and token_and_owner and self.now() // DAY > token_and_owner[0].last_used // DAY:
            with suppress(Busy):  # the next call notes it
                self.repository.token_used(token_and_owner[0].id, self.now())
        return token_and_owner

    def revoke(self, player: str, id: str) -> None:
        """End a token of a person; one that has ended already stays so."""
        self.repository.end_tokens(player, only=id)
        self._tell(player, [id])

    def revoke_all(self, player: str) -> None:
        """End every token of a person."""
        ended = [each.id for each in self.list_for(player)] if self.on_revoke else []
        self.repository.end_tokens(player)
        self._tell(player, ended)

    def _tell(self, player: str, ended: list[str]) -> None:
        for id in ended:
            if self.on_revoke is not None:
                self.on_revoke(player, id)


def hash_of(token: str) -> str:
    """Return what is kept of a token: 256 random bits need no slow hash."""
    return sha256(token.encode()).hexdigest()


def _tidy_name(raw: str) -> str:
    name = " ".join(raw.replace("\0", "").split())
    if not 1 <= len(name) <= LONGEST_TOKEN_NAME or not is_printable(name):
        raise Refused(IdentityRefusal.WRONG_TOKEN_NAME, longest=LONGEST_TOKEN_NAME)
    return name
