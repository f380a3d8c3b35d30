"""What an author uses: rounds, elimination, ranking, asking."""

from typing import Any

import pytest

from strifebarge.rules import Game, Ranking, Seat, Text
from strifebarge.rules.text import tell


class Score(Seat):
    points: int = 0


class Plain(Game[Score]):
    title = "Plain"


def game(*points: int) -> Plain:
    return Plain(seats=[Score(number=number, points=each) for number, each in enumerate(points)])


def by_points(seat: Score) -> float:
    return seat.points


# -- ranking -----------------------------------------------------------------------


def test_the_best_score_is_first():
    assert game(5, 9, 7).ranking(by_points) == Ranking([[1], [2], [0]], {0: 5, 1: 9, 2: 7})


def test_scores_are_compared_as_numbers():
    assert game(5, 100, 10, 0).ranking(by_points, best=min).places == [[3], [0], [2], [1]]


def test_equal_scores_share_a_place():
    assert game(5, 9, 5, 9).ranking(by_points).places == [[1, 3], [0, 2]]
    assert game(5, 9, 5, 9).ranking(by_points, best=min).places == [[0, 2], [1, 3]]


def test_ties_are_broken_by_something_else_and_only_those():
    def by_number(seat: Score) -> float:
        return seat.number

    assert game(5, 9, 5, 9).ranking(by_points, ties=by_number).places == [[3], [1], [2], [0]]
    assert game(5, 9, 5, 9).ranking(by_points, best=min, ties=by_number).places == [[2], [0], [3], [1]]
    assert game(5, 9, 5, 9).ranking(by_points, ties=lambda _: 1).places == [[1, 3], [0, 2]]
    assert game(5, 9, 5).ranking(by_points, ties=by_number).scores == {0: 5, 1: 9, 2: 5}


def test_without_scores_all_that_are_in_share_the_first_place():
    assert game(0, 0, 0).ranking().places == [[0, 1, 2]]


def test_those_eliminated_come_after_those_in_and_the_later_before_the_earlier():
    playing = game(1, 2, 3, 4)
    playing.eliminate(playing.seats[3])
    playing.eliminate(playing.seats[1])
    assert playing.ranking(by_points).places == [[2], [0], [1], [3]]
    assert playing.ranking(by_points, best=min).places == [[0], [2], [1], [3]]


def test_those_eliminated_together_share_a_place():
    playing = game(0, 0, 0, 0)
    playing.eliminate(playing.seats[2])
    playing.eliminate(playing.seats[0], playing.seats[3])
    assert playing.ranking().places == [[1], [0, 3], [2]]


def test_ties_do_not_part_those_eliminated_together_either():
    playing = game(1, 2, 3)
    playing.eliminate(playing.seats[0], playing.seats[1])
    assert playing.ranking(by_points, ties=by_points).places == [[2], [0, 1]]


def test_scores_do_not_part_those_eliminated_together():
    playing = game(1, 2, 3)
    playing.eliminate(playing.seats[0], playing.seats[1])
    assert playing.ranking(by_points).places == [[2], [0, 1]]


def test_a_tie_leaves_a_gap_after_it():
    ranking = Ranking([[1], [0, 3], [2]])
    assert [ranking.place(seat) for seat in range(4)] == [2, 1, 4, 2]
    assert ranking.winners == [1]
    with pytest.raises(LookupError):
        ranking.place(4)


def test_nobody_wins_where_nobody_is_placed():
    assert Ranking([]).winners == []


def test_a_ranking_says_why():
    ranking = game(1, 2).ranking(by_points, why=Text("{seat} has most.", {"seat": Seat(number=1)}))
    assert tell(ranking.why, None) == "P1 has most."


# -- round the table -----------------------------------------------------------------


def test_a_round_is_in_seat_order_and_passes_over_those_out():
    playing = game(0, 0, 0, 0)
    playing.eliminate(playing.seats[1])
    assert [seat.number for seat in playing.round()] == [0, 2, 3]


def test_whoever_goes_out_during_a_round_is_passed_over_in_it():
    playing = game(0, 0, 0, 0)
    numbers = []
    for seat in playing.round():
        numbers.append(seat.number)
        if seat.number == 1:
            playing.eliminate(playing.seats[2])
    assert numbers == [0, 1, 3]


def test_a_round_ends_when_one_is_left():
    playing = game(0, 0, 0)
    numbers = []
    for seat in playing.round():
        numbers.append(seat.number)
        playing.eliminate(*playing.seats[1:])
    assert numbers == [0]
    assert list(playing.round()) == list(playing.turns()) == []


def test_turns_go_round_and_round():
    playing = game(0, 0, 0)
    numbers = []
    for seat in playing.turns():
        numbers.append(seat.number)
        if len(numbers) == 5:
            playing.eliminate(playing.seats[0])
        if len(numbers) == 9:
            playing.eliminate(seat)
    assert numbers == [0, 1, 2, 0, 1, 2, 1, 2, 1]


def test_still_in_are_those_not_out():
    playing = game(0, 0, 0)
    playing.eliminate(playing.seats[1])
    assert [seat.number for seat in playing.still_in] == [0, 2]


# -- the rest ------------------------------------------------------------------------


def test_a_game_has_no_play_until_its_author_writes_it():
    coroutine: Any = game(0).play()
    with pytest.raises(NotImplementedError):
        coroutine.send(None)


def test_seats_are_themselves_and_no_others():
    one, other = Seat(number=0), Seat(number=0)
    assert one == one
    assert one != other
    assert len({one, other}) == 2


def test_by_itself_a_game_refuses_nothing_and_has_no_more_to_say_of_a_seat():
    playing = game(0)
    assert playing.refuse(playing.seats[0], None) is None  # type: ignore[arg-type]
    assert playing.standing(playing.seats[0]) is None
    playing.setup()
