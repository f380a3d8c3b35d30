"""A position that is put up: the board with what a press on each square makes of it, pieces and rights."""

from collections.abc import Iterator
from typing import NamedTuple

import chess

from strifebarge.rules import Text
from strifebarge.rules.board import Squares

from .notation import laid_out
from .pieces import DRAWN, FILES, Man

EMPTY = "x"  # held: a press empties a square
RIGHTS = {
    "K": (chess.H1, Text("White castles kingside")),
    "Q": (chess.A1, Text("White castles queenside")),
    "k": (chess.H8, Text("Black castles kingside")),
    "q": (chess.A8, Text("Black castles queenside")),
}
SIDES = ((chess.WHITE, Text("White to move")), (chess.BLACK, Text("Black to move")))


class Spot(NamedTuple):
    """A square, and what there is after a press on it."""

    man: Man | None
    dark: bool
    position: str
    held: str


class Choice(NamedTuple):
    """Something to choose: `held`, or another position; `chosen` where it is so already."""

    name: Text
    chosen: bool
    position: str
    held: str = ""
    man: Man | None = None


class Editor(NamedTuple):
    """The things that `position.html` shows."""

    position: str  # as a FEN
    held: str  # a piece, by its letter in a FEN; a square whose piece was picked up; EMPTY; or ""
    files: str
    layout: Squares
    spots: dict[str, Spot]
    men: list[Choice]
    sides: list[Choice]
    rights: list[Choice]  # those for which king and rook stand there
    others: list[Choice]  # other positions to begin with


def arranging(position: str, held: str) -> Editor | None:
    """Return a position with all that may be done to it, "" for the usual start; None if it is none."""
    try:
        board = laid_out(position) if position.strip() else chess.Board()
    except ValueError:
        return None
    fen = board.fen()
    names = [f"{file}{n}" for n in range(8, 0, -1) for file in FILES]
    held = held if held in DRAWN or held in (*names, EMPTY) else ""
    return Editor(
        position=fen,
        held=held,
        files=FILES,
        layout=Squares((n, [f"{file}{n}" for file in FILES]) for n in range(8, 0, -1)),
        spots={at: _spot(board, at, held, fen) for at in names},
        men=[Choice(man.name, held == each, fen, each, man) for each, man in DRAWN.items()],
        sides=[Choice(name, board.turn == color, _turned(board, color), held) for color, name in SIDES],
        rights=[*_rights(board, held)],
        others=[
            Choice(Text("Usual start"), False, chess.STARTING_FEN),
            Choice(Text("Empty board"), False, chess.Board(None).fen(), held),
        ],
    )


def _spot(board: chess.Board, at: str, held: str, fen: str) -> Spot:
    square = chess.parse_square(at)
    there, dark = board.piece_at(square), not chess.BB_SQUARES[square] & chess.BB_LIGHT_SQUARES
    man = DRAWN[there.symbol()] if there else None
    if not held:
        return Spot(man, dark, fen, at if there else "")
    after = board.copy(stack=False)
    _press(after, square, held)
    return Spot(man, dark, _tidy(after), held if held in DRAWN or held == EMPTY else "")


def _press(board: chess.Board, square: chess.Square, held: str) -> None:
    """Put what is held on a square; the same piece once more is taken off."""
    there = board.piece_at(square)
    if held == EMPTY or (there and there.symbol() == held):
        board.remove_piece_at(square)
    elif held in DRAWN:
        board.set_piece_at(square, chess.Piece.from_symbol(held))
    elif man := board.remove_piece_at(chess.parse_square(held)):
        board.set_piece_at(square, man)


def _tidy(board: chess.Board) -> str:
    """Return a board as a FEN, without rights that it has lost by what was put up."""
    board.ep_square = None
    board.castling_rights = board.clean_castling_rights()
    return board.fen()


def _turned(board: chess.Board, color: chess.Color) -> str:
    after = board.copy(stack=False)
    after.turn = color
    return _tidy(after) if color != board.turn else board.fen()


def _rights(board: chess.Board, held: str) -> Iterator[Choice]:
    """Yield the rights to castle that can be given, or taken back."""
    for rook, name in RIGHTS.values():
        after = board.copy(stack=False)
        given = bool(after.castling_rights & chess.BB_SQUARES[rook])
        after.castling_rights ^= chess.BB_SQUARES[rook]
        if given or after.castling_rights == after.clean_castling_rights():
            yield Choice(name, given, after.fen(), held)
