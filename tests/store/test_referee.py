"""The referee on a real database: whole games, taken up again and again from what was kept."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from secrets import token_hex

import pytest

from strifebarge.rules import Refused
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.match import Match, Move
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type
from strifebarge.table.ports import Player
from strifebarge.table.referee import Referee, Slip
from strifebarge.table.table import No, Status
from tests.store.conftest import dump, slip


def seated(referee, game):
    """A table for two that has begun; and both."""
    ann, bob = referee.newcomer(), referee.newcomer()
    table = referee.start(ann, game, slip(), seats=2)
    referee.join(bob, table.id, "Bob", slip())
    return table.id, [ann, bob]


def choose(referee, player, id, random):
    """One move at random, as `(action, slip)`; both as a form would have them."""
    view = referee.show(player.id, id)
    action = random.choice([offer.action for offer in view.offers if offer.refused is None])
    return action, slip(asked=view.asked)


def play(referee, id, player, random):
    action, given = choose(referee, player, id, random)
    return referee.move(player.id, id, lambda kinds: action, given)


def play_out(store, library, game, seed):
    """A game to its end; every 7th move is another process's, which knows nothing but the store."""
    random, made, referee = Random(seed), 0, Referee(store, library)
    id, players = seated(referee, game)
    while (table := store.table(id)).status is not Status.OVER:
        if made % 7 == 0:
            referee = Referee(store, library)
        play(referee, id, players[random.choice(table.waiting)], random)
        made += 1
        assert made < 2000
    return Referee(store, library), id, players


