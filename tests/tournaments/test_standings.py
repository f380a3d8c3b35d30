"""How a tournament stands: points, tie-breaks and places, by examples that can be checked by hand."""

import pytest

from strifebarge.tournaments.cross_table import cross_table
from strifebarge.tournaments.models import Format, GameOutcome, TournamentGame, TournamentSettings
from strifebarge.tournaments.standings import TIE_BREAKS, points, standings
from tests.tournaments.playing import play, tournament

WON, LOST, DRAWN = [1, 2], [2, 1], [1, 1]


def played(format, count, *results, **fields):
    """A tournament in which these have played: (round, first, second, places)."""
    cup = tournament(format, count, **fields)
    for number, (round_, one, other, places) in enumerate(results, 1):
        game = TournamentGame(round=round_, board=number, entrants=[one, other], table=f"table {number}")
        game.outcome, game.places = GameOutcome.PLAYED, places
        cup.games.append(game)
        cup.round = round_
    return cup


def table_of(cup):
    return [(line.entrant.number, line.place, line.points, line.ties) for line in standings(cup)]


@pytest.mark.parametrize(
    ("places", "halves"),
    [
        ([1, 2], [2, 0]),
        ([1, 1], [1, 1]),
        ([2, 3, 1], [2, 0, 4]),
        ([1, 1, 3], [3, 3, 0]),
        ([1, 1, 1, 1], [3, 3, 3, 3]),
        ([4, 1, 2, 3], [0, 6, 4, 2]),
    ],
)
def test_each_opponent_behind_is_a_point_and_each_who_shares_a_place_half_of_one(places, halves):
    entrants = [*range(1, len(places) + 1)]
    game = TournamentGame(round=1, board=1, entrants=entrants, outcome=GameOutcome.PLAYED, places=places)
    assert game.scores() == dict(zip(entrants, halves, strict=True))


def test_a_bye_is_a_win_or_the_middle_place_and_no_result_is_nothing():
    assert TournamentGame(round=1, board=1, entrants=[7], outcome=GameOutcome.BYE).scores() == {7: 2}
    assert TournamentGame(round=1, board=1, entrants=[7], outcome=GameOutcome.BYE, bye=3).scores() == {7: 3}
    assert TournamentGame(round=1, board=1, entrants=[7, 8], outcome=GameOutcome.VOID).scores() == {
        7: 0,
        8: 0,
    }
    assert TournamentGame(round=1, board=1, entrants=[7, 8], outcome=GameOutcome.WALKOVER).scores() == {
        7: 2,
        8: 0,
    }


def test_who_cannot_be_told_apart_shares_a_place():
    cup = played(
        Format.ROUND_ROBIN,
        4,
        *((1, 1, 2, WON), (1, 3, 4, WON), (2, 2, 3, WON), (2, 1, 4, WON), (3, 3, 1, WON), (3, 2, 4, WON)),
    )
    assert sorted(table_of(cup)) == [
        (1, 1, 4, (8, 4 - 2, 2)),
        (2, 1, 4, (8, 2, 2)),
        (3, 1, 4, (8, 2, 2)),
        (4, 4, 0, (0, 0, 0)),
    ]


def test_sonneborn_berger_prefers_who_has_beaten_the_better_ones():
    cup = played(
        Format.ROUND_ROBIN,
        4,
        *((1, 1, 2, WON), (1, 3, 4, DRAWN), (2, 2, 3, WON), (2, 1, 4, LOST), (3, 1, 3, LOST), (3, 2, 4, WON)),
    )
    lines = {number: (place, halves, ties) for number, place, halves, ties in table_of(cup)}
    assert {number: each[1] for number, each in lines.items()} == {1: 2, 2: 4, 3: 3, 4: 3}
    # 3 has beaten 1 (2) and drawn with 4 (3); 4 has beaten 1 (2) and drawn with 3 (3).
    assert lines[3][2][0] == lines[4][2][0] == 2 * 2 + 3
    assert lines[2][0] == 1
    assert lines[1][0] == 4


def test_buchholz_prefers_who_has_had_the_better_opponents():
    cup = played(
        Format.SWISS,
        4,
        *((1, 1, 2, WON), (1, 3, 4, WON), (2, 1, 3, WON), (2, 2, 4, WON)),
        rounds=2,
    )
    assert sorted(each[:3] for each in table_of(cup)) == [(1, 1, 4), (2, 2, 2), (3, 2, 2), (4, 4, 0)]
    ties = {number: ties for number, _, _, ties in table_of(cup)}
    assert ties[1][0] == 2 + 2
    assert ties[2][0] == ties[3][0] == 4 + 0


