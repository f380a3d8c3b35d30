"""Rock-Paper-Scissors, rule by rule."""

from itertools import product
from typing import Any

import pytest

from games.rps.rules import Hand, RockPaperScissors, Throw, Why
from games.rps.rules import Match as Length
from strifebarge.rules import Refused, Standard
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_form, from_json, read
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell
from tests.rules.taking_up import assert_the_same_when_taken_up, public_state, refusal_of

ROCK, PAPER, SCISSORS = Hand
WHITE, BLACK = 0, 1


def match(best_of: int = 1, ties: str = "again") -> Tabletop:
    return Tabletop(RockPaperScissors, options=Length(best_of, ties))  # type: ignore[arg-type]


def throw(at: Tabletop, *throws: tuple[Hand, Hand]) -> None:
    for white, black in throws:
        at.plays(WHITE, Throw(white))
        at.plays(BLACK, Throw(black))


def places(at: Tabletop) -> list[list[int]]:
    assert at.match.result is not None
    return at.match.result.places


# -- a throw -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "loser", "how"),
    [
        (ROCK, SCISSORS, "Rock crushes scissors."),
        (SCISSORS, PAPER, "Scissors shred paper."),
        (PAPER, ROCK, "Paper smothers rock."),
    ],
)
def test_each_hand_beats_one_and_loses_to_one(winner, loser, how):
    at = match()
    throw(at, (winner, loser))
    assert places(at) == [[WHITE], [BLACK]]
    assert at.log() == [f"P0 throws {winner}, P1 throws {loser}.", how, "P0 won the throw."]
    at = match()
    throw(at, (loser, winner))
    assert places(at) == [[BLACK], [WHITE]]
    assert at.log() == [f"P0 throws {loser}, P1 throws {winner}.", how, "P1 won the throw."]


def test_every_pair_of_hands_is_decided_or_drawn():
    for white, black in product(Hand, Hand):
        at = match()
        throw(at, (white, black))
        assert (at.match.result is None) == (white is black)


def test_both_seats_choose_at_the_same_time():
    at = match()
    assert at.match.waiting_for() == [WHITE, BLACK]
    at.plays(BLACK, Throw(ROCK))
    assert at.match.waiting_for() == [WHITE]


@pytest.mark.parametrize("first", [WHITE, BLACK])
def test_nothing_of_a_choice_is_seen_before_both_are_in(first):
    seen = set()
    for hand in Hand:
        at = match()
        at.plays(first, Throw(hand))
        views = [save(at.game, viewer) for viewer in (None, WHITE, BLACK)]
        seen.add(repr([views, at.match.fingerprint(), at.log(), at.match.number, at.match.question_numbers]))
    assert len(seen) == 1


def test_a_choice_may_be_changed_until_the_other_is_in():
    at = match()
    at.plays(WHITE, Throw(ROCK), Throw(SCISSORS))
    at.plays(BLACK, Throw(PAPER))
    assert places(at) == [[WHITE], [BLACK]]


def test_choices_are_kept_when_the_match_is_put_away():
    at = match()
    at.plays(WHITE, Throw(ROCK))
    assert_the_same_when_taken_up(at.match)
    at.match = Match(at.match.rules, at.match.snapshot, at.match.ledger, at.match.pending)
    at.plays(BLACK, Throw(SCISSORS))
    assert places(at) == [[WHITE], [BLACK]]


def test_the_last_throw_is_there_for_all_to_see():
    at = match(best_of=3)
    throw(at, (ROCK, PAPER))
    assert at.match.view(None).last == [ROCK, PAPER]  # type: ignore[attr-defined]


# -- best of -----------------------------------------------------------------------


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (3, 2), (5, 3), (7, 4)])
def test_the_first_to_win_more_than_half_wins_and_no_throw_is_played_after(best_of, needed):
    at = match(best_of)
    for _ in range(needed - 1):
        throw(at, (ROCK, SCISSORS), (SCISSORS, ROCK))
    assert at.match.result is None
    throw(at, (ROCK, SCISSORS))
    assert places(at) == [[WHITE], [BLACK]]
    assert at.match.result
    assert at.match.result.scores == {WHITE: needed, BLACK: needed - 1}
    assert at.why == f"Throws won: P0 {needed}, P1 {needed - 1}."
    assert tell(at.match.result.why, WHITE) == f"Throws won: you {needed}, P1 {needed - 1}."
    assert at.refused(WHITE, Throw(ROCK)) is Standard.GAME_OVER


def test_two_in_a_row_are_best_of_three():
    at = match(3)
    throw(at, (ROCK, SCISSORS), (PAPER, ROCK))
    assert places(at) == [[WHITE], [BLACK]]


def test_one_throw_is_the_usual_match():
    assert Length() == Length(1, "again")


# -- drawn throws ------------------------------------------------------------------


