"""The pieces of a game of chess: their words, the same piece from move to move, and the material."""

from functools import lru_cache
from typing import NamedTuple

import chess

from strifebarge.rules import Text, count

from .rules import PAWNS_WORTH, Chess

FILES = "abcdefgh"
KINDS = {
    "k": Text("king"),
    "q": Text("queen"),
    "r": Text("rook"),
    "b": Text("bishop"),
    "n": Text("knight"),
    "p": Text("pawn"),
}
MEN = {
    "K": Text("white king"),
    "Q": Text("white queen"),
    "R": Text("white rook"),
    "B": Text("white bishop"),
    "N": Text("white knight"),
    "P": Text("white pawn"),
    "k": Text("black king"),
    "q": Text("black queen"),
    "r": Text("black rook"),
    "b": Text("black bishop"),
    "n": Text("black knight"),
    "p": Text("black pawn"),
}


class Man(NamedTuple):
    """A piece: the letter and the colour of its drawing, and its name in words."""

    letter: str
    white: bool
    name: Text


DRAWN = {symbol: Man(symbol.lower(), symbol.isupper(), name) for symbol, name in MEN.items()}


def counted(letter: str, n: int) -> Text:
    """Return how many there are of a kind of piece: `2 rooks`."""
    # fmt: off
    match letter:
        case "p": return count("{n} pawn", "{n} pawns", n)
        case "n": return count("{n} knight", "{n} knights", n)
        case "b": return count("{n} bishop", "{n} bishops", n)
        case "r": return count("{n} rook", "{n} rooks", n)
    # fmt: on
    return count("{n} queen", "{n} queens", n)


def counted_in(letters: str) -> list[Text]:
    """Return how many there are of each kind, in the order in which they come."""
    return [counted(letter, letters.count(letter)) for letter in dict.fromkeys(letters)]


# -- the same piece from move to move ----------------------------------------------


@lru_cache(64)
def names_of(start: str, moves: tuple[str, ...]) -> dict[str, str]:
    """Return the names of the pieces by the squares on which they stand after these moves, in UCI.

    A piece is named by the square on which it began: `man-e2`.  It keeps that name when it castles or is
    promoted, and has it again when a move is taken back.  The dict is shared: it may not be changed.
    """
    first = chess.Board(start, chess960=True).piece_map()
    men = {chess.square_name(square): man.symbol() for square, man in first.items()}
    names = {at: f"man-{at}" for at in men}
    for move in moves:
        _carry(men, names, move)
    return names


def _carry(men: dict[str, str], names: dict[str, str], move: str) -> None:
    """Carry out a move: `men` are the symbols of the pieces by their squares, `names` their names."""
    start, end, becomes = move[:2], move[2:4], move[4:]
    man, name = men.pop(start), names.pop(start)
    if rook := _castling_rook(men, man, start, end):
        side = "gf" if end > start else "cd"
        rook_man, rook_name = men.pop(rook), names.pop(rook)
        end = side[0] + start[1]
        men[side[1] + start[1]], names[side[1] + start[1]] = rook_man, rook_name
    elif man in "Pp" and start[0] != end[0] and end not in men:  # en passant
        del men[end[0] + start[1]], names[end[0] + start[1]]
    men[end] = (becomes.upper() if man.isupper() else becomes) or man
    names[end] = name


def _castling_rook(men: dict[str, str], man: str, start: str, end: str) -> str:
    """Return the square of the rook with which the king castles; "" if the move is no castling."""
    if man not in "Kk":
        return ""
    if men.get(end) == ("R" if man == "K" else "r"):  # as in Chess960: the king goes onto his rook
        return end
    if abs(ord(end[0]) - ord(start[0])) == 2:
        return ("h" if end > start else "a") + start[1]
    return ""


# -- material ----------------------------------------------------------------------


class Material(NamedTuple):
    """The pieces that a seat has captured, by letters and colour, and the pawns' worth that it is ahead."""

    letters: str
    white: bool
    lead: int
    offers: bool = False  # it offers a draw


def material(game: Chess, number: int) -> Material:
    """Return the captured material of a seat, from queen to pawns, and its lead on the board.

    The lead counts the pieces that stand there now: those that pawns became, and whatever was missing
    at the start.
    """
    white = number == 1  # the captured pieces are of the other colour
    counts = {each: game.taken.count(each.upper() if white else each) for each in "qrbnp"}
    balance = sum(
        worth * (len(game.board.pieces(kind, chess.WHITE)) - len(game.board.pieces(kind, chess.BLACK)))
        for kind, worth in PAWNS_WORTH.items()
    )
    letters, lead = "".join(letter * n for letter, n in counts.items()), -balance if white else balance
    return Material(letters, white, max(0, lead), game.offer == number)
