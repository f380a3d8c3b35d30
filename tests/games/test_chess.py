"""Chess is played as the library plays it, written as players write it, and ended as the rules end it."""

import random

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.chess.notation import tidy
from games.chess.rules import (
    AcceptDraw,
    Chess,
    ClaimDraw,
    Move,
    OfferDraw,
    Why,
)
from strifebarge.rules import Standard
from strifebarge.rules.chance import Chance
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_form, from_json, read, write
from strifebarge.rules.testing import random_play
from tests.games.chess_positions import ENDS, FORBIDDEN, THERE_AND_BACK, WAYS

from .chess_table import BLACK, WHITE, ending, games, places, play, read_pgn, refusal_of, table

# -- the moves are those of the library --------------------------------------------------


def ways(match: Match, depth: int) -> int:
    """How many games of `depth` moves begin here, by what the framework offers."""
    seat = match.game.to_move.number
    moves = [offer for offer in match.offers(seat) if isinstance(offer, Move)]
    if depth == 1:
        return len(moves)
    return sum(ways(after(match, seat, move), depth - 1) for move in moves)


def after(match: Match, seat: int, move: Move) -> Match:
    """The match as it will be after a move, and as it is kept where it is."""
    further = Match(match.rules, match.snapshot, match.ledger)
    further.move(seat, move)
    return further


@pytest.mark.parametrize("name", WAYS)
def test_two_moves_can_be_played_in_as_many_ways_as_there_are(name):
    fen, (once, twice, _) = WAYS[name]
    match = table(fen).match
    assert (ways(match, 1), ways(match, 2)) == (once, twice)


@pytest.mark.parametrize("name", ["start", "third", "fourth"])
def test_three_moves_can_be_played_in_as_many_ways_as_there_are(name):
    fen, (*_, thrice) = WAYS[name]
    assert ways(table(fen).match, 3) == thrice


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kiwipete", "fifth", "sixth", "chess960", "chess960, rooks inside"])
def test_three_moves_from_a_crowded_position_can_be_played_in_as_many_ways_as_there_are(name):
    fen, (*_, thrice) = WAYS[name]
    assert ways(table(fen).match, 3) == thrice


@pytest.mark.parametrize("nth", range(10))
def test_whole_games_lead_where_they_led(nth):
    """Ten games in PGN, played move by move in one notation or the other, the match put away in between."""
    dice = random.Random(nth)
    for pgn in games()[nth::10]:
        game = read_pgn(pgn)
        board = game.board()
        match = table(board.fen()).match
        for move in game.mainline_moves():
            spelt = dice.choice([board.san, board.lan, board.uci])(move)
            match.move(WHITE if board.turn else BLACK, Move(spelt))
            board.push(move)
            if dice.random() < 0.05:
                match = Match(Chess, match.snapshot, match.ledger)
        assert match.game.board.fen() == board.fen()
        assert match.game.moves == [move.uci() for move in game.mainline_moves()]
        assert match.game.result == game.headers["Result"]
        assert (match.result is not None) == board.is_game_over()


def test_games_at_random_come_to_an_end():
    for number in range(3):
        *_, match = random_play(Match.new(Chess, seed=str(number)), Chance(f"dice {number}"))
        assert match.result is not None


# -- how moves are written ---------------------------------------------------------------


@pytest.mark.parametrize(
    "spelt", ["Nf3", "g1f3", "Ngf3", "Ng1f3", "N1f3", "Nf3+", "Nf3#", "Nf3!?", " Nf3 ", "nf3", "NF3", "G1F3"]
)
def test_a_move_may_be_written_in_many_ways(spelt):
    at = table()
    at.plays(WHITE, Move(spelt))
    assert (at.game.moves, at.game.sheet) == (["g1f3"], ["Nf3"])


@pytest.mark.parametrize("spelt", ["O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1", "0-0#"])
def test_castling_may_be_written_in_many_ways(spelt):
    at = table("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", spelt)
    assert (at.game.moves, at.game.sheet) == (["e1g1"], ["O-O"])


