"""What it costs to look back: any position is laid out from the snapshot before it and the moves since."""

from functools import partial
from itertools import cycle

import pytest
from sqlalchemy import event

from games.strifebarge.rules import side, squares
from strifebarge.rules.course import Course
from strifebarge.rules.notation import read
from strifebarge.store.engine import engine_for
from strifebarge.store.ledger import APART
from strifebarge.store.store import SqlStore
from strifebarge.table.referee import Referee
from tests.store.conftest import slip
from tests.store.scenes import tried

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
    """A game of so many moves; its table and who sits there."""
    people = [referee.newcomer() for _ in range(seats)]
    id = referee.start(people[0], game, slip(), seats=seats, options=options).id
    for person in people[1:]:
        referee.join(person, id, "", slip())
    seat, left = cycle(range(seats)), moves()
    while referee.store.table(id).number < number:
        mover = people[next(seat)].id
        while no := tried(referee.move, mover, id, partial(read, left.pop(0)), slip()):
            assert no == "strifebarge.own_ship"
    return id, people


@pytest.mark.parametrize(("game", "seats", "options", "moves", "number"), LONG)
def test_any_position_of_a_long_game_is_shown_from_a_snapshot_and_a_few_moves(
    engine, library, monkeypatch, game, seats, options, moves, number
):
    referee = Referee(SqlStore(engine), library)
    id, people = played(referee, game, seats, options, moves, number)
    replayed, said, take = [], [], Course._take
    monkeypatch.setattr(Course, "_take", lambda *given: replayed.append(given[1]) or take(*given))
    event.listen(engine, "before_cursor_execute", lambda *given: said.append(given[2]))
    most = 0
    for position in range(number + 1):
        replayed.clear()
        said.clear()
        assert referee.show_at(people[0].id, id, position).number == position
        assert len(said) == STATEMENTS
        most = max(most, len(replayed))
    assert APART // 2 < most < APART + seats  # a snapshot is kept where a stage begins
    replayed.clear()
    another = Referee(referee.store, library)  # as another process, which has not seen it
    assert another.show(people[0].id, id).number == number
    assert len(replayed) <= seats
