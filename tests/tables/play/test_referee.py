"""The referee on a real database: whole games, taken up again and again from what was kept."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from secrets import token_hex

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.ledger import Move
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.matches import cache_key
from strifebarge.tables.play.turn import FormToken
from tests.store.conftest import dump, form_token
from tests.support import forms


def seated(referee, game):
    """A table for two that has begun; and both."""
    ann, bob = forms.newcomer(referee), forms.newcomer(referee)
    table = forms.start(referee, ann, game, form_token(), seats=2)
    forms.join(referee, bob, table.id, "Bob", form_token())
    return table.id, [ann, bob]


def choose(referee, player, id, random):
    """One move at random, as `(action, slip)`; both as a form would have them."""
    view = referee.views.show(player.id, id)
    action = random.choice([offer.action for offer in view.offers if offer.refused is None])
    return action, form_token(question=view.question_number)


def play(referee, id, player, random):
    action, given = choose(referee, player, id, random)
    return forms.move(referee, player.id, id, lambda kinds: action, given)


def play_out(store, library, game, seed):
    """A game to its end; every 7th move is another process's, which knows nothing but the store."""
    random, moves, referee = Random(seed), 0, forms.a_referee(store, library)
    id, players = seated(referee, game)
    while (table := store.tables.table(id)).status is not Status.OVER:
        if moves % 7 == 0:
            referee = forms.a_referee(store, library)
        play(referee, id, players[random.choice(table.position.waiting)], random)
        moves += 1
        assert moves < 2000
    return forms.a_referee(store, library), id, players