def test_a_drawn_throw_is_thrown_again_and_does_not_count():
    at = match()
    throw(at, (ROCK, ROCK), (PAPER, PAPER), (SCISSORS, SCISSORS))
    assert at.match.result is None
    assert [seat.wins for seat in at.game.seats] == [0, 0]
    assert at.log()[-1] == "Both throws are the same: throw again."
    throw(at, (ROCK, SCISSORS))
    assert places(at) == [[WHITE], [BLACK]]


def test_or_it_counts_for_both_as_half_a_win():
    at = match(3, "count")
    throw(at, (ROCK, ROCK))
    assert at.log()[-1] == "Both throws are the same: half a win each."
    throw(at, (ROCK, SCISSORS))
    assert at.match.result is None  # one and a half is not more than half of three
    throw(at, (PAPER, PAPER))
    assert places(at) == [[WHITE], [BLACK]]
    assert at.match.result
    assert at.match.result.scores == {WHITE: 2, BLACK: 1}
    assert at.why == "Throws won: P0 2, P1 1."


@pytest.mark.parametrize("best_of", [1, 3, 5, 7])
def test_an_even_end_is_a_shared_first_place(best_of):
    at = match(best_of, "count")
    throw(at, *[(ROCK, ROCK)] * best_of)
    assert places(at) == [[WHITE, BLACK]]
    at = match(best_of, "count")
    throw(at, *[(ROCK, SCISSORS), (SCISSORS, ROCK)] * (best_of // 2), (ROCK, ROCK))
    assert places(at) == [[WHITE, BLACK]]
    assert "½" in at.why


def test_half_wins_can_decide_before_all_is_thrown():
    at = match(3, "count")
    throw(at, (ROCK, SCISSORS), (ROCK, SCISSORS))
    assert places(at) == [[WHITE], [BLACK]]


@pytest.mark.parametrize(
    ("throws", "standing"),
    [
        ([], ["0 wins", "0 wins"]),
        ([(ROCK, ROCK)], ["½ wins", "½ wins"]),
        ([(ROCK, SCISSORS)], ["1 win", "0 wins"]),
        ([(ROCK, SCISSORS), (ROCK, ROCK)], ["1½ wins", "½ wins"]),
    ],
)
def test_what_was_won_is_known_to_all(throws, standing):
    at = match(5, "count")
    throw(at, *throws)
    assert [tell(at.game.standing(seat), None) for seat in at.game.seats] == standing


# -- words -------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["rock", "Rock", "ROCK", "rOcK"])
def test_a_hand_is_written_in_any_letter_case(word):
    assert from_json({"do": "throw", "hand": word}, [Throw]) == Throw(ROCK)
    assert read(f"throw {word}", [Throw]) == Throw(ROCK)


@pytest.mark.parametrize("word", ["", "stone", "r", "rock ", "rocks", "0", "None"])
def test_anything_else_is_an_unknown_hand_and_the_empty_word_is_not_rock(word):
    with pytest.raises(Refused) as refused:
        from_json({"do": "throw", "hand": word}, [Throw])
    assert refused.value.why is Why.UNKNOWN_HAND
    with pytest.raises(Refused) as typed:
        read(f"throw '{word}'", [Throw])
    assert typed.value.why is Why.UNKNOWN_HAND


@pytest.mark.parametrize("value", [None, 1, True, ["rock"], {"rock": 1}])
def test_what_is_no_word_is_no_hand_either(value):
    with pytest.raises(Refused) as refused:
        from_json({"do": "throw", "hand": value}, [Throw])
    assert refused.value.why is Why.UNKNOWN_HAND


def test_an_empty_field_of_a_form_is_no_hand():
    class Form(dict[str, str]):
        def getlist(self, name: str) -> list[str]:
            return [self[name]] if name in self else []

    with pytest.raises(Refused) as refused:
        from_form(Form(do="throw", hand=""), [Throw])  # type: ignore[arg-type]
    assert refused.value.why is Why.UNKNOWN_HAND


def test_a_refused_hand_leaves_the_old_choice():
    at = match()
    at.plays(WHITE, Throw(ROCK))
    wrong: Any = "lizard"
    assert refusal_of(at.match, at.match.move, WHITE, Throw(wrong)) is Why.UNKNOWN_HAND
    at.plays(BLACK, Throw(SCISSORS))
    assert places(at) == [[WHITE], [BLACK]]


def test_the_seats_have_no_names_of_their_own():
    assert [*RockPaperScissors.players] == [2]


# -- leaving -----------------------------------------------------------------------


@pytest.mark.parametrize("seat", [WHITE, BLACK])
@pytest.mark.parametrize("chosen", [(), (WHITE,), (BLACK,)])
def test_who_leaves_loses_whatever_was_chosen(seat, chosen):
    at = match(3)
    throw(at, (ROCK, SCISSORS))
    for each in chosen:
        at.plays(each, Throw(PAPER))
    at.leaves(seat)
    assert places(at) == [[1 - seat], [seat]]
    assert public_state(at.match)["pending"] == {}
    assert at.log()[-1] == f"P{seat} left the game."
