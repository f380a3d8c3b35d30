"""The picture of a position of chess."""

from typing import NamedTuple

import chess

from .rules import Chess


class Piece(NamedTuple):
    """A piece, and its square counted from the top left."""

    letter: str
    white: bool
    x: int
    y: int


def picture(game: Chess) -> list[Piece]:
    """Return the pieces, those of White last, so that each side is drawn in one group."""
    men = sorted(game.board.piece_map().items(), key=lambda each: each[1].color)
    return [
        Piece(man.symbol().lower(), man.color, chess.square_file(at), 7 - chess.square_rank(at))
        for at, man in men
    ]
