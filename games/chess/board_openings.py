"""Names of openings, by the moves that lead to them: the file beside this one, with a line for each.

A line has the opening's code in the Encyclopaedia of Chess Openings, its English name and its moves in SAN.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import chess

FILE = Path(__file__).with_suffix(".tsv")


class Opening(NamedTuple):
    """A named opening."""

    code: str
    name: str
    moves: tuple[str, ...]  # in UCI, from the usual start

    @property
    def words(self) -> str:
        """The code and the name, as they stand over a score sheet."""
        return f"{self.code} {self.name}"


@cache
def openings() -> dict[tuple[str, ...], Opening]:
    """Return all openings by their moves.  Raises ValueError for a move that is not legal."""
    lines = (line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines())
    every = (Opening(code, name, _in_uci(moves.split())) for code, name, moves in lines)
    return {opening.moves: opening for opening in every}


def opening_of(moves: Sequence[str]) -> Opening | None:
    """Return the opening of the longest line that a game from the usual start begins with, if any."""
    lines = openings()
    longest = min(len(moves), _longest())
    played = tuple(moves[:longest])
    return next((lines[played[:n]] for n in range(longest, 0, -1) if played[:n] in lines), None)


@cache
def _longest() -> int:
    return max(map(len, openings()))


def _in_uci(moves: list[str]) -> tuple[str, ...]:
    board = chess.Board()
    return tuple(board.push_san(move).uci() for move in moves)
