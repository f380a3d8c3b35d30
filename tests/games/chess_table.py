"""A game of chess for tests: set up, played on, and asked how it stands."""

import random
from collections.abc import Callable
from functools import cache
from io import StringIO
from typing import Any

import chess
import chess.pgn
import pytest

from games.chess.rules import (
    Chess,
    Move,
    Start,
)
from strifebarge.rules import Refused
from strifebarge.rules.testing import Tabletop
from strifebarge.rules.text import tell

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


def refusal_of(refused: Callable[[], Any]) -> tuple[Any, str]:
    """Why something is refused, and in which words."""
    with pytest.raises(Refused) as caught:
        refused()
    return caught.value.why, tell(caught.value.text, None)


def ending(at: Tabletop) -> tuple[str, str]:
    """How it ended, in words, and the result as in PGN."""
    assert at.match.result is not None
    return at.why, at.game.result


def places(at: Tabletop) -> list[list[int]]:
    assert at.match.result is not None
    return at.match.result.places


def pgn_of(at: Tabletop) -> chess.pgn.Game:
    """The game as another program reads it."""
    return read_pgn(at.game.exports(["Ann", "Ben"])["pgn"])


def read_pgn(pgn: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(StringIO(pgn))
    assert game is not None
    assert not game.errors
    return game


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
