"""Chess: played as the library plays it; and what is ours, how games end and what players are told."""

import random
import re
from collections.abc import Callable
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from games.chess.notation import laid_out, tidy
from games.chess.rules import (
    AcceptDraw,
    Chess,
    ClaimDraw,
    DeclineDraw,
    Move,
    OfferDraw,
    Resign,
    Start,
    Why,
)
from strifebarge import create_app
from strifebarge.rules import Refused, Standard
from strifebarge.rules.chance import Chance
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_form, from_json, read, write
from strifebarge.rules.testing import Tabletop, random_play
from strifebarge.rules.text import tell
from strifebarge.settings import Settings
from strifebarge.store.migrations import upgrade
from tests.games.chess_positions import BAD, ENDS, FORBIDDEN, START, THERE_AND_BACK, WAYS
from tests.support.visitor import Local, Page

WHITE, BLACK = 0, 1


def table(position: str = "", moves: str = "") -> Tabletop:
    """A game from a position (a FEN or a PGN), after some moves."""
    options = Start(start="position", position=position) if position else None
    at = Tabletop(Chess, options=options)
    play(at, moves)
    return at


def play(at: Tabletop, moves: str) -> None:
    for move in moves.split():
        at.plays(at.game.to_move.number, Move(move))


def said(refused: Callable[[], Any]) -> tuple[Any, str]:
    """Why something is refused, and in which words."""
    with pytest.raises(Refused) as caught:
        refused()
    return caught.value.why, tell(caught.value.text, None)


def ending(at: Tabletop) -> tuple[str, str]:
    """How it ended, in words, and the result as in PGN."""
    assert at.match.result is not None
    return tell(at.match.result.why, None), at.game.result


def places(at: Tabletop) -> list[list[int]]:
    assert at.match.result is not None
    return at.match.result.places


def pgn_of(at: Tabletop) -> chess.pgn.Game:
    """The game as another program reads it."""
    return read_pgn(at.game.exports(["Ann", "Ben"])["pgn"])


# -- the moves are those of the library ----------------------------------------------


def ways(match: Match, depth: int) -> int:
    """How many games of so many moves begin here, by what the framework offers."""
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


def a_game(dice: random.Random, start: chess.Board, plies: int) -> str:
    """A game of this length in PGN, or of fewer moves if it is over by then."""
    board = start.copy()
    while len(board.move_stack) < plies and not board.is_game_over():
        board.push(dice.choice(list(board.legal_moves)))
    return f"{chess.pgn.Game.from_board(board)}\n"


@cache
def games() -> list[str]:
    dice = random.Random(1851)
    shuffled = chess.Board.from_chess960_pos
    starts = [chess.Board() if n % 4 else shuffled(dice.randrange(960)) for n in range(100)]
    return [a_game(dice, start, dice.randint(40, 200)) for start in starts]


def read_pgn(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(StringIO(pgn))
    assert game is not None
    assert not game.errors
    return game


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


# -- how moves are written -----------------------------------------------------------


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


# -- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize(("fen", "move", "rule"), FORBIDDEN)
def test_a_move_that_is_not_allowed_is_refused_with_its_rule(fen, move, rule):
    at = table(fen)
    why, words = said(lambda: at.match.check(at.game.to_move.number, Move(move)))
    assert why is Why.ILLEGAL_MOVE
    assert words == f"{tidy(move)} cannot be played: {rule}."


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
    ],
)
def test_what_is_no_move_cannot_be_read(spelt):
    assert table().refused(WHITE, Move(spelt)) is Why.UNREADABLE_MOVE


def test_nor_can_what_is_not_even_text():
    for wrong in 5, None, ["Nf3"]:
        why, _ = said(lambda wrong=wrong: from_json({"do": "move", "notation": wrong}, [Move]))
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
    for action in Move("e7e5"), OfferDraw(), Resign(), ClaimDraw():
        assert at.refused(BLACK, action) is Standard.NOT_YOUR_TURN


