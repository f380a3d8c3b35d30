"""Tournaments of bots, from the first entrant to the final table, by moves that are drawn at random."""

import secrets
from itertools import count
from random import Random

import pytest

from strifebarge.tables.model.status import Status
from strifebarge.tables.play.deadlines import deadlines
from strifebarge.tournaments.models import Format, GameOutcome, TournamentStage
from strifebarge.tournaments.standings import standings
from tests.store.conftest import form_token
from tests.support import forms
from tests.tournaments.test_service import Cup

LONG = 2000  # moves of a game
SEEDS = (16, 32)  # bytes of what is drawn for a tournament and for a game
PACES = [("chess", "days-3"), ("strifebarge", "turn-180")]


def draw_from(monkeypatch, referee, seed):
    """Let all seeds of tournaments and games from now on follow from this one; codes are drawn anew."""
    dice = Random(seed)
    drawn = {size: dice.randbytes for size in SEEDS}
    monkeypatch.setattr(referee, "entropy", lambda size: drawn.get(size, secrets.token_bytes)(size))


def play_at_random(referee, id, dice):
    """Let a table's bots play offers, drawn at random, until its game is over or waits for a person."""
    for _ in range(LONG):
        waiting = [each.player for each in referee.store.waiting_for_bots(1000) if each.table == id]
        if not waiting:
            return
        view = referee.views.show(waiting[0], id)
        action = dice.choice([offer.action for offer in view.offers if offer.refused is None])
        form = form_token(question=view.question_number)
        forms.move(referee, waiting[0], id, lambda kinds, action=action: action, form)
    raise AssertionError("no end in sight")


def let_time_run_out(cup, table, wall):
    """Let days go by at a table whose next player never comes, until its game is over."""
    for _ in count():
        if cup.referee.views.status(table).status is Status.OVER:
            return
        wall.at += 5 * 24 * 3600
        cup.referee.store.wake(wall.at)
        deadlines(cup.referee)(wall.at)


def play_to_the_end(cup, wall, dice):
    """Play all games; where somebody has vanished their time runs out."""
    while cup.now.stage is TournamentStage.RUNNING:
        for each in cup.running():
            play_at_random(cup.referee, each.table, dice)
            let_time_run_out(cup, each.table, wall)
        assert cup.running() == []
        cup.tick()
    return cup.now


def with_bots(cup, *levels):
    for level, number in levels:
        cup.service.add_bots(cup.people[0].id, cup.id, level, number, form_token())
    return cup


def games_of(tournament):
    """All games with their places, without the codes of their tables."""
    return [
        (each.round, each.board, each.attempt, each.entrants, each.outcome, each.places)
        for each in tournament.games
    ]


@pytest.mark.full("thousands of moves")
@pytest.mark.parametrize("format", [Format.ROUND_ROBIN, Format.KNOCK_OUT])
@pytest.mark.parametrize(("game", "pace"), PACES)
def test_eight_bots_play_from_the_first_round_to_the_final_table(tournaments, wall, format, game, pace):
    cup = with_bots(Cup(tournaments, 0, format, game, pace=pace), ("easy", 5), ("medium", 3)).start()
    tournament = play_to_the_end(cup, wall, Random(game))
    lines = standings(tournament)
    assert lines[0].place == 1
    assert len(lines) == 8
    assert all(each.outcome is GameOutcome.PLAYED for each in tournament.games)
    if format is Format.ROUND_ROBIN:
        assert len(tournament.games) == 28
        assert sum(line.points for line in lines) == 2 * 28
    else:
        assert [line.place for line in lines] == [1, 2, 3, 3, 5, 5, 5, 5]


@pytest.mark.full("thousands of moves")
@pytest.mark.parametrize("format", [Format.ROUND_ROBIN, Format.KNOCK_OUT])
@pytest.mark.parametrize(("game", "pace"), PACES)
def test_with_players_who_vanish_it_comes_to_its_end_and_twice_to_the_same_pairings(
    tournaments, wall, monkeypatch, format, game, pace
):
    tournaments_played = [vanishing(tournaments, wall, monkeypatch, format, game, pace, 4) for _ in range(2)]
    assert games_of(tournaments_played[0]) == games_of(tournaments_played[1])
    lines = standings(tournaments_played[0])
    assert lines[0].place == 1
    assert len(lines) == 6
    assert {each.entrant.number for each in lines if each.entrant.withdrawn} == {1}
    later = [each for each in tournaments_played[0].games if each.round > 1 and 1 in each.entrants]
    assert not any(each.outcome is GameOutcome.PLAYED for each in later)
    assert lines[0].entrant.bot


def vanishing(tournaments, wall, monkeypatch, format, game, pace, bots):
    """A tournament of bots and two people: neither ever moves, and the first withdraws in the first round."""
    draw_from(monkeypatch, tournaments.referee, f"{format} {game}")
    cup = with_bots(Cup(tournaments, 2, format, game, pace=pace), *levels_of(bots)).start()
    tournaments.withdraw(cup.people[0].id, cup.id, form_token())
    return play_to_the_end(cup, wall, Random(game))


def levels_of(bots):
    """Levels with how many bots each, eight at most."""
    return [
        (level, min(8, bots - at)) for level, at in (("easy", 0), ("medium", 8), ("hard", 16)) if bots > at
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "pace"), PACES)
def test_a_swiss_of_33_comes_to_its_end_and_twice_to_the_same_pairings(
    tournaments, wall, monkeypatch, game, pace
):
    must_be_a_swiss(tournaments, wall, monkeypatch, game, pace, people=13, bots=20, rounds=6)


@pytest.mark.full("thousands of moves")
def test_a_small_swiss_comes_to_its_end_and_twice_to_the_same_pairings(tournaments, wall, monkeypatch):
    must_be_a_swiss(tournaments, wall, monkeypatch, "strifebarge", "turn-180", people=2, bots=5, rounds=3)


def must_be_a_swiss(tournaments, wall, monkeypatch, game, pace, people, bots, rounds):
    """People who never move, one of whom withdraws, among bots; played twice."""
    finished = []
    for _ in range(2):
        draw_from(monkeypatch, tournaments.referee, game)
        cup = Cup(tournaments, people, Format.SWISS, game, pace=pace, rounds=rounds)
        with_bots(cup, *levels_of(bots)).start()
        tournaments.withdraw(cup.people[0].id, cup.id, form_token())
        finished.append(play_to_the_end(cup, wall, Random(game)))
    assert games_of(finished[0]) == games_of(finished[1])
    lines = standings(finished[0])
    assert len(lines) == people + bots
    assert finished[0].round == rounds
    met = [frozenset(each.entrants) for each in finished[0].games if len(each.entrants) == 2]
    assert len(met) == len(set(met))
    assert lines[0].entrant.bot
