"""Engines: programs of others that play a game, spoken to by UCI, the protocol of chess programs."""

from msgspec import Struct


class Engine(Struct, frozen=True):
    """A program that plays a game, and the position that it is to find a move in."""

    program: str  # as it is called on the command line: `stockfish`
    start: str  # the position with which the game began, as a FEN
    moves: list[str] = []  # all moves since, in UCI: `g1f3`
    chess960: bool = False
    words: str = "move {move}"  # the action in words, with a hole for what the program answers
