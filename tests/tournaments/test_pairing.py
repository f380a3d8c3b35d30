"""The laws of pairing: who plays whom, and who moves first."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from strifebarge.tournaments.models import MOST_ROUNDS, Entrant, Format, GameOutcome, TournamentSettings
from strifebarge.tournaments.pairing import (
    bracket,
    circle,
    draw_numbers,
    first_seat_surplus,
    firsts,
    meetings,
    table_sizes,
)
from strifebarge.tournaments.standings import points, standings
from strifebarge.tournaments.swiss import swiss_pairs
from strifebarge.tournaments.swiss_program import matching
from tests.tournaments.playing import by_chance, pair, play, play_round, tournament

COUNTS = [2, 3, 4, 5, 8, 9, 16]


def outcomes(games):
    return [(game.round, game.board, game.entrants, game.outcome) for game in games]


@pytest.mark.parametrize("format", list(Format))
def test_the_same_seed_pairs_alike_and_another_one_otherwise(format):
    def paired(seed):
        settings = TournamentSettings(seats=3, sizes=[3]) if format is Format.TABLES else TournamentSettings()
        cup = tournament(format, 9, seed, rounds=4, settings=settings)
        return outcomes(play(cup).games)

    assert paired("one") == paired("one")
    assert paired("one") != paired("two")


# -- round robin ---------------------------------------------------------------------


@pytest.mark.parametrize("count", range(2, 13))
def test_in_a_circle_each_two_meet_once_and_the_first_seat_goes_in_turns(count):
    rounds = circle(count)
    pairs = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert pairs == {frozenset(pair): 1 for pair in combinations(range(count), 2)}
    for pairs in rounds:
        names = [each for pair in pairs for each in pair]
        assert len(names) == len(set(names)) >= count - 1
    first = Counter(pair[0] for pairs in rounds for pair in pairs)
    assert all(abs(2 * first[each] - (count - 1)) <= 1 for each in range(count))


@pytest.mark.parametrize("count", COUNTS)
def test_in_a_round_robin_each_two_meet_once(count):
    played = play(tournament(Format.ROUND_ROBIN, count), by_chance(Random(count)))
    assert meetings(played) == {pair: 1 for pair in combinations(range(1, count + 1), 2)}
    assert played.round == (count - 1 if count % 2 == 0 else count)


@pytest.mark.parametrize("count", [4, 5])
def test_latecomers_meet_everybody_once_too(count):
    cup = tournament(Format.ROUND_ROBIN, count)
    play_round(cup)
    cup.entrants += [Entrant(number, f"late {number}", first_round=2) for number in (count + 1, count + 2)]
    draw_numbers(cup)
    play(cup)
    assert meetings(cup) == {pair: 1 for pair in combinations(range(1, count + 3), 2)}


def test_who_has_withdrawn_loses_without_playing_and_two_of_them_do_not_meet():
    cup = tournament(Format.ROUND_ROBIN, 6)
    play_round(cup)
    for number in (5, 6):
        cup.entrant(number).withdrawn = True
    play(cup)
    over = [game for game in cup.games if game.outcome is GameOutcome.WALKOVER]
    assert {game.entrants[1] for game in over} == {5, 6}
    assert all(game.entrants[0] < 5 and game.table is None for game in over)
    assert meetings(cup).keys() >= set(combinations(range(1, 5), 2))


def test_the_games_of_somebody_who_left_before_half_count_for_nobody():
    cup = tournament(Format.ROUND_ROBIN, 6)
    play_round(cup)
    cup.entrant(1).withdrawn = True  # has won once
    play(cup)
    assert points(cup)[1] == 0
    assert sum(points(cup).values()) == 2 * 10  # the games of the other five


# -- Swiss ---------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "rounds"), [(4, 2), (5, 3), (8, 4), (9, 5), (12, 6)])
def test_in_a_swiss_first_seats_are_even(count, rounds):
    cup = tournament(Format.SWISS, count, rounds=rounds)
    for number in range(1, rounds + 1):
        games = play_round(cup, by_chance(Random(number)))
        assert sorted(each for game in games for each in game.entrants) == [*range(1, count + 1)]
        assert sum(game.outcome is GameOutcome.BYE for game in games) == count % 2
    assert play_round(cup) == []
    for had in firsts(cup).values():
        assert abs(first_seat_surplus(had)) <= 2
        assert not any(had[at] == had[at + 1] == had[at + 2] for at in range(len(had) - 2))


def test_in_a_swiss_people_with_about_as_many_points_meet():
    cup = tournament(Format.SWISS, 16, rounds=4)
    for _ in range(3):
        play_round(cup)
    before = points(cup)
    assert [before[game.entrants[0]] - before[game.entrants[1]] for game in pair(cup)] == [0] * 8


@pytest.mark.parametrize("count", range(2, 13))
def test_in_a_swiss_of_any_rounds_nobody_meets_twice_nor_has_two_byes(count):
    for seed in range(30):
        cup = tournament(Format.SWISS, count, str(seed), rounds=MOST_ROUNDS)
        play(cup, by_chance(Random(seed)))
        must_have_met_once(cup)
        assert cup.round == cup.all_rounds == (count + 1) // 2


@pytest.mark.parametrize("count", range(3, 13))
def test_in_a_swiss_that_some_leave_and_join_nobody_meets_twice_nor_has_two_byes(count):
    for seed in range(30):
        dice = Random(seed)
        cup = tournament(Format.SWISS, count, str(seed), rounds=MOST_ROUNDS)
        while play_round(cup, by_chance(dice)):
            for each in cup.active:
                each.withdrawn = dice.random() < 0.15
            if cup.round == 1 and dice.random() < 0.5:
                cup.entrants.append(Entrant(count + 1, "late", first_round=2))
                draw_numbers(cup)
        must_have_met_once(cup)


def test_a_swiss_ends_where_all_who_are_left_have_met():
    cup = tournament(Format.SWISS, 8, rounds=4)
    pairs = {frozenset(game.entrants) for _ in range(2) for game in play_round(cup)}
    one, other = next(iter(pairs))
    for each in cup.entrants:
        each.withdrawn = each.number not in (one, other)
    assert pair(cup) == []


def must_have_met_once(cup):
    assert max(meetings(cup).values()) == 1
    byes = Counter(game.entrants[0] for game in cup.games if game.outcome is GameOutcome.BYE)
    assert max(byes.values(), default=1) == 1


def test_a_latecomer_of_a_swiss_has_a_bye_last_and_who_left_is_not_paired():
    cup = tournament(Format.SWISS, 4, rounds=3)
    play_round(cup)
    cup.entrants.append(Entrant(5, "late", first_round=2))
    draw_numbers(cup)
    cup.entrant(2).withdrawn = True
    games = play_round(cup)
    assert sorted(each for game in games for each in game.entrants) == [1, 3, 4, 5]


def test_a_process_of_its_own_finds_the_pairs_of_a_round():
    cup = tournament(Format.SWISS, 7, rounds=3)
    play_round(cup)
    assert swiss_pairs(cup) == swiss_pairs(cup, matching)


@pytest.mark.slow
def test_a_swiss_of_33_holds_the_laws_for_eight_rounds():
    for seed in range(5):
        cup = tournament(Format.SWISS, 33, str(seed), rounds=8)
        play(cup, by_chance(Random(seed)))
        assert max(meetings(cup).values()) == 1
        byes = Counter(game.entrants[0] for game in cup.games if game.outcome is GameOutcome.BYE)
        assert sorted(byes.values()) == [1] * 8
        assert all(abs(first_seat_surplus(had)) <= 2 for had in firsts(cup).values())
        assert standings(cup)[0].place == 1


# -- knock-out -----------------------------------------------------------------------


def test_the_best_two_of_a_bracket_can_only_meet_at_its_end():
    assert bracket(2) == [(1, 2)]
    assert bracket(8) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert bracket(5) == [(1, 8), (4, 5), (2, 7), (3, 6)]


@pytest.mark.parametrize("count", COUNTS)
def test_in_a_knock_out_all_but_one_lose_once(count):
    cup = play(tournament(Format.KNOCK_OUT, count))
    played = [game for game in cup.games if game.outcome is GameOutcome.PLAYED]
    losers = [each for game in played for each in game.entrants if each != game.winner]
    assert sorted(losers) == [*range(2, count + 1)]
    lines = standings(cup)
    assert lines[0].entrant.number == 1
    assert [line.place for line in lines][:2] == [1, 2]
    first = cup.of_round(1)
    assert sum(game.outcome is GameOutcome.BYE for game in first) == 2 * len(first) - count
    resting = {cup.entrant(game.entrants[0]).draw for game in first if game.outcome is GameOutcome.BYE}
    assert resting == set(range(1, len(resting) + 1))


def test_a_drawn_pair_plays_again_with_seats_swapped_and_at_last_the_earlier_draw_goes_on():
    cup = tournament(Format.KNOCK_OUT, 4)
    games = [play_round(cup, lambda game: [1] * len(game.entrants)) for _ in range(3)]
    assert [[game.attempt for game in each] for each in games] == [[1, 1], [2, 2], [3, 3]]
    assert [game.entrants for game in games[1]] == [game.entrants[::-1] for game in games[0]]
    last = play_round(cup)
    assert {cup.entrant(each).draw for each in last[0].entrants} == {1, 2}
    assert cup.round == 2


def test_in_a_knock_out_the_opponent_of_who_has_withdrawn_goes_on():
    cup = tournament(Format.KNOCK_OUT, 4)
    play_round(cup)
    cup.entrant(1).withdrawn = True
    final = play_round(cup)
    assert final[0].outcome is GameOutcome.WALKOVER
    assert final[0].entrants[1] == 1
    assert standings(cup)[0].entrant.number == final[0].entrants[0]
    assert play_round(cup) == []


def test_a_drawn_pair_of_whom_both_have_withdrawn_does_not_play_again():
    cup = tournament(Format.KNOCK_OUT, 4)
    drawn, other = play_round(cup, lambda game: [1] * len(game.entrants) if game.board == 1 else [1, 2])
    for number in drawn.entrants:
        cup.entrant(number).withdrawn = True
    final = play_round(cup)
    assert [(game.round, game.outcome) for game in final] == [(2, GameOutcome.WALKOVER)]
    assert standings(cup)[0].entrant.number == other.entrants[0]


# -- tables of several ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "allowed", "wanted", "sizes"),
    [
        (8, [2, 3, 4], 4, [4, 4]),
        (9, [2, 3, 4], 4, [3, 3, 3]),
        (7, [2, 3, 4], 4, [4, 3]),
        (7, [4], 4, [4]),
        (3, [4], 4, []),
        (5, [3, 4, 5], 3, [3]),
    ],
)
def test_tables_are_of_the_wanted_size_as_far_as_the_entrants_divide(count, allowed, wanted, sizes):
    assert table_sizes(count, allowed, wanted) == sizes


def test_at_tables_of_several_everybody_meets_as_evenly_as_can_be_and_byes_go_round():
    settings = TournamentSettings(seats=3, sizes=[3])
    cup = tournament(Format.TABLES, 10, rounds=6, settings=settings)
    play(cup, by_chance(Random(1)))
    assert cup.round == 6
    assert all(len(game.entrants) in (1, 3) for game in cup.games)
    byes = Counter(game.entrants[0] for game in cup.games if game.outcome is GameOutcome.BYE)
    assert sorted(byes.values()) == [1] * 6
    met = meetings(cup)
    assert max(met.values()) <= 2
    late = Counter()
    for game in cup.games:
        late.update({each: seat - 1 for seat, each in enumerate(game.entrants) if game.table})
    assert all(abs(late[each]) <= 2 for each in range(1, 11))
