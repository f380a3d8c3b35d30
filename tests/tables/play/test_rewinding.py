"""Games that are taken back, again and again: they go on from there, and each position can still be shown."""

from secrets import token_hex

import pytest

from strifebarge.rules import Chance
from strifebarge.rules.schema import usual_seats
from strifebarge.rules.testing import random_choice
from strifebarge.tables.acts import hosting
from strifebarge.tables.library.library import Library
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.status import Status
from strifebarge.tables.play.matches import load_match
from strifebarge.tables.play.retracing import find_divergence
from strifebarge.tables.play.turn import FormToken
from tests.support import forms

TITLES = {title.slug: title for title in Library()}
TIMES = 4


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", TITLES)
def test_a_game_can_be_taken_back_to_any_move_and_every_position_shown(referee, game, seed):
    dice = Chance(f"rewinding {seed}")
    id = opened(referee, game)
    for _ in range(TIMES):
        for _ in range(2 + dice.below(8)):
            move_at_random(referee, id, dice)
        table = referee.store.table(id)
        if table.status is Status.OVER:
            return
        if table.before_last is not None:
            number = dice.below(table.before_last + 1)
            before = position_after(referee, id, number)
            referee.change(id, hosting.rewind_by_host, "root", number)
            table = referee.store.table(id)
            assert table.status is Status.PLAYING
            assert essence(load_match(referee.store, TITLES[game], table).match) == before
        for number in range(table.position.number + 1):
            assert position_after(referee, id, number)
        assert find_divergence(referee.store, table, TITLES[game]).same
        assert table.position.rows == len(referee.store.rows(id, -1))


def opened(referee, game):
    """A table of a game that has begun; its id."""
    host, *others = [Player(f"{token_hex(4)}") for _ in range(usual_seats(TITLES[game].rules))]
    id = forms.start(referee, host, game, FormToken(token_hex(16)), seats=1 + len(others)).id
    for other in others:
        forms.join(referee, other, id, "", FormToken(token_hex(16)))
    return id


def move_at_random(referee, id, dice):
    table = referee.store.table(id)
    if table.status is Status.OVER:
        return
    seat = dice.choice(table.position.waiting)
    match = load_match(referee.store, TITLES[table.game], table).match
    action = random_choice(match, seat, dice)
    player = next(chair.player for chair in table.chairs if chair.seat == seat)
    forms.move(referee, player, id, lambda *_: action, FormToken(token_hex(16)))


def position_after(referee, id, number):
    """The position after a move, as the pages of the history show it.  Raises Refused if they cannot."""
    return essence(referee.views.replayed(referee.store.table(id), number).match)


def essence(match):
    """All that a position is, but for the numbers of its questions, which go on."""
    return match.fingerprint()
