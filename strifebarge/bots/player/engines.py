"""Programs that play a game by themselves, as Stockfish does, where the host has installed them.

A game says by `engine` which program that is, and what position it stands in.  The program is spoken to by
UCI, and is told no more than the seat sees.
"""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from inspect import isfunction
from typing import Any, NamedTuple

import chess
from chess.engine import EngineError, Limit, SimpleEngine

from strifebarge.bots.search.sighting import Sighting
from strifebarge.lib.prctl import end_with_parent
from strifebarge.rules import Action, Engine, Game
from strifebarge.rules.notation import read
from strifebarge.rules.schema import actions

PLACES = "/usr/games:/usr/local/games"  # of such programs, beside PATH
STARTS_WITHIN = 30.0  # seconds, on a busy machine
PATIENCE = 5.0  # seconds beside those of its thinking, after which a program hangs
GIVEN_UP = 3  # failures after which a program is not tried again by this process
SKILL = "Skill Level"  # an option of Stockfish, 0 to 20


class Strength(NamedTuple):
    """How well a program is to play: in numbers and not in time, so that a busy machine changes nothing."""

    skill: int
    nodes: int  # positions that it looks at


STRENGTHS = {"easy": Strength(0, 1_000), "medium": Strength(8, 20_000), "hard": Strength(20, 300_000)}


class EngineChoice(NamedTuple):
    """A choice that a program has made."""

    action: Action
    program: str


class Engines:
    """The programs that this process has started."""

    def __init__(self) -> None:
        self.running: dict[str, SimpleEngine] = {}
        self.failures: dict[str, int] = {}

    def choice(self, sighting: Sighting, level: str, seconds: float, game: str) -> EngineChoice | None:
        """Return what the program of a game would do, within some seconds; None where there is none.

        `game` tells one game from another.
        """
        engine = position(sighting.game)
        path = find(engine.program) if engine else None
        if engine is None or path is None or self.failures.get(path, 0) >= GIVEN_UP:
            return None
        try:
            move = self._ask(path, engine, STRENGTHS[level], seconds, game)
            return EngineChoice(read(engine.words.format(move=move), actions(sighting.rules)), engine.program)
        except (EngineError, OSError, TimeoutError, ValueError) as error:
            self.failures[path] = self.failures.get(path, 0) + 1
            print(f"{path} fails, and is done without: {error!r}", file=sys.stderr, flush=True)
            self._forget(path)
            return None

    def _ask(self, path: str, engine: Engine, strength: Strength, seconds: float, game: str) -> str:
        if path not in self.running:
            started = SimpleEngine.popen_uci(path, timeout=STARTS_WITHIN, preexec_fn=_end_with_parent)
            started.timeout = PATIENCE  # python-chess takes only one, for the start and for each move
            self.running[path] = started
        program = self.running[path]
        board = chess.Board(engine.start, chess960=engine.chess960)
        for move in engine.moves:
            board.push_uci(move)
        options = {SKILL: strength.skill} if SKILL in program.options else {}
        limit = Limit(nodes=strength.nodes, time=seconds)
        played = program.play(board, limit, game=game, options=options)
        if played.move is None:
            raise EngineError("it has no move")
        return board.uci(played.move)

    def _forget(self, path: str) -> None:
        if program := self.running.pop(path, None):
            with suppress(EngineError, OSError, TimeoutError):
                program.close()


def position(game: Game[Any]) -> Engine | None:
    """Return the position for a game's program, as far as it is seen; None if there is no such program."""
    make_engine: Callable[[], Engine | None] = game.engine
    return make_engine() if isfunction(type(game).engine) else None  # a field may have that name too


def find(program: str) -> str | None:
    """Return the path of a program; None if it is not installed."""
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), PLACES]))


def _end_with_parent() -> None:
    """End with the process that started this one (Linux)."""
    end_with_parent(signal.SIGKILL)