def test_a_round_without_an_opponent_counts_for_ties_like_one_against_equal_points():
    made = played(Format.SWISS, 5, (1, 1, 2, WON), (1, 3, 4, WON), (2, 1, 3, WON), (2, 2, 5, LOST), rounds=2)
    made.games += [
        TournamentGame(round=1, board=3, entrants=[5], outcome=GameOutcome.BYE),
        TournamentGame(round=2, board=3, entrants=[4], outcome=GameOutcome.BYE),
    ]
    ties = {number: (halves, *ties[:2]) for number, _, halves, ties in table_of(made)}
    assert ties[5] == (4, 4 + 0, 2 * 4 + 2 * 0)  # a bye, and a win over 2, who has no points
    assert ties[4] == (2, 2 + 2, 2 * 2)  # lost to 3, and a bye
    assert ties[3] == (2, 2 + 4, 2 * 2)  # beat 4, and lost to 1


def test_a_walkover_counts_for_ties_like_a_win_over_equal_points():
    made = played(Format.SWISS, 4, (1, 1, 2, WON), (1, 3, 4, WON), (2, 1, 3, WON), rounds=2)
    made.games.append(TournamentGame(round=2, board=2, entrants=[2, 4], outcome=GameOutcome.WALKOVER))
    ties = {number: (halves, *ties[:2]) for number, _, halves, ties in table_of(made)}
    assert ties[2] == (2, 4 + 2, 2 * 2)  # lost to 1, and a walkover
    assert ties[4] == (0, 2 + 0, 0)  # lost to 3, and was not there


def test_who_joins_late_or_leaves_early_loses_no_tie_by_the_rounds_they_missed():
    made = played(Format.SWISS, 3, (1, 1, 2, WON), (2, 1, 3, LOST), rounds=2)
    ties = {number: (halves, ties[0]) for number, _, halves, ties in table_of(made)}
    assert ties == {1: (2, 0 + 2), 2: (0, 2 + 0), 3: (2, 2 + 2)}


def test_in_a_knock_out_each_round_won_is_a_point():
    made = tournament(Format.KNOCK_OUT, 5)
    assert [line.points for line in standings(made)] == [0] * 5
    play(made)
    winner, *others = standings(made)
    assert (winner.entrant.number, winner.points) == (1, 3 * 2)
    assert [line.points for line in others] == [2 * 2, 2, 2, 0]


def test_a_direct_encounter_counts_where_all_of_the_tied_have_met():
    cup = played(Format.SWISS, 3, (1, 1, 2, LOST), (2, 1, 3, DRAWN), rounds=2)
    direct, scores = TIE_BREAKS["direct"], points(cup)
    assert direct(cup.games, scores, {1, 2}) == {1: 0, 2: 2}
    assert direct(cup.games, scores, {1, 3}) == {1: 1, 3: 1}
    assert direct(cup.games, scores, {1, 2, 3}) == {1: 0, 2: 0, 3: 0}


def test_a_bye_at_tables_of_several_is_the_middle_place():
    cup = tournament(Format.TABLES, 4, rounds=1, settings=TournamentSettings(seats=3, sizes=[3]))
    cup.games = [
        TournamentGame(
            round=1, board=1, entrants=[1, 2, 3], table="t", outcome=GameOutcome.PLAYED, places=[1, 2, 3]
        ),
        TournamentGame(round=1, board=2, entrants=[4], outcome=GameOutcome.BYE, bye=2),
    ]
    assert points(cup) == {1: 4, 2: 2, 3: 0, 4: 2}
    lines = standings(cup)
    assert (lines[0].entrant.number, lines[0].place) == (1, 1)
    assert lines[-1].entrant.number == 3


def test_the_cross_table_shows_each_game_from_both_sides():
    cup = played(Format.ROUND_ROBIN, 3, (1, 1, 2, WON), (2, 1, 3, DRAWN))
    lines = standings(cup)
    order = [line.entrant.number for line in lines]
    rows = cross_table(cup, lines)
    cells = {(mine, other): rows[at][to] for at, mine in enumerate(order) for to, other in enumerate(order)}
    assert cells[1, 2].points == (2,)
    assert cells[2, 1].points == (0,)
    assert cells[1, 3].points == cells[3, 1].points == (1,)
    assert cells[2, 3].points == ()
    assert all(cells[each, each].oneself for each in order)
    swiss = played(Format.SWISS, 2, (1, 1, 2, WON), rounds=1)
    [[first], [second]] = cross_table(swiss, standings(swiss))
    assert (first.points, first.against) == ((2,), 2)
    assert (second.points, second.against) == ((0,), 1)