@pytest.mark.parametrize("game", ["strifebarge", "eights", "rps"])
def test_a_game_is_played_to_its_end(engine, store, library, game):
    referee, id, (ann, bob) = play_out(store, library, game, seed=1)
    table = store.tables.table(id)
    assert table.ending.result is not None
    assert table.times.ended
    assert not table.position.waiting
    assert store.tables.waiting_for(ann.id) == store.tables.waiting_for(bob.id) == 0
    assert [each.id for each in store.tables.tables_of(bob.id)] == [id]
    for viewer in (ann.id, bob.id, None):
        view = referee.views.show(viewer, id)
        assert (view.result, view.number) == (table.ending.result, table.position.number)
        assert view.position.game is not None
        numbers = {0, 1, table.position.number // 2, table.position.number}
        assert {referee.views.show_at(viewer, id, number).number for number in numbers} == numbers
        assert len(referee.views.log(viewer, id).lines) >= len(view.lines) > 0
    assert [row.number for row in store.tables.rows(id, -1)] == list(range(table.position.number + 1))


def test_every_position_is_found_again_as_it_was(store, library):
    """The snapshot before it and the moves since lead to the fingerprint that was taken at the time."""
    _, id, _ = play_out(store, library, "strifebarge", seed=2)
    rules, rows = library["strifebarge"].rules, store.tables.rows(id, -1)
    kinds, used = (*actions(rules), *FRAMEWORK), set()
    for row in rows:
        snapshot = store.tables.snapshot(id, row.number)
        since = store.tables.rows(id, snapshot.number, row.number)
        moves = [
            Move(each.number, each.seat, from_json(each.action, kinds), each.final, each.step)
            for each in since
        ]
        assert Match(rules, snapshot, moves).fingerprint() == row.fingerprint
        used.add(snapshot.number)
    assert 1 < len(used) <= len(rows) / 20 + 2


def test_the_same_move_again_gets_the_same_answer_and_leaves_nothing(engine, store, library, referee):
    id, players = seated(referee, "strifebarge")
    random = Random(3)
    mover = players[store.tables.table(id).position.waiting[0]]
    action, given = choose(referee, mover, id, random)
    number = forms.move(referee, mover.id, id, lambda kinds: action, given)
    before = dump(engine)
    for again in (referee, forms.a_referee(store, library)):
        assert forms.move(again, mover.id, id, lambda kinds: action, given) == number
    assert dump(engine) == before


def test_the_same_move_many_times_at_once_is_made_once(store, library, referee):
    id, players = seated(referee, "strifebarge")
    mover = players[store.tables.table(id).position.waiting[0]]
    action, given = choose(referee, mover, id, Random(6))
    others = [forms.a_referee(store, library) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        posts = [
            threads.submit(forms.move, each, mover.id, id, lambda kinds: action, given) for each in others
        ]
        assert {post.result() for post in posts} == {1}
    assert [row.number for row in store.tables.rows(id, 0)] == [1]


def test_what_is_refused_leaves_no_trace(engine, store, library, referee):
    id, players = seated(referee, "strifebarge")
    stranger = Player(token_hex(16))
    mover = store.tables.table(id).position.waiting[0]
    other = players[1 - mover]
    action, given = choose(referee, players[mover], id, Random(4))
    before = dump(engine)
    refusals = [
        (
            TableRefusal.NOT_SEATED,
            lambda: forms.move(referee, stranger.id, id, lambda kinds: action, form_token()),
        ),
        (
            TableRefusal.NO_KEY,
            lambda: forms.move(referee, players[mover].id, id, lambda kinds: action, FormToken("short")),
        ),
        (TableRefusal.FULL, lambda: forms.join(referee, stranger, id, "Eve", form_token())),
        (TableRefusal.NOT_OVER, lambda: forms.rematch(referee, other.id, id, form_token())),
        (None, lambda: forms.move(referee, other.id, id, lambda kinds: action, form_token())),
        (
            None,
            lambda: forms.move(referee, players[mover].id, id, lambda kinds: action, form_token(question=-5)),
        ),
    ]
    for why, attempt in refusals:
        with pytest.raises(Refused) as no:
            attempt()
        assert why in (no.value.why, None)
        assert dump(engine) == before
    assert forms.move(referee, players[mover].id, id, lambda kinds: action, given) == 1


def test_options_may_refuse_so_many_seats_when_a_table_is_opened_and_when_it_begins(
    engine, referee, library, monkeypatch
):
    def three_at_least(options, seats):
        return TableRefusal.FULL if seats < 3 else None

    monkeypatch.setattr(options_type(library["eights"].rules), "refuse_seats", three_at_least)
    ann, bob = forms.newcomer(referee), forms.newcomer(referee)
    with pytest.raises(Refused) as no:
        forms.start(referee, ann, "eights", form_token(), seats=2)
    assert no.value.why is TableRefusal.FULL
    table = forms.start(referee, ann, "eights", form_token(), seats=3)
    forms.join(referee, bob, table.id, "Bob", form_token())
    before = dump(engine)
    with pytest.raises(Refused) as no:
        forms.begin(referee, ann.id, table.id, form_token())
    assert no.value.why is TableRefusal.FULL
    assert dump(engine) == before


def test_there_is_one_rematch_whoever_asks(store, library):
    referee, id, (ann, bob) = play_out(store, library, "rps", seed=5)
    again = {
        forms.rematch(referee, ann.id, id, form_token()),
        forms.rematch(referee, bob.id, id, form_token()),
    }
    assert again == {store.tables.table(id).series.rematch}
    table = store.tables.table(store.tables.table(id).series.rematch)
    assert (table.series.parent, table.status) == (id, Status.PLAYING)
    assert Counter(each.id for each in store.tables.tables_of(ann.id)) == {id: 1, table.id: 1}


def test_a_refused_move_leaves_the_match_laid_out(referee):
    id, [ann, bob] = seated(referee, "strifebarge")
    standing = cache_key(referee.store.table(id))
    before = referee.views.show(ann.id, id)
    for refused in (before.turn.options[0], "no action at all"):
        with pytest.raises(Refused):
            forms.move(referee, bob.id, id, lambda kinds, refused=refused: refused, form_token())
        assert list(referee.matches.matches.entries) == [id]
    with pytest.raises(Refused):
        forms.move(
            referee, ann.id, id, lambda kinds: kinds[0]("Z99"), form_token(question=before.question_number)
        )
    laid = referee.matches.take(id, standing)
    assert laid.match.fingerprint() == referee.store.rows(id, -1)[-1].fingerprint
    assert laid.match.number == 0
    assert not laid.match.pending


def test_a_key_used_elsewhere_takes_the_match_that_went_on_from_the_shelf(referee, monkeypatch):
    id, [ann, _] = seated(referee, "strifebarge")
    shot = next(offer.action for offer in referee.views.show(ann.id, id).offers if not offer.refused)
    with monkeypatch.context() as patch:
        patch.setattr("strifebarge.store.ledger.add_receipt", lambda *_: False)
        with pytest.raises(Refused):
            forms.move(referee, ann.id, id, lambda kinds: shot, form_token())
    assert not referee.matches.matches.entries
    assert forms.move(referee, ann.id, id, lambda kinds: shot, form_token()) == 1
