"""Games played again in another process, under another hash seed: `python -m strifebarge.fuzz.elsewhere`."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from importlib import import_module
from time import monotonic
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.fuzz.acts import GameOperation, GameSetup, Ops, act, viewers
from strifebarge.lib.shipped import games
from strifebarge.rules import Action, Game
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.asking import EndGame, NextStage
from strifebarge.rules.codec import save
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, options_type
from strifebarge.rules.text import pack

PATIENCE = 200  # seconds for all games of one process
SHRINK = 10.0  # seconds for making one game short
PLAYED_AT_ONCE = 2000  # acts, to find out which of them are not needed
SHOWN = 100  # options of one question


class GameAsJson(Struct, frozen=True):
    """One game as JSON: how it began, and what was done."""

    seats: int
    options: dict[str, Any]
    seed: str
    acts: list[tuple[str, int, Any]]

    @classmethod
    def of(cls, setting: GameSetup, seed: str, ops: Ops) -> "GameAsJson":
        raw = [(op.do, op.seat, op.action and msgspec.to_builtins(op.action)) for op in ops]
        return cls(setting.seats, msgspec.to_builtins(setting.options), seed, raw)

    def begin(self, rules: type[Game[Any]]) -> Match:
        options = msgspec.convert(self.options, options_type(rules))
        return Match.new(rules, self.seats, self.seed, options)

    def ops(self, rules: type[Game[Any]]) -> list[GameOperation]:
        kinds: tuple[type[Action], ...] = (*actions(rules), *FRAMEWORK)
        return [GameOperation(do, seat, raw and from_json(raw, kinds)) for do, seat, raw in self.acts]


def story(rules: type[Game[Any]], life: GameAsJson) -> list[str]:
    """Return a game, act by act: hashes of what it led to, and of what all saw, heard and were offered.

    Where the rules break down the story ends, and says how.
    """
    lines = []
    try:
        match = life.begin(rules)
        lines.append(_chapter(match))
        for op in life.ops(rules):
            act(match, op)
            lines.append(_chapter(match))
    except (Exception, EndGame, NextStage) as error:  # whatever an author may have written
        lines.append(type(error).__name__)
    return lines


def _chapter(match: Match) -> str:
    answers = {
        seat: [pack(match.prompts[seat].text), list(map(repr, match.options(seat)[:SHOWN]))]
        for seat in match.waiting_for()
    }
    views = [save(match.game, viewer).decode() for viewer in viewers(match)]
    standings = [pack(match.game.standing(seat)) for seat in match.game.seats]
    message = json.dumps([match.fingerprint(), match.take_log(), answers, views, standings])
    return sha256(message.encode()).hexdigest()[:16]


def other_process(rules: type[Game[Any]], lives: Iterable[GameAsJson], hash_seed: str) -> list[list[str]]:
    """Return the stories of these games as another process tells them.  Raises subprocess.SubprocessError."""
    command = [sys.executable, "-m", "strifebarge.fuzz.elsewhere", rules.__module__, rules.__qualname__]
    paths = [*sys.path, os.environ.get("PYTHONPATH", "")]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(  # noqa: S603 - Python itself
        command,
        input=msgspec.json.encode([list(games.__path__), list(lives)]),
        env=environ,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=True,
    )
    return msgspec.json.decode(done.stdout, type=list[list[str]])


def parting(expected: Sequence[str], there: Sequence[str]) -> int | None:
    """Return the act after which two stories of a game part; None if they are one."""
    pairs = enumerate(zip(expected, there, strict=False))
    first = next((index for index, (own, theirs) in pairs if own != theirs), min(len(expected), len(there)))
    return None if first == len(expected) == len(there) else first


def parted(rules: type[Game[Any]], lives: Sequence[GameAsJson], hash_seed: str) -> Iterator[tuple[int, int]]:
    """Yield the games, by their place, that go otherwise in another process, each with the acts it takes."""
    stories = [story(rules, life) for life in lives]
    for index, (own, theirs) in enumerate(zip(stories, other_process(rules, lives, hash_seed), strict=True)):
        at = parting(own, theirs)
        if at is not None:
            yield index, at


def shortest(rules: type[Game[Any]], life: GameAsJson, hash_seed: str, seconds: float = SHRINK) -> GameAsJson:
    """Return a shorter game that still goes otherwise in another process, as far as that is simple."""
    until, size = monotonic() + seconds, (len(life.acts) + 1) // 2
    while size and monotonic() < until:
        starts = range(0, len(life.acts), size)
        if len(starts) * len(life.acts) > PLAYED_AT_ONCE:
            break
        fewer = [_with(life, life.acts[:at] + life.acts[at + size :]) for at in starts]
        index, at = next(parted(rules, fewer, hash_seed), (None, 0))
        if index is None:
            size //= 2
        else:
            life = _with(life, fewer[index].acts[:at])
            size = min(size, (len(life.acts) + 1) // 2)
    return life


def _with(life: GameAsJson, acts: list[tuple[str, int, Any]]) -> GameAsJson:
    return msgspec.structs.replace(life, acts=acts)


def main(module: str, name: str) -> None:
    folders, lives = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[list[str], list[GameAsJson]])
    games.__path__[:] = folders
    rules = getattr(import_module(module), name)
    sys.stdout.buffer.write(msgspec.json.encode([story(rules, life) for life in lives]))


if __name__ == "__main__":
    main(*sys.argv[1:])
