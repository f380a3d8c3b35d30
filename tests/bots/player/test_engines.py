"""Chess is played by Stockfish where it is installed, and by our own thinking where it is not or fails."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from games.chess.rules import Chess, Move, Start
from strifebarge.bots.player.engines import STRENGTHS, find, position
from strifebarge.bots.player.task import BotTask, SightingData
from strifebarge.bots.search.sighting import sighting
from strifebarge.rules.match import Match
from strifebarge.rules.notation import read
from tests.bots.player.test_thinker import pid_of
from tests.conftest import need
from tests.rules.every_setting import EVERY_GAME
from tests.support.servers import Unavailable, children, gone, wait_for

pytestmark = pytest.mark.full("starts processes that think")

PROGRAM = Path(__file__).with_name("uci.py")
BLACKS = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets a program of this test be the only stockfish that is found."""

    def put(how: str) -> None:
        program = tmp_path / "stockfish"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{PROGRAM}" {how}\n')
        program.chmod(0o755)

    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return put


def after(*moves: str, **options: str) -> BotTask:
    """The question to the side that is to move after these moves."""
    match = Match.new(Chess, 2, "a deal", Start(**options))  # type: ignore[arg-type]
    for move in moves:
        match.move(match.waiting_for()[0], Move(move))
    return BotTask(SightingData.of(sighting(match, match.waiting_for()[0])), "medium", "a secret", 5.0)


def test_a_program_is_told_the_position_and_how_well_to_play(stub, thinker, capfd) -> None:
    stub("plays")
    answer = thinker.think(after("e4", "e5"))
    assert (answer.move, answer.program, answer.is_grounded) == ("move a2a3", "stockfish", True)
    assert thinker.think(after(start="position", position=BLACKS)).move == "move a7a5"
    log = capfd.readouterr().err
    assert f"nodes {STRENGTHS['medium'].nodes}" in log
    assert f"value {STRENGTHS['medium'].skill}" in log


@pytest.mark.parametrize("how", ["dies", "lies", "hangs"])
def test_without_a_program_that_works_the_bot_thinks_for_itself(stub, thinker, how, capfd) -> None:
    stub(how)
    for _ in range(2):
        task = after("e4")
        answer = thinker.think(BotTask(task.sighting, task.level, task.seed, 0.5))
        assert answer.move.startswith("move ")
        assert (answer.program, answer.worlds) == ("", 1)
    assert "is done without" in capfd.readouterr().err


@pytest.mark.slow
def test_stockfish_itself_plays_every_start(thinker) -> None:
    if not need(lambda: _installed()):
        return
    for level in STRENGTHS:
        for start in ("standard", "chess960"):
            task = after(start=start)
            answer = thinker.think(BotTask(task.sighting, level, task.seed, 5.0))
            assert answer.program == "stockfish"
            assert isinstance(read(answer.move, [Move]), Move)
    program = children(pid_of(thinker))
    thinker.end()
    wait_for(lambda: all(map(gone, program)), awaited="the end of the program")


def _installed() -> str:
    if path := find("stockfish"):
        return path
    raise Unavailable("stockfish is not on this machine (Debian: apt-get install stockfish)")


@EVERY_GAME
def test_a_game_that_has_no_program_says_so(rules) -> None:
    game = Match.new(rules, 3 if rules.title == "7 Startups" else 2, "a deal").game
    assert (position(game) is None) == (rules is not Chess)
