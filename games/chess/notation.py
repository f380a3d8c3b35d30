"""Chess notation: moves, positions and whole games, all read by the library `chess`."""

import re
from contextlib import suppress
from io import StringIO

import chess
import chess.pgn
from chess import Status

from strifebarge.rules import Text

PROBLEMS = {
    Status.EMPTY: "the board is empty",
    Status.NO_WHITE_KING: "White has no king",
    Status.NO_BLACK_KING: "Black has no king",
    Status.TOO_MANY_KINGS: "a side has more than one king",
    Status.TOO_MANY_WHITE_PAWNS: "White has more than eight pawns",
    Status.TOO_MANY_BLACK_PAWNS: "Black has more than eight pawns",
    Status.TOO_MANY_WHITE_PIECES: "White has more than sixteen pieces",
    Status.TOO_MANY_BLACK_PIECES: "Black has more than sixteen pieces",
    Status.PAWNS_ON_BACKRANK: "a pawn stands on the first or the last rank",
    Status.OPPOSITE_CHECK: "the side that has just moved is in check",
    Status.BAD_CASTLING_RIGHTS: "castling is allowed where the king or rook isn't on its square",
    Status.INVALID_EP_SQUARE: "no pawn has just passed the square given for en passant",
    Status.TOO_MANY_CHECKERS: "no move could give this check",
    Status.IMPOSSIBLE_CHECK: "no move could give this check",
}
CASTLING = ("O-O", "O-O-O")
NEITHER = "this is neither a FEN nor a game in PGN"
OTHER_GAME = "this game isn't chess"


class Strict(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Reads a game in PGN and raises what is wrong in it, instead of passing over it."""

    def handle_error(self, error: Exception) -> None:
        raise error


# -- moves -------------------------------------------------------------------------


def tidy(move: str) -> str:
    """Return a move without its ornaments: `0-0+` is O-O, `nf3` is Nf3, `E2E4` is e2e4.

    A small b is a pawn's file, whatever was meant.
    """
    move = re.sub(r"^\s+|[\s+#!?]+$", "", move)
    if not move.isascii():
        return move
    # fmt: off
    match move[:1]:
        case "O" | "o" | "0": return move.upper().replace("0", "O")
        case "N" | "R" | "Q" | "K" | "B" | "n" | "r" | "q" | "k": return move.capitalize()
    # fmt: on
    squares, equals, piece = move.lower().partition("=")
    return squares + equals + piece.upper()


def read(board: chess.Board, move: str) -> chess.Move | None:
    """Return the legal move that is written, in UCI or SAN; None if there is none."""
    for parse in (board.parse_uci, board.parse_san):
        with suppress(ValueError):
            return parse(move) or None  # the library takes “0000”, which moves nothing, for a move
    return None


def is_written(move: str) -> bool:
    """Tell whether a tidy move is one in UCI or SAN, whatever the position."""
    return move in CASTLING or chess.SAN_REGEX.match(move) is not None  # which takes UCI too


# -- positions ---------------------------------------------------------------------


def laid_out(text: str) -> chess.Board:
    """Return the board of a FEN, or at the end of a game in PGN.  Raises ValueError with the reason."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    return from_fen(text.strip()) if "/" in first else from_pgn(text)


def from_fen(fen: str) -> chess.Board:
    try:
        board = chess.Board(fen, chess960=True)
    except ValueError as wrong:
        raise ValueError(str(wrong).partition(":")[0]) from wrong
    board.chess960 = board.has_chess960_castling_rights()
    return board


def from_pgn(pgn: str) -> chess.Board:
    """Return the board at the end of a game, with all its moves.  Raises ValueError with the reason."""
    lines = re.sub(r'"\]\s*', '"]\n', pgn)  # a form's field has put them all on one
    try:
        game = chess.pgn.read_game(StringIO(lines), Visitor=Strict)
    except ValueError as wrong:
        raise ValueError(str(wrong).rpartition(" in ")[0] or str(wrong)) from wrong
    if game is None or (game.is_end() and "FEN" not in game.headers):
        raise ValueError(NEITHER)
    board = game.end().board()
    if type(board) is not chess.Board:
        raise ValueError(OTHER_GAME)
    return board


def unplayable(board: chess.Board) -> Text | None:
    """Return why a game cannot be played from this position, or None if it can."""
    for problem, words in PROBLEMS.items():
        if problem in board.status():
            return Text(words)
    return Text("the game is over there") if board.outcome() else None


# -- games -------------------------------------------------------------------------


def written(board: chess.Board, result: str, white: str, black: str) -> str:
    """Return a game in PGN."""
    game = chess.pgn.Game.from_board(board)
    game.headers.update(
        {"Event": "StrifeBarge", "White": header(white), "Black": header(black), "Result": result}
    )
    return f"{game}\n"


def header(name: str) -> str:
    """Return a name that can stand between quotes in a PGN header."""
    return name.replace("\\", "/").replace('"', "'")