def test_after_the_end_there_is_nothing_to_do():
    at = table(moves="f3 e5 g4 Qh4")
    assert at.refused(WHITE, Move("a3")) is Standard.GAME_OVER


# -- how games end --------------------------------------------------------------------


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


def test_who_resigns_loses():
    at = table(moves="e4")
    at.plays(BLACK, Resign())
    assert ending(at) == ("P1 resigns.", "1-0")
    assert places(at) == [[WHITE], [BLACK]]


def test_who_leaves_loses_also_while_the_other_thinks():
    at = table(moves="e4")
    at.leaves(WHITE)
    assert ending(at) == ("P0 leaves the game.", "0-1")
    assert places(at) == [[BLACK], [WHITE]]


def test_every_ending_has_a_sentence_of_its_own():
    at = table()
    at.plays(WHITE, OfferDraw(), Move("e4"))
    at.plays(BLACK, AcceptDraw())
    sentences = {end.sentence for end in ENDS.values()} | {ending(at)[0]}
    repeated = table(moves=THERE_AND_BACK * 2)
    repeated.plays(WHITE, ClaimDraw())
    fifty = table("4k3/8/8/8/8/8/8/R3K3 w - - 100 90")
    fifty.plays(WHITE, ClaimDraw())
    resigned, left = table(), table()
    resigned.plays(WHITE, Resign())
    left.leaves(WHITE)
    sentences |= {ending(each)[0] for each in (repeated, fifty, resigned, left)}
    assert len(sentences) == 10


# -- draws that are offered ------------------------------------------------------------


def offered() -> Tabletop:
    """White has offered a draw and moved."""
    at = table()
    at.plays(WHITE, OfferDraw(), Move("e4"))
    return at


def test_a_draw_that_is_accepted_ends_the_game():
    at = offered()
    at.plays(BLACK, AcceptDraw())
    assert ending(at) == ("A draw by agreement.", "1/2-1/2")
    assert at.log() == ["P0 offers a draw.", "P0 plays e4.", "P1 accepts the draw.", "A draw by agreement."]


def test_an_offer_leaves_the_turn_where_it_is_and_can_be_taken_back_until_the_move():
    at = table()
    at.plays(WHITE, OfferDraw())
    assert at.match.waiting_for() == [WHITE]
    assert at.match.undoable(WHITE)
    at.match.undo(WHITE)
    assert at.game.offer is None
    at.plays(WHITE, OfferDraw(), Move("e4"))
    assert not at.match.undoable(WHITE)


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


def test_both_sides_are_told_of_an_offer_and_of_check():
    def prompt(at: Tabletop, seat: int) -> str:
        return tell(at.match.prompts[seat].text, seat)

    at = table()
    assert prompt(at, WHITE) == "Make your move."
    at.plays(WHITE, OfferDraw())
    assert prompt(at, WHITE) == "You offer a draw. Make your move."
    play(at, "e4")
    assert prompt(at, BLACK) == "A draw is offered. Make your move."
    assert tell(at.game.standing(at.game.seats[WHITE]), None) == "offers a draw"
    assert at.game.standing(at.game.seats[BLACK]) is None
    play(at, "f6")
    at.plays(WHITE, OfferDraw(), Move("Qh5"))
    assert prompt(at, BLACK) == "Check. A draw is offered. Make your move."