@pytest.mark.parametrize(
    ("fen", "spelt", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kg1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kc1", "e1c1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Ke1-g1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kh1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "Kg8", "e8g8"),
        ("1k6/8/8/8/8/8/8/1R3K1R w HB - 0 1", "Kg1", "f1g1"),
        ("1k6/8/8/8/8/8/8/1R1K3R w HB - 0 1", "Kg1", "d1h1"),
    ],
)
def test_a_king_castles_to_where_he_cannot_go_otherwise(fen, spelt, uci):
    assert table(fen, spelt).game.moves == [uci]


def test_what_is_written_small_with_a_b_is_a_pawns_move():
    fen = "4k3/8/8/8/2n5/1P1B4/8/4K3 w - - 0 1"
    assert table(fen, "bc4").game.moves == ["b3c4"]
    assert table(fen, "Bc4").game.moves == ["d3c4"]


def test_the_record_keeps_a_move_without_its_ornaments():
    assert Move(" 0-0-0+ ").notation == "O-O-O"
    assert Move("E7E8Q") == Move("e7e8q")
    assert write(Move("nf3#!")) == "move Nf3"


@pytest.mark.parametrize("notation", ["Nf3", "e8=Q", "O-O-O", "e7e8q", "b4", "Bb5", "Qa1xb2"])
def test_what_is_tidy_stays_as_it_is(notation):
    assert tidy(notation) == notation


@given(st.text("NRQKBOo0nrqkbaE=q -+#\u2003ß"))
def test_tidying_twice_is_tidying_once(notation):
    assert tidy(tidy(notation)) == tidy(notation)


def test_a_move_comes_in_words_in_a_form_and_as_json():
    class Posted(dict[str, str]):
        def getlist(self, name: str) -> list[str]:
            return [self[name]] if name in self else []

    assert read("move e7e8q", [Move]) == Move("e7e8q")
    assert from_form(Posted(do="move", notation=" Nf3 "), [Move]) == Move("Nf3")
    assert from_json({"do": "move", "notation": "0-0"}, [Move]) == Move("O-O")


@pytest.mark.parametrize("piece", "QRBN")
def test_a_pawn_becomes_what_is_asked_for(piece):
    for spelt in f"a8={piece}", f"a8{piece}", f"a7a8{piece.lower()}", f"a7a8={piece}":
        at = table("8/P6k/8/8/8/8/8/K7 w - - 0 1", spelt)
        assert at.game.board.piece_at(chess.A8) == chess.Piece.from_symbol(piece)
        assert at.game.moves == [f"a7a8{piece.lower()}"]


def test_a_pawn_is_taken_in_passing_and_counts_as_captured():
    at = table("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d5 exd6")
    assert at.game.board.board_fen() == "4k3/8/3P4/8/8/8/8/4K3"
    assert at.game.taken == "p"


def test_what_is_captured_is_kept_in_order():
    assert table(moves="e4 d5 exd5 Qxd5 Nc3 Qxg2 Bxg2").game.taken == "pPPq"


# -- what is refused ---------------------------------------------------------------------


@pytest.mark.parametrize(("fen", "move", "rule"), FORBIDDEN)
def test_a_move_that_is_not_allowed_is_refused_with_its_rule(fen, move, rule):
    at = table(fen)
    why, words = refusal_of(lambda: at.match.check(at.game.to_move.number, Move(move)))
    assert why is Why.ILLEGAL_MOVE
    assert words == f"{tidy(move)} isn't possible: {rule}. Try another move."


@pytest.mark.parametrize(
    "spelt",
    [
        "",
        "x",
        "??",
        "N" * 5000,
        "♘f3",
        "hello",
        "e9",
        "i5",
        "Nf",
        "e4 e5",
        "0000",
        "--",
        "Z0",
        "@@@@",
        "N@f3",
        "p@e4",
        "e2e4,e7e5",
        "e2e4e5",
        *("Dd4", "De4", "Sf3", "Ld3", "Td1", "Cf3", "Ff4", "Ae3", "Pe4", "EXD5", "E8D", "e8=D", "dd4"),
    ],
)
def test_what_is_no_move_cannot_be_read(spelt):
    assert table().refused(WHITE, Move(spelt)) is Why.UNREADABLE_MOVE


