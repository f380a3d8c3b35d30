"""The repository of tokens, by which programs act for people."""

from typing import Any

import msgspec
from sqlalchemy import BindParameter, bindparam, delete, insert, select, update

from strifebarge.people.models import MOST_TOKENS, IdentityRefusal, Scope, Token
from strifebarge.rules import Refused
from strifebarge.store.accounts import must_be_here, player_of
from strifebarge.store.accounts_statements import A_PLAYER, FIRST_USE
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF
from strifebarge.store.schema import players, tokens
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import TableRefusal

WHO: BindParameter[str] = bindparam("who")
TOKENS = select(tokens).where(tokens.c.player == WHO).order_by(tokens.c.since, tokens.c.id)
TOKEN = (
    select(*A_PLAYER, tokens)
    .join(players, players.c.id == tokens.c.player)
    .where(tokens.c.hash == OF, players.c.gone == "")
)
ADD_TOKEN = insert(tokens)
USED = update(tokens).where(tokens.c.id == OF).values(last_used=bindparam("at"))
END_TOKEN = delete(tokens).where(tokens.c.player == WHO, tokens.c.id == OF)
END_TOKENS = delete(tokens).where(tokens.c.player == WHO)


class SqlTokens(AutoTransaction):
    """Implements `strifebarge.people.ports.TokenRepository` in an SQL database."""

    def tokens(self, player: str) -> list[Token]:
        """Return the tokens of a person, the oldest first."""
        with self.reading() as connection:
            return [_token_of(row) for row in connection.execute(TOKENS, {"who": player})]

    def token(self, hashed: str) -> tuple[Token, Player] | None:
        """Return the token with this hash, and its person; None if there is none."""
        with self.reading() as connection:
            row = connection.execute(TOKEN, {"of": hashed}).first()
        return (_token_of(row[len(A_PLAYER) :]), player_of(row[: len(A_PLAYER)])) if row else None

    def add_token(self, token: Token, form: str, expires: float) -> None:
        """Keep a token, and until a moment the hash of the form that made it, which makes no other.

        Raises Refused: GONE, TOO_MANY_TOKENS, KEY_REUSED.
        """
        used = {"code_hash": form, "player": "nobody", "expires": expires, "used_by": "once"}
        with self.writing() as connection:
            must_be_here(connection, token.player)
            if connection.execute(FIRST_USE(connection), used).first() is None:
                raise Refused(TableRefusal.KEY_REUSED)
            if len(connection.execute(TOKENS, {"who": token.player}).all()) >= MOST_TOKENS:
                raise Refused(IdentityRefusal.TOO_MANY_TOKENS, most=MOST_TOKENS)
            connection.execute(ADD_TOKEN, {**msgspec.structs.asdict(token), "scopes": " ".join(token.scopes)})

    def token_used(self, id: str, at: float) -> None:
        """Note when a token was last used."""
        with self.writing() as connection:
            connection.execute(USED, {"of": id, "at": at})

    def end_tokens(self, player: str, only: str | None = None) -> None:
        """Delete one token of a person, or all."""
        with self.writing() as connection:
            connection.execute(END_TOKEN if only else END_TOKENS, {"who": player, "of": only})


def _token_of(row: Any) -> Token:
    id, player, hashed, name, scopes, since, last_used = row
    return Token(id, player, hashed, name, [Scope(each) for each in scopes.split()], since, last_used)
