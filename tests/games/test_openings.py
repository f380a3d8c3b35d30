"""Names of openings: the file of them, and the name that stands over a score sheet."""

import re

import chess
import pytest

from games.chess.board import sheet
from games.chess.board_openings import FILE, opening_of, openings
from games.chess.rules import Chess, Move, Start
from strifebarge.rules.testing import SeenBoard, Tabletop

LINES = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_each_line_has_a_code_a_name_of_its_own_and_moves_of_its_own_that_are_legal() -> None:
    assert len(LINES) >= 150
    assert len({name for _, name, _ in LINES}) == len(LINES)
    played = set()
    for code, name, moves in LINES:
        assert re.fullmatch(r"[A-E]\d\d", code), name
        board = chess.Board()
        for san in moves.split():
            move = board.parse_san(san)
            assert board.san(move).rstrip("+#") == san, name
            board.push(move)
        played.add(" ".join(move.uci() for move in board.move_stack))
    assert len(played) == len(LINES) == len(openings())


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("", ""),
        ("a2a4", ""),
        ("e2e4", "B00 King's Pawn Game"),
        ("e2e4 c7c5 h2h4", "B20 Sicilian Defence"),
        (
            "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4",
            "C67 Ruy Lopez: Berlin Defence, Rio de Janeiro Variation",
        ),
    ],
)
def test_a_game_has_the_name_of_the_longest_line_that_it_begins_with(moves: str, name: str) -> None:
    opening = opening_of(moves.split())
    assert (opening.words if opening else "") == name


def test_the_name_stands_on_the_score_sheet_and_goes_with_the_game() -> None:
    at = Tabletop(Chess)
    assert sheet(SeenBoard(at.match, 0)).name == ""
    at.plays(0, Move("e4"))
    assert sheet(SeenBoard(at.match, None)).name == "B00 King's Pawn Game"
    at.plays(1, Move("e6"))
    assert sheet(SeenBoard(at.match, 1)).name == "C00 French Defence"


def test_a_game_from_another_start_has_no_opening() -> None:
    at = Tabletop(Chess, options=Start(start="position", position="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    at.plays(0, Move("e2e4"))
    assert sheet(SeenBoard(at.match, 0)).name == ""
