"""What it costs to look back: any position is laid out from the snapshot before it and the moves since."""

from functools import partial
from itertools import cycle

import pytest

from games.strifebarge.rules import side, squares
from strifebarge.rules.notation import read
from strifebarge.rules.replay import Replay
from strifebarge.store.db.engine import engine_for
from strifebarge.store.ledger import APART
from strifebarge.store.store import Store
from tests.store.conftest import form_token
from tests.store.scenes import tried
from tests.support import forms
from tests.support.databases import statements

STATEMENTS = 3  # the table, the snapshot, the moves
KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]


def shots():
    return [f"fire {square}" for square in squares(side("open", 6))]


def to_and_fro():
    """Knights; now and then a pawn, or else it would be a draw."""
    pawns = [f"{file}{row}{file}{row + 1}" for row in (2, 3) for file in "abcdegh"]
    theirs = [f"{file}{row}{file}{row - 1}" for row in (7, 6) for file in "abcdegh"]
    moves = []
    for pair in zip(pawns, theirs, strict=True):
        moves += [*pair, *KNIGHTS * 2]
    return [f"move {each}" for each in moves]


# The game, how many play, its options, its moves, and how many; a stage of these is a round, a turn for each.
LONG = [("strifebarge", 6, {"sea": "open"}, shots, 300), ("chess", 2, {}, to_and_fro, 120)]


@pytest.fixture
def engine(sqlite_ready):
    engine = engine_for(sqlite_ready, 2)
    yield engine
    engine.dispose()


def played(referee, game, seats, options, moves, number):
    """A game of `moves` moves; its table and who sits there."""
    people = [forms.newcomer(referee) for _ in range(seats)]
    id = forms.start(referee, people[0], game, form_token(), seats=seats, options=options).id
    for person in people[1:]:
        forms.join(referee, person, id, "", form_token())
    seat, left = cycle(range(seats)), moves()
    while referee.store.table(id).position.number < number:
        mover = people[next(seat)].id
        while no := tried(forms.move, referee, mover, id, partial(read, left.pop(0)), form_token()):
            assert no == "strifebarge.own_ship"
    return id, people


@pytest.mark.parametrize(("game", "seats", "options", "moves", "number"), LONG)
def test_any_position_of_a_long_game_is_shown_from_a_snapshot_and_a_few_moves(
    engine, library, monkeypatch, game, seats, options, moves, number
):
    referee = forms.a_referee(Store(engine), library)
    id, people = played(referee, game, seats, options, moves, number)
    replayed, statements_run, take = [], statements(engine), Replay.take
    monkeypatch.setattr(Replay, "take", lambda *given: replayed.append(given[1]) or take(*given))
    most = 0
    for position in range(number + 1):
        replayed.clear()
        statements_run.clear()
        assert referee.views.show_at(people[0].id, id, position).number == position
        assert len(statements_run) == STATEMENTS
        most = max(most, len(replayed))
    assert APART // 2 < most < APART + seats  # a snapshot is kept where a stage begins
    replayed.clear()
    another = forms.a_referee(referee.store, library)  # as another process, which has not seen it
    assert another.views.show(people[0].id, id).number == number
    assert len(replayed) <= seats
