"""The rule that forbids a move, in words.  Whether a move is legal, the library `chess` says."""

import re
from contextlib import suppress

import chess

from strifebarge.rules import Text

BECOMES = (chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT)


def rule_against(board: chess.Board, move: str) -> Text | None:
    """Return the rule that forbids what is written, or None if it is no move at all."""
    if move in ("O-O", "O-O-O"):
        return against_castling(board, kingside=move == "O-O")
    takes = "x" in move
    with suppress(ValueError):
        squares = chess.Move.from_uci(re.sub(r"(?<=[1-8])[-x]", "", move))
        if takes and board.is_legal(squares):
            return nothing_to_take(squares.to_square)
        return None if squares.drop else against(board, squares)
    if san := chess.SAN_REGEX.match(move):
        return against_san(board, takes, *san.groups())
    return None


def nothing_to_take(square: chess.Square) -> Text:
    return Text("there is nothing to take on {square}", {"square": chess.square_name(square)})


# -- in algebraic notation -----------------------------------------------------------


def against_san(
    board: chess.Board,
    takes: bool,
    letter: str | None,
    file: str | None,
    rank: str | None,
    to: str,
    becomes: str | None,
) -> Text:
    """Return the rule against a piece's move in SAN, given in its parts: `N`, `b`, None, `d2`, None."""
    kind = chess.PIECE_SYMBOLS.index(letter.lower()) if letter else chess.PAWN
    promotion = chess.PIECE_SYMBOLS.index(becomes[-1].lower()) if becomes else None
    man, square = named(kind), chess.parse_square(to)
    here = {file or ("" if letter else to[0]), rank or ""} - {""}
    men = [each for each in board.pieces(kind, board.turn) if here <= set(chess.square_name(each))]
    moves = [chess.Move(each, square, promotion) for each in men]
    if legal := [move for move in moves if board.is_legal(move)]:
        if takes and not board.is_capture(legal[0]):
            return nothing_to_take(square)
        example = board.san(legal[0])
        return Text(
            "more than one {man} can go to {square}; write which one, like {example}",
            {"man": man, "square": to, "example": example},
        )
    if not men:
        return Text("you have no {man} there" if here else "you have no {man}", {"man": man})
    near = [move for move in moves if board.is_pseudo_legal(move)]
    near = near or [move for move in moves if reaches(board, move)]
    if len(near) == 1 or len(men) == 1:
        return against(board, (near or moves)[0])
    return Text("no {man} of yours can go to {square}", {"man": man, "square": to})


# -- from square to square -----------------------------------------------------------


def against(board: chess.Board, move: chess.Move) -> Text:
    """Return the rule against a move between two squares."""
    man, there = board.piece_at(move.from_square), board.piece_at(move.to_square)
    start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
    if man is None:
        return Text("no piece stands on {square}", {"square": start})
    if man.color != board.turn:
        return Text("the {man} on {square} is not yours", {"man": named(man.piece_type), "square": start})
    if means_castling(board, move):
        return against_castling(board, kingside=move.to_square > move.from_square)
    if there and there.color == board.turn:
        return Text("your own {man} stands on {square}", {"man": named(there.piece_type), "square": end})
    if promotes(board, move) and move.promotion not in BECOMES:
        queen = chess.Move(move.from_square, move.to_square, chess.QUEEN)
        if board.is_legal(queen):
            return Text("write what the pawn becomes, like {example}", {"example": board.san(queen)})
        return against(board, queen)
    if move.promotion and not promotes(board, move):
        return Text("only a pawn on the last rank becomes another piece")
    return against_king(board, move, man) if board.is_pseudo_legal(move) else against_way(board, move, man)


def against_way(board: chess.Board, move: chess.Move, man: chess.Piece) -> Text:
    """Return the rule against a way that this piece cannot go."""
    if reaches(board, move):
        return Text("the way to {square} is blocked", {"square": chess.square_name(move.to_square)})
    if man.piece_type == chess.PAWN and move.to_square in board.attacks(move.from_square):
        return Text("a pawn moves to another file only to take a piece")
    return Text("a {man} can't move like that", {"man": named(man.piece_type)})


def against_king(board: chess.Board, move: chess.Move, man: chess.Piece) -> Text:
    """Return the rule against a move that leaves the mover's own king in check."""
    if man.piece_type == chess.KING:
        return Text("your king would be in check on {square}", {"square": chess.square_name(move.to_square)})
    if move.to_square not in board.pin(board.turn, move.from_square):
        where = {"man": named(man.piece_type), "square": chess.square_name(move.from_square)}
        return Text("the {man} on {square} is pinned: your king would be in check", where)
    if board.is_check():
        return Text("your king is in check, and would still be")
    return Text("your king would be in check")


def against_castling(board: chess.Board, kingside: bool) -> Text:
    king = board.king(board.turn)
    rooks = chess.SquareSet(board.clean_castling_rights() & board.occupied_co[board.turn])
    towards = [rook for rook in rooks if king is not None and (rook > king) == kingside]
    if king is None or not towards:
        return Text("you can't castle on that side: the king or rook has moved")
    if board.is_check():
        return Text("you can't castle out of check")
    if board.occupied & chess.between(king, towards[0]):
        return Text("there are pieces between the king and the rook")
    return Text("a piece is in the way, or the king would pass through check")


# -- small questions -----------------------------------------------------------------


def named(kind: chess.PieceType) -> Text:
    """Return what a kind of piece is called: `knight`."""
    return Text(chess.piece_name(kind))


def promotes(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether it is a pawn's move to the last rank."""
    rank = 7 if board.turn else 0
    return board.piece_type_at(move.from_square) == chess.PAWN and chess.square_rank(move.to_square) == rank


def reaches(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether a piece could go there on an empty board."""
    bare = chess.Board(None)
    bare.turn = board.turn
    bare.set_piece_at(move.from_square, board.piece_at(move.from_square))
    return bare.is_pseudo_legal(move)


def means_castling(board: chess.Board, move: chess.Move) -> bool:
    """Tell whether it is a king's move along its first rank, two files or onto its own rook."""
    home = chess.BB_RANK_1 if board.turn else chess.BB_RANK_8
    along = home & chess.BB_SQUARES[move.from_square] and home & chess.BB_SQUARES[move.to_square]
    far = chess.square_distance(move.from_square, move.to_square) == 2
    return bool(along) and board.is_castling(move) and (far or board.chess960)
