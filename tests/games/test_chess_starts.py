"""Where games of chess start: from a position, by chance, from PGN; and out to PGN again."""

import re

import pytest

from games.chess.notation import laid_out, time_control
from games.chess.rules import (
    Chess,
    ClaimDraw,
    Start,
    Why,
)
from strifebarge.rules import Occasion, Pace
from strifebarge.rules.pace import PACES
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell
from tests.games.chess_positions import BAD, START

from .chess_table import BLACK, WHITE, games, pgn_of, play, read_pgn, table

# -- where games start -------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("pgn", "moves"),
    [
        ("1.e4 e5 2.Nf3! $1 Nc6?! {[%clk 0:01:00]} 3.Bc4 Bc5 4.0-0", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O"),
        ("\ufeff1. e4 ; a comment\n% a note\n1... e5", "e4 e5"),
        ("\ufeffrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""),
        ("{1/2 of it} 1. e4 (1. d4 d5 (1... Nf6 2. c4)) e5 1/2-1/2 {agreed}", "e4 e5"),
        ("e2e4 e7e5", "e4 e5"),
        ('[fen "4k3/8/8/8/8/8/P7/4K3 w - - 0 23"]\n\n23. a4 Ke7 24. a5', "a4 Ke7 a5"),
        ('[FEN "4k3/8/8/8/8/8/P7/4K3 w - - 0 23"] 1. a4 Ke7 2. a5', "a4 Ke7 a5"),
        ('[Variant "From Position"] [Annotator "\\"Ann\\""] 1. e4', "e4"),
    ],
)
def test_a_pgn_is_read_with_its_numbers_signs_comments_and_variations(pgn, moves):
    assert table(pgn).game.sheet == moves.split()


def test_repetitions_in_a_game_that_goes_on_count():
    at = table("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8")
    assert at.refused(WHITE, ClaimDraw()) is None


def test_chess960_draws_one_of_960_starts():
    starts = set()
    for seed in range(40):
        at = Tabletop(Chess, seed=str(seed), options=Start(start="chess960"))
        number = at.game.board.chess960_pos()
        assert at.log() == [f"Start position {number} of 960."]
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
    assert tell(refused.text, None) == f"A game can't start from there: {problem}."


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


# -- PGN ---------------------------------------------------------------------------------


def test_a_game_can_be_taken_home_as_pgn():
    at = table(moves="e4 e5 Nf3")
    at.leaves(BLACK)
    assert at.game.exports(["Ann", "Ben"])["pgn"] == (
        '[Event "StrifeBarge"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "-"]\n'
        '[White "Ann"]\n[Black "Ben"]\n[Result "1-0"]\n[Termination "normal"]\n[TimeControl "-"]\n\n'
        "1. e4 e5 2. Nf3 1-0\n"
    )


def test_pgn_tells_all_that_the_site_knows_in_the_order_of_the_standard():
    occasion = Occasion(
        event='The "Cup"', round=3, site="https://a.example/r/1", date="2030-12-31", pace=Pace.clock(10, 5)
    )
    pgn = table("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a4").game.exports(["Ann", "Ben"], occasion)["pgn"]
    assert re.findall(r'\[(\w+) "(.*)"\]', pgn) == [
        ("Event", "The 'Cup'"),
        ("Site", "https://a.example/r/1"),
        ("Date", "2030.12.31"),
        ("Round", "3"),
        ("White", "Ann"),
        ("Black", "Ben"),
        ("Result", "*"),
        ("FEN", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),
        ("SetUp", "1"),
        ("Termination", "unterminated"),
        ("TimeControl", "600+5"),
    ]


@pytest.mark.parametrize("pace", PACES, ids=lambda pace: pace.key)
def test_every_pace_is_a_time_control_of_pgn(pace):
    control = time_control(pace)
    assert re.fullmatch(r"1/\d+|\d+(\+\d+)?", control)
    assert control.startswith("1/") == (pace.kind in ("turn", "days"))


def test_pgn_says_how_the_game_was_terminated():
    left, late, called = table(moves="e4"), table(moves="e4"), table(moves="e4")
    left.leaves(WHITE)
    late.match.miss(BLACK, True)
    called.match.call_draw(WHITE)
    ended = [pgn_of(at).headers for at in (left, late, called)]
    assert [(each["Termination"], each["Result"]) for each in ended] == [
        ("normal", "0-1"),
        ("time forfeit", "1-0"),
        ("abandoned", "1/2-1/2"),
    ]
    stopped = table(moves="e4").game.exports(["Ann", "Ben"], Occasion(unfinished=True))["pgn"]
    assert '[Termination "abandoned"]' in stopped


def test_no_line_of_a_pgn_is_longer_than_the_standard_allows():
    at = table(games()[0])
    lines = at.game.exports(["Ann", "Ben"])["pgn"].splitlines()
    assert max(map(len, lines)) < 80


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