@pytest.mark.parametrize("letter", "ACDEFGHIJLMPSTUVWXYZ")
def test_a_capital_that_is_no_piece_is_never_a_pawns_file(letter):
    crowded = "7k/8/8/3ppp2/2PPPPP1/PP5P/8/4K3 w - - 0 1"
    for square in chess.SQUARE_NAMES:
        for spelt in f"{letter}{square}", f"{letter}x{square}", f"{letter}{square}=Q":
            assert table(crowded).refused(WHITE, Move(spelt)) is Why.UNREADABLE_MOVE


def test_nor_can_what_is_not_even_text():
    for wrong in 5, None, ["Nf3"]:
        why, _ = refusal_of(lambda wrong=wrong: from_json({"do": "move", "notation": wrong}, [Move]))
        assert why is Why.UNREADABLE_MOVE


def test_every_move_the_library_knows_is_refused_or_played_as_the_library_says():
    """All ways from square to square, also with a queen to become: what is not legal has a reason."""
    for name in "fourth", "chess960":
        at = table(WAYS[name][0])
        legal, refused = set(), 0
        for start in chess.SQUARE_NAMES:
            for end in chess.SQUARE_NAMES:
                for becomes in "", "q":
                    why = at.refused(at.game.to_move.number, Move(start + end + becomes))
                    assert why in (None, Why.ILLEGAL_MOVE)
                    refused += why is not None
                    if why is None:
                        legal.add(start + end + becomes)
        normal = {move for move in at.game.legal if move[4:] in ("", "q")}
        assert normal <= legal
        assert {at.game.board.uci(at.game.board.parse_uci(move)) for move in legal} == normal
        assert refused == 2 * 64 * 64 - len(legal)


def test_whose_turn_it_is_not_does_nothing():
    at = table()
    for action in Move("e7e5"), OfferDraw(), ClaimDraw():
        assert at.refused(BLACK, action) is Standard.NOT_YOUR_TURN


def test_after_the_end_there_is_nothing_to_do():
    at = table(moves="f3 e5 g4 Qh4")
    assert at.refused(WHITE, Move("a3")) is Standard.GAME_OVER


# -- how games end -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ENDS)
def test_games_end_by_themselves_where_the_rules_end_them(name):
    end = ENDS[name]
    *moves, last = end.moves.split()
    at = table(end.fen, " ".join(moves))
    assert at.match.result is None
    play(at, last)
    assert ending(at) == (end.sentence, end.result)
    assert at.log()[-1] == end.sentence


def test_who_mates_is_first():
    assert places(table(moves="f3 e5 g4 Qh4")) == [[BLACK], [WHITE]]
    assert places(table(moves="e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7")) == [[WHITE], [BLACK]]


def test_a_draw_shares_the_first_place_and_the_point():
    at = table("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7")
    assert places(at) == [[WHITE, BLACK]]
    assert at.match.result is not None
    assert at.match.result.scores == {WHITE: 0.5, BLACK: 0.5}


@pytest.mark.parametrize(("seat", "result"), [(BLACK, "1-0"), (WHITE, "0-1")])
def test_who_resigns_loses_also_while_the_other_thinks(seat, result):
    at = table(moves="e4")
    at.leaves(seat)
    assert ending(at) == (f"P{seat} resigns.", result)
    assert places(at) == [[1 - seat], [seat]]


def test_every_ending_has_a_sentence_of_its_own():
    at = table()
    at.plays(WHITE, OfferDraw(), Move("e4"))
    at.plays(BLACK, AcceptDraw())
    sentences = {end.sentence for end in ENDS.values()} | {ending(at)[0]}
    repeated = table(moves=THERE_AND_BACK * 2)
    repeated.plays(WHITE, ClaimDraw())
    fifty = table("4k3/8/8/8/8/8/8/R3K3 w - - 100 90")
    fifty.plays(WHITE, ClaimDraw())
    resigned = table()
    resigned.leaves(WHITE)
    sentences |= {ending(each)[0] for each in (repeated, fifty, resigned)}
    assert len(sentences) == 9