@pytest.mark.parametrize("game", ["strifebarge", "eights", "rps"])
def test_a_game_is_played_to_its_end(engine, store, library, game):
    referee, id, (ann, bob) = play_out(store, library, game, seed=1)
    table = store.table(id)
    assert table.result is not None
    assert table.ended
    assert not table.waiting
    assert store.waiting_for(ann.id) == store.waiting_for(bob.id) == 0
    assert [each.id for each in store.tables_of(bob.id)] == [id]
    for viewer in (ann.id, bob.id, None):
        view = referee.show(viewer, id)
        assert (view.result, view.number) == (table.result, table.number)
        assert view.game is not None
        numbers = {0, 1, table.number // 2, table.number}
        assert {referee.show_at(viewer, id, number).number for number in numbers} == numbers
        assert len(referee.log(viewer, id).lines) >= len(view.lines) > 0
    assert [row.number for row in store.rows(id, -1)] == list(range(table.number + 1))


def test_every_position_is_found_again_as_it_was(store, library):
    """The snapshot before it and the moves since lead to the fingerprint that was taken at the time."""
    _, id, _ = play_out(store, library, "strifebarge", seed=2)
    rules, rows = library["strifebarge"].rules, store.rows(id, -1)
    kinds, used = (*actions(rules), *FRAMEWORK), set()
    for row in rows:
        snapshot = store.snapshot(id, row.number)
        since = store.rows(id, snapshot.number, row.number)
        moves = [Move(each.number, each.seat, from_json(each.action, kinds), each.final) for each in since]
        assert Match(rules, snapshot, moves).fingerprint() == row.fingerprint
        used.add(snapshot.number)
    assert 1 < len(used) <= len(rows) / 20 + 2


def test_the_same_move_again_gets_the_same_answer_and_leaves_nothing(engine, store, library, referee):
    id, players = seated(referee, "strifebarge")
    random = Random(3)
    mover = players[store.table(id).waiting[0]]
    action, given = choose(referee, mover, id, random)
    number = referee.move(mover.id, id, lambda kinds: action, given)
    before = dump(engine)
    for again in (referee, Referee(store, library)):
        assert again.move(mover.id, id, lambda kinds: action, given) == number
    assert dump(engine) == before


def test_the_same_move_many_times_at_once_is_made_once(store, library, referee):
    id, players = seated(referee, "strifebarge")
    mover = players[store.table(id).waiting[0]]
    action, given = choose(referee, mover, id, Random(6))
    others = [Referee(store, library) for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        posts = [threads.submit(each.move, mover.id, id, lambda kinds: action, given) for each in others]
        assert {post.result() for post in posts} == {1}
    assert [row.number for row in store.rows(id, 0)] == [1]


def test_what_is_refused_leaves_no_trace(engine, store, library, referee):
    id, players = seated(referee, "strifebarge")
    stranger = Player(token_hex(16))
    mover = store.table(id).waiting[0]
    other = players[1 - mover]
    action, given = choose(referee, players[mover], id, Random(4))
    before = dump(engine)
    refusals = [
        (No.NOT_SEATED, lambda: referee.move(stranger.id, id, lambda kinds: action, slip())),
        (No.NO_KEY, lambda: referee.move(players[mover].id, id, lambda kinds: action, Slip("short"))),
        (No.FULL, lambda: referee.join(stranger, id, "Eve", slip())),
        (No.NOT_OVER, lambda: referee.rematch(other.id, id, slip())),
        (None, lambda: referee.move(other.id, id, lambda kinds: action, slip())),
        (None, lambda: referee.move(players[mover].id, id, lambda kinds: action, slip(asked=-5))),
    ]
    for why, attempt in refusals:
        with pytest.raises(Refused) as no:
            attempt()
        assert why in (no.value.why, None)
        assert dump(engine) == before
    assert referee.move(players[mover].id, id, lambda kinds: action, given) == 1


def test_options_may_refuse_so_many_seats_when_a_table_is_opened_and_when_it_begins(
    engine, referee, library, monkeypatch
):
    def three_at_least(options, seats):
        return No.FULL if seats < 3 else None

    monkeypatch.setattr(options_type(library["eights"].rules), "refuse_seats", three_at_least)
    ann, bob = referee.newcomer(), referee.newcomer()
    with pytest.raises(Refused) as no:
        referee.start(ann, "eights", slip(), seats=2)
    assert no.value.why is No.FULL
    table = referee.start(ann, "eights", slip(), seats=3)
    referee.join(bob, table.id, "Bob", slip())
    before = dump(engine)
    with pytest.raises(Refused) as no:
        referee.begin(ann.id, table.id, slip())
    assert no.value.why is No.FULL
    assert dump(engine) == before


def test_there_is_one_rematch_whoever_asks(store, library):
    referee, id, (ann, bob) = play_out(store, library, "rps", seed=5)
    again = {referee.rematch(ann.id, id, slip()), referee.rematch(bob.id, id, slip())}
    assert again == {store.table(id).rematch}
    table = store.table(store.table(id).rematch)
    assert (table.parent, table.status) == (id, Status.PLAYING)
    assert Counter(each.id for each in store.tables_of(ann.id)) == {id: 1, table.id: 1}


def test_a_refused_move_leaves_the_match_laid_out(referee):
    id, [ann, bob] = seated(referee, "strifebarge")
    revision = referee.store.table(id).revision
    before = referee.show(ann.id, id)
    for refused in (before.options[0], "no action at all"):
        with pytest.raises(Refused):
            referee.move(bob.id, id, lambda kinds, refused=refused: refused, slip())
        assert list(referee.shelf.laid) == [(id, revision)]
    with pytest.raises(Refused):
        referee.move(ann.id, id, lambda kinds: kinds[0]("Z99"), slip(asked=before.asked))
    laid = referee.shelf.take(id, revision)
    assert laid.match.fingerprint() == referee.store.rows(id, -1)[-1].fingerprint
    assert laid.match.number == 0
    assert not laid.match.pending


def test_a_key_used_elsewhere_takes_the_match_that_went_on_from_the_shelf(referee, monkeypatch):
    id, [ann, _] = seated(referee, "strifebarge")
    shot = next(offer.action for offer in referee.show(ann.id, id).offers if not offer.refused)
    with monkeypatch.context() as patch:
        patch.setattr("strifebarge.store.ledger.add_receipt", lambda *_: False)
        with pytest.raises(Refused):
            referee.move(ann.id, id, lambda kinds: shot, slip())
    assert not referee.shelf.laid
    assert referee.move(ann.id, id, lambda kinds: shot, slip()) == 1
