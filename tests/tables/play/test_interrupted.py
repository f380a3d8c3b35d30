"""A transaction that the database ends is begun again, and what its form wants is done once."""

from contextlib import contextmanager
from random import Random

import pytest

from strifebarge.lib.busy import Interrupted
from strifebarge.store.change import SqlDraft
from strifebarge.tables.play.referee import TIMES
from tests.support import forms
from tests.tables.play.test_referee import choose, seated


@pytest.fixture
def interrupted(monkeypatch):
    """Let the next transactions that write a table be ended: before they are kept, or after."""
    written = SqlDraft.locked
    left: list[bool] = []

    @contextmanager
    def locked(draft):
        if left and not left[0]:
            left.pop(0)
            raise Interrupted("it waited for another, and that for it")
        with written(draft) as change:
            yield change
        if left:
            left.pop(0)
            raise Interrupted("the connection was lost")

    monkeypatch.setattr(SqlDraft, "locked", locked)
    return left.extend


@pytest.mark.parametrize("committed", [[False], [False, False], [True], [False, True]])
def test_a_move_is_made_once_whether_its_transaction_was_kept_or_not(store, referee, interrupted, committed):
    id, players = seated(referee, "strifebarge")
    mover = players[store.tables.table(id).position.waiting[0]]
    action, given = choose(referee, mover, id, Random(6))
    interrupted(committed)
    assert forms.move(referee, mover.id, id, lambda kinds: action, given) == 1
    assert [row.number for row in store.tables.rows(id, 0)] == [1]
    assert forms.move(referee, mover.id, id, lambda kinds: action, given) == 1


def test_after_some_attempts_the_form_may_be_sent_again(store, referee, interrupted):
    id, players = seated(referee, "strifebarge")
    mover = players[store.tables.table(id).position.waiting[0]]
    action, given = choose(referee, mover, id, Random(6))
    interrupted([False] * TIMES)
    with pytest.raises(Interrupted):
        forms.move(referee, mover.id, id, lambda kinds: action, given)
    assert not store.tables.rows(id, 0)
    assert forms.move(referee, mover.id, id, lambda kinds: action, given) == 1


def test_what_needs_no_form_is_not_begun_again(store, referee, interrupted):
    id, _ = seated(referee, "strifebarge")
    before = store.tables.table(id).revision
    interrupted([False])
    with pytest.raises(Interrupted):
        referee.change(id, lambda turn: turn.conclude())
    assert store.tables.table(id).revision == before
