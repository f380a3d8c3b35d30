"""Tokens of programs, on both databases."""

from collections.abc import Iterator

import pytest

from strifebarge.people.models import MOST_TOKENS, IdentityRefusal, Scope, Token
from strifebarge.rules import Refused
from strifebarge.store.db.engine import engine_for
from strifebarge.store.store import Store
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import TableRefusal


@pytest.fixture
def store(ready_url: str) -> Iterator[Store]:
    engine = engine_for(ready_url, 8)
    yield Store(engine)
    engine.dispose()


def test_tokens_are_kept_found_noted_and_ended(store: Store) -> None:
    ann, ben = Player("a" * 32, "Ann"), Player("b" * 32, "Ben")
    for each in (ann, ben):
        store.accounts.save_player(each)
    tokens = [
        Token(f"{number:016}", ann.id, f"{number:064}", "Bot", [Scope.READ, Scope.PLAY], number, number)
        for number in range(MOST_TOKENS + 1)
    ]
    for each in tokens[:-1]:
        store.tokens.add_token(each, f"form of {each.id}", 9.0)
    with pytest.raises(Refused) as refused:
        store.tokens.add_token(tokens[-1], "another form", 9.0)
    assert refused.value.why is IdentityRefusal.TOO_MANY_TOKENS
    assert store.tokens.tokens(ann.id) == tokens[:-1]
    assert store.tokens.token(tokens[0].hash) == (tokens[0], ann)
    store.tokens.token_used(tokens[0].id, 99.0)
    token = store.tokens.token(tokens[0].hash)
    assert token is not None
    assert token[0].last_used == 99.0
    store.tokens.end_tokens(ben.id)
    store.tokens.end_tokens(ben.id, only=tokens[0].id)
    assert len(store.tokens.tokens(ann.id)) == MOST_TOKENS
    store.tokens.end_tokens(ann.id, only=tokens[0].id)
    assert store.tokens.token(tokens[0].hash) is None
    with pytest.raises(Refused) as refused:
        store.tokens.add_token(tokens[0], f"form of {tokens[0].id}", 9.0)
    assert refused.value.why is TableRefusal.KEY_REUSED
    assert store.accounts.retire(ann.id, None)
    assert store.tokens.token(tokens[1].hash) is None
    assert store.tokens.tokens(ann.id) == []
