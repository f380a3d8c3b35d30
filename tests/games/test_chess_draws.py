"""Draws in chess: offered, accepted, declined and claimed."""

from games.chess.rules import (
    AcceptDraw,
    ClaimDraw,
    DeclineDraw,
    Move,
    OfferDraw,
    Why,
)
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell
from tests.games.chess_positions import THERE_AND_BACK

from .chess_table import BLACK, WHITE, ending, play, table

# -- draws that are offered --------------------------------------------------------------


def offered() -> Tabletop:
    """White has offered a draw and moved."""
    at = table()
    at.plays(WHITE, OfferDraw(), Move("e4"))
    return at


def test_a_draw_that_is_accepted_ends_the_game():
    at = offered()
    at.plays(BLACK, AcceptDraw())
    assert ending(at) == ("A draw by agreement.", "1/2-1/2")
    assert at.log() == ["P0 offers a draw.", "P0 played e4.", "P1 accepts the draw.", "A draw by agreement."]


def test_an_offer_leaves_the_turn_where_it_is_and_can_be_taken_back_until_the_move():
    at = table()
    at.plays(WHITE, OfferDraw())
    assert at.match.waiting_for() == [WHITE]
    assert at.match.can_undo(WHITE)
    at.match.undo(WHITE)
    assert at.game.offer is None
    at.plays(WHITE, OfferDraw(), Move("e4"))
    assert not at.match.can_undo(WHITE)


def test_an_offer_stands_until_the_other_side_moves():
    at = offered()
    assert at.game.offer == WHITE
    play(at, "e5")
    assert at.game.offer is None
    assert at.refused(WHITE, AcceptDraw()) is Why.NO_DRAW_OFFERED


def test_an_offer_that_is_declined_is_gone_and_the_turn_stays():
    at = offered()
    at.plays(BLACK, DeclineDraw())
    assert at.match.waiting_for() == [BLACK]
    assert at.refused(BLACK, AcceptDraw()) is Why.NO_DRAW_OFFERED
    at.plays(BLACK, OfferDraw(), Move("e5"))
    at.plays(WHITE, AcceptDraw())
    assert ending(at)[0] == "A draw by agreement."


def test_a_draw_cannot_be_offered_twice_nor_one_accepted_that_nobody_offers():
    at = table()
    assert at.refused(WHITE, AcceptDraw()) is Why.NO_DRAW_OFFERED
    assert at.refused(WHITE, DeclineDraw()) is Why.NO_DRAW_OFFERED
    at.plays(WHITE, OfferDraw())
    assert at.refused(WHITE, OfferDraw()) is Why.DRAW_OFFERED
    assert at.refused(WHITE, AcceptDraw()) is Why.NO_DRAW_OFFERED  # nobody agrees with themselves
    play(at, "e4")
    assert at.refused(BLACK, OfferDraw()) is Why.DRAW_OFFERED


def test_an_offer_stands_beside_a_name_and_check_in_the_question():
    def prompt(at: Tabletop, seat: int) -> str:
        return tell(at.match.prompts[seat].text, seat)

    at = table()
    at.plays(WHITE, OfferDraw())
    assert prompt(at, WHITE) == "Make your move."
    play(at, "e4")
    assert prompt(at, BLACK) == "Make your move."
    assert tell(at.game.standing(at.game.seats[WHITE]), None) == "offers a draw"
    assert at.game.standing(at.game.seats[BLACK]) is None
    play(at, "f6")
    at.plays(WHITE, OfferDraw(), Move("Qh5"))
    assert prompt(at, BLACK) == "Check. Make your move."


def test_an_offer_lapses_when_the_game_ends():
    at = table("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    at.plays(WHITE, OfferDraw(), Move("Qf8"))
    assert ending(at) == ("Checkmate.", "1-0")
    assert at.game.offer is None


# -- draws that are claimed --------------------------------------------------------------


def test_there_is_nothing_to_claim_at_first():
    assert table().refused(WHITE, ClaimDraw()) is Why.NO_DRAW_TO_CLAIM


def test_a_draw_may_be_claimed_when_a_position_comes_for_the_third_time():
    at = table(moves=THERE_AND_BACK + "Nf3 Nf6 Ng1")  # and with the next move too
    assert at.refused(BLACK, ClaimDraw()) is None
    play(at, "Ng8")
    at.plays(WHITE, ClaimDraw())
    assert ending(at) == ("P0 claims a draw: the same position three times.", "1/2-1/2")


def test_the_same_men_with_other_rights_are_another_position():
    at = table("4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1", "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1")
    assert at.refused(BLACK, ClaimDraw()) is Why.NO_DRAW_TO_CLAIM  # at the start White could castle


def test_what_was_before_a_stage_counts_for_repetition():
    quiet = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 "  # sixteen moves, then a stage's end in between
    at = table(moves=quiet + "Nd2 Nd7 Nb1 Nb8 Nd2 Nd7 Nb1")
    assert at.match.snapshot.number == 20
    at.plays(BLACK, ClaimDraw())
    assert ending(at)[0] == "P1 claims a draw: the same position three times."


def test_a_draw_may_be_claimed_after_fifty_moves():
    at = table("4k3/8/8/8/8/8/8/R3K3 w - - 97 90", "Ra2")
    assert at.refused(BLACK, ClaimDraw()) is Why.NO_DRAW_TO_CLAIM
    play(at, "Ke7 Ra1")
    at.plays(BLACK, ClaimDraw())
    assert ending(at) == ("P1 claims a draw: fifty moves each, no capture, no pawn move.", "1/2-1/2")