def test_an_offer_lapses_when_the_game_ends():
    at = table("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    at.plays(WHITE, OfferDraw(), Move("Qf8"))
    assert ending(at) == ("Checkmate.", "1-0")
    assert at.game.offer is None


# -- draws that are claimed ------------------------------------------------------------


def test_there_is_nothing_to_claim_at_first():
    assert table().refused(WHITE, ClaimDraw()) is Why.NO_DRAW_TO_CLAIM


def test_a_draw_may_be_claimed_when_a_position_comes_for_the_third_time():
    at = table(moves=THERE_AND_BACK + "Nf3 Nf6 Ng1")  # and with the next move too
    assert at.refused(BLACK, ClaimDraw()) is None
    play(at, "Ng8")
    at.plays(WHITE, ClaimDraw())
    assert ending(at) == ("P0 claims a draw: the same position for the third time.", "1/2-1/2")


def test_the_same_men_with_other_rights_are_another_position():
    at = table("4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1", "Kd1 Kd8 Ke1 Ke8 Kd1 Kd8 Ke1")
    assert at.refused(BLACK, ClaimDraw()) is Why.NO_DRAW_TO_CLAIM  # at the start White could castle


def test_what_was_before_a_stage_counts_for_repetition():
    quiet = "a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3 h6 "  # sixteen moves, then a stage's end in between
    at = table(moves=quiet + "Nd2 Nd7 Nb1 Nb8 Nd2 Nd7 Nb1")
    assert at.match.snapshot.number == 20
    at.plays(BLACK, ClaimDraw())
    assert ending(at)[0] == "P1 claims a draw: the same position for the third time."


def test_a_draw_may_be_claimed_after_fifty_moves():
    at = table("4k3/8/8/8/8/8/8/R3K3 w - - 97 90", "Ra2")
    assert at.refused(BLACK, ClaimDraw()) is Why.NO_DRAW_TO_CLAIM
    play(at, "Ke7 Ra1")
    at.plays(BLACK, ClaimDraw())
    assert ending(at) == (
        "P1 claims a draw: fifty moves by each side, no capture, no pawn’s move.",
        "1/2-1/2",
    )


# -- where games start ------------------------------------------------------------------


def test_a_game_starts_from_a_fen_with_whoever_is_to_move():
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 12"
    at = table(fen)
    assert at.game.board.fen() == fen
    assert at.match.waiting_for() == [BLACK]
    play(at, "Bxe2 Qxe2")
    assert at.game.rows == [(12, ["…", "Bxe2"]), (13, ["Qxe2"])]


def test_a_game_in_pgn_goes_on_from_its_end_with_its_moves():
    pgn = '[White "Ann"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 {good} (2. f4) Nc6 3. Bb5 *'
    for form in pgn, pgn.replace("\n", " "), pgn.replace("\n", ""):
        at = table(form)
        assert at.game.sheet == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
        assert at.match.waiting_for() == [BLACK]
    play(at, "a6")
    assert at.game.rows[-1] == (3, ["Bb5", "a6"])
    assert at.game.rows[0] == (1, ["e4", "e5"])


def test_repetitions_in_a_game_that_goes_on_count():
    at = table("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8")
    assert at.refused(WHITE, ClaimDraw()) is None


def test_chess960_draws_one_of_960_starts():
    starts = set()
    for seed in range(40):
        at = Tabletop(Chess, seed=str(seed), options=Start(start="chess960"))
        number = at.game.board.chess960_pos()
        assert at.log() == [f"The start is number {number} of the 960."]
        assert at.game.chess960
        starts.add(number)
    assert len(starts) > 30


def test_in_chess960_the_king_castles_onto_its_rook():
    fen = "1k6/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"  # rooks on b1 and g1
    for spelt, rank, move in [
        ("O-O", "1R3RK1", "e1g1"),
        ("e1g1", "1R3RK1", "e1g1"),
        ("0-0-0", "2KR2R1", "e1b1"),
        ("e1b1", "2KR2R1", "e1b1"),
    ]:
        at = table(fen, spelt)
        assert at.game.chess960
        assert at.game.board.board_fen().split("/")[-1] == rank
        assert at.game.moves == [move]


@pytest.mark.parametrize(("position", "problem"), BAD)
def test_nothing_starts_from_a_bad_position(position, problem):
    refused = Start(start="position", position=position).refuse()
    assert refused is not None
    assert refused.why is Why.BAD_POSITION
    assert tell(refused.text, None) == f"A game cannot start from there: {problem}."


@pytest.mark.parametrize(
    "position", ["[", "1.", "1. e4 (" * 1000, "9" * 8000, "/" * 8000, "\0", f"{START[:-1]}{'9' * 5000}"]
)
def test_whatever_is_given_for_a_position_is_refused_or_can_be_played(position):
    options = Start(start="position", position=position)
    if options.refuse() is None:
        assert Tabletop(Chess, options=options).match.waiting_for()


def test_a_position_is_not_passed_over_in_silence():
    assert Start(position=START).refuse() is not None
    assert Start(position="  ").refuse() is None
    assert Start(start="position", position=START).refuse() is None


# -- PGN --------------------------------------------------------------------------------


def test_a_game_can_be_taken_home_as_pgn():
    at = table(moves="e4 e5 Nf3")
    at.plays(BLACK, Resign())
    assert at.game.exports(["Ann", "Ben"])["pgn"] == (
        '[Event "StrifeBarge"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n'
        '[White "Ann"]\n[Black "Ben"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n'
    )


def test_a_game_that_goes_on_has_no_result_yet():
    assert pgn_of(table(moves="e4")).headers["Result"] == "*"


@pytest.mark.parametrize("nth", range(8))
def test_pgn_comes_back_the_same(nth):
    first = read_pgn(games()[nth])
    at = table(first.board().fen(), " ".join(move.uci() for move in first.mainline_moves()))
    again = pgn_of(at)
    assert str(again.mainline()) == str(first.mainline())
    assert again.headers["Result"] == first.headers["Result"]
    assert again.end().board().fen() == at.game.board.fen()
    assert laid_out(str(again)).fen() == at.game.board.fen()


def test_pgn_tells_of_another_start():
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"
    headers = pgn_of(table(fen, "a4")).headers
    assert (headers["SetUp"], headers["FEN"]) == ("1", fen)
    drawn = Tabletop(Chess, options=Start(start="chess960"))
    headers = pgn_of(drawn).headers
    assert (headers["Variant"], headers["FEN"]) == ("Chess960", drawn.game.start)


def test_a_name_cannot_break_out_of_its_header():
    pgn = table(moves="e4").game.exports(['Ann "the \\ rook" ]', "Ben"])["pgn"]
    assert "[White \"Ann 'the / rook' ]\"]" in pgn
    assert read_pgn(pgn).headers["Black"] == "Ben"


# -- what is seen -------------------------------------------------------------------------


def test_everybody_sees_the_same():
    at = table(moves="e4 e5 Nf3")
    assert save(at.game, WHITE) == save(at.game, BLACK) == save(at.game, None)
    assert at.match.view(BLACK).board == at.game.board  # type: ignore[attr-defined]


def test_resigning_is_the_last_thing_offered():
    at = table()
    offers = at.match.offers(WHITE)
    assert offers[-1] == Resign()
    assert len([offer for offer in offers if isinstance(offer, Move)]) == 20
    assert at.match.classes(WHITE) == [Move]


def test_a_sample_is_a_legal_move():
    match = table(moves="e4").match
    seen: Any = match.view(BLACK)
    sample = Move.sample(seen, seen.seats[BLACK], Chance("dice"))
    assert match.check(BLACK, sample) == sample


# -- on the page ----------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Flask:
    settings = Settings(data=tmp_path, database_url=f"sqlite:///{tmp_path / 'db'}", secret_keys=("k" * 32,))
    upgrade(settings.database_url)
    return create_app(settings)


def seated(site: Flask, **options: str) -> tuple[Local, Local, str]:
    """Ann with White and Ben with Black, at a table."""
    ann, ben = Local(site), Local(site)
    address = ann.start("chess", name="Ann", **options).table
    ben.join(address, "Ben")
    return ann, ben, address


def labels(page: Page) -> list[str]:
    """The names of the squares, as they are read out."""
    board = page.text.partition('<table class="chess"')[2].partition("</table>")[0]
    named = re.findall(r'aria-label="([^"]+)"|<span class=vh>([^<]+)', board)
    return [link or plain for link, plain in named]


def test_each_side_sees_the_board_from_its_own_side_and_onlookers_from_whites(site):
    ann, ben, address = seated(site)
    assert labels(ann.get(address))[0] == "a8, black rook"
    assert labels(ben.get(address))[0] == "h1, white rook"
    assert labels(Local(site).get(address))[-1] == "h1, white rook"
    assert len(labels(ben.get(address))) == 64


def test_two_clicks_move_a_piece(site):
    ann, ben, address = seated(site)
    page = ann.get(address)
    assert f"{address}?pick=g1#board" in page.seen.links
    assert f"{address}?pick=f1#board" not in page.seen.links  # it cannot move
    picked = ann.get(f"{address}?pick=g1")
    assert "g1, white knight, selected" in labels(picked)
    [button] = [each for each in picked.form("/turn").moves if each.value == "move g1f3"]
    assert ann.submit(picked, "/turn", button).status == 303
    assert "f3, white knight, last move" in labels(ben.get(address))


def test_enter_in_the_text_box_plays_what_is_written_there(site):
    ann, _, address = seated(site)
    picked = ann.get(f"{address}?pick=g1")
    first = picked.form("/turn").buttons[0]  # what browsers press on Enter
    assert (first.name, first.value) == ("do", "move")
    assert ann.submit(picked, "/turn", first, notation="e4").status == 303
    assert "plays e4" in ann.get(address).words


def test_a_refused_move_says_why_and_stays_in_the_box(site):
    ann, _, address = seated(site)
    page = ann.submit(ann.get(address), "/turn", notation="Bb5", do="move")
    assert (page.status, page.token) == (422, "chess.illegal_move")
    assert "the way to b5 is blocked" in page.words
    assert 'value="Bb5"' in page.text


def test_a_promotion_asks_which_piece(site):
    ann, _, address = seated(site, start="position", position="8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page = ann.get(f"{address}?pick=a7")
    assert [each.value for each in page.form("/turn").moves if "a7a8" in each.value] == [
        "move a7a8q",
        "move a7a8r",
        "move a7a8b",
        "move a7a8n",
    ]
    assert "a8, become a queen" in labels(page)


def test_check_captures_and_the_last_move_are_named(site):
    ann, ben, address = seated(site)
    moves = "e4 f5 exf5 Nf6 a3 g6 fxg6 a6 g7 a5 Qh5"
    for nth, move in enumerate(moves.split()):
        assert (ann, ben)[nth % 2].move(address, f"move {move}").status == 303
    page = ben.get(address)
    assert "e8, black king, in check" in labels(page)
    assert "Check. Make your move." in page.words
    assert "has captured 2 pawns" in page.words
    assert re.search(r"6\.\s*Qh5\+", page.words)


def test_the_buttons_for_draws_come_and_go_and_resigning_asks_once_more(site):
    ann, ben, address = seated(site)
    page = ann.get(address)
    assert [each.value for each in page.form("/turn").moves] == ["offer_draw"]
    [resign] = [link for link in page.seen.links if "resign" in link]
    assert "Resign the game?" in ann.get(resign.replace("&amp;", "&")).words
    ann.move(address, "offer_draw")
    assert ann.get(address).form("/turn").moves == []
    ann.move(address, "move e4")
    assert [each.value for each in ben.get(address).form("/turn").moves] == ["accept_draw", "decline_draw"]
    ben.move(address, "accept_draw")
    assert "A draw by agreement." in ann.get(address).words


def test_the_page_offers_the_game_as_pgn(site):
    ann, _, address = seated(site)
    ann.move(address, "move e4")
    [link] = [each for each in Local(site).get(address).seen.links if each.endswith("export.pgn")]
    assert '[White "Ann"]' in Local(site).get(link).text


def test_a_bad_position_is_refused_on_the_options_page(site):
    ann = Local(site)
    page = ann.submit(ann.get("/new/chess"), "/new/chess", start="position", position="8/8/8 w")
    assert page.status == 422
    assert "A game cannot start from there" in page.words


def test_a_page_is_light(site):
    ann, _, address = seated(site)
    page = ann.get(f"{address}?pick=g1")
    assert len(page.body) < 40_000
