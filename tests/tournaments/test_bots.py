"""Tournaments of bots alone, from the first entrant to the final table, by moves that are drawn at random."""

from random import Random

import pytest

from strifebarge.tournaments.models import Format, Outcome, Stage
from strifebarge.tournaments.standings import standings
from tests.store.conftest import form_token
from tests.support import forms
from tests.tournaments.test_service import Cup

LONG = 2000  # moves of a game


def play_at_random(referee, id, dice):
    """Let a table's bots play offers, drawn at random, until its game is over."""
    for _ in range(LONG):
        waiting = [each.player for each in referee.store.waiting_for_bots(1000) if each.table == id]
        if not waiting:
            return
        view = referee.views.show(waiting[0], id)
        action = dice.choice([offer.action for offer in view.offers if offer.refused is None])
        form = form_token(asked=view.asked)
        forms.move(referee, waiting[0], id, lambda kinds, action=action: action, form)
    raise AssertionError("no end in sight")


@pytest.mark.full("thousands of moves")
@pytest.mark.parametrize("format", [Format.ROUND_ROBIN, Format.KNOCK_OUT])
@pytest.mark.parametrize(("game", "pace"), [("chess", "days-3"), ("strifebarge", "turn-180")])
def test_eight_bots_play_from_the_first_round_to_the_final_table(tournaments, format, game, pace):
    cup, dice = Cup(tournaments, 0, format, game, pace=pace), Random(game)
    for level, count in (("easy", 5), ("medium", 3)):
        tournaments.add_bots(cup.people[0].id, cup.id, level, count, form_token())
    cup.start()
    while cup.now.stage is Stage.RUNNING:
        for each in cup.running():
            play_at_random(cup.referee, each.table, dice)
        assert cup.running() == []
        cup.tick()
    made = cup.now
    lines = standings(made)
    assert lines[0].place == 1
    assert len(lines) == 8
    assert all(each.outcome is Outcome.PLAYED for each in made.games)
    if format is Format.ROUND_ROBIN:
        assert len(made.games) == 28
        assert sum(line.points for line in lines) == 2 * 28
    else:
        assert [line.place for line in lines] == [1, 2, 3, 3, 5, 5, 5, 5]
