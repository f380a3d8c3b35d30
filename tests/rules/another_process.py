"""A match that goes on in a process of its own: `python -m tests.rules.another_process`.

It gets there what a store keeps, as JSON, and nothing else, under another hash seed; and comes back as it is
kept then.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.fuzz.acts import GameOperation, act
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.ledger import Move, Snapshot
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions

from ..support.servers import ROOT


class Stored(Struct):
    """A match put away, and what is to be done in it."""

    module: str
    name: str
    snapshot: Snapshot
    moves: list[tuple[int, int, Any, bool, int]]
    pending: dict[int, Any]
    acts: list[tuple[str, int, Any]] = []
    told: list[Any] = []
    fingerprint: str = ""
    hash_seed: str = ""


def suspend_now(match: Match, acts: Sequence[GameOperation] = ()) -> Stored:
    """All that a store keeps of a match."""
    plain = msgspec.to_builtins
    return Stored(
        match.rules.__module__,
        match.rules.__qualname__,
        match.snapshot,
        [(each.number, each.seat, plain(each.action), each.final, each.step) for each in match.ledger],
        {seat: plain(action) for seat, action in match.pending.items()},
        [(op.do, op.seat, op.action and plain(op.action)) for op in acts],
        match.take_log(),
        match.fingerprint(),
        os.environ.get("PYTHONHASHSEED", ""),
    )


def taken_up(stored: Stored) -> Match:
    rules = getattr(import_module(stored.module), stored.name)
    kinds = (*actions(rules), *FRAMEWORK)
    moves = [Move(number, seat, from_json(raw, kinds), *rest) for number, seat, raw, *rest in stored.moves]
    pending = {seat: from_json(raw, kinds) for seat, raw in stored.pending.items()}
    return Match(rules, stored.snapshot, moves, pending)


def elsewhere(match: Match, acts: Sequence[GameOperation], hash_seed: str) -> tuple[Match, Stored]:
    """The match after these acts were done in another process, and what that one said."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules.another_process"],
        cwd=ROOT,
        input=msgspec.json.encode(suspend_now(match, acts)),
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        timeout=60,
        check=True,
    )
    stored = msgspec.json.decode(done.stdout, type=Stored)
    return taken_up(stored), stored


def main() -> None:
    stored = msgspec.json.decode(sys.stdin.buffer.read(), type=Stored)
    match = taken_up(stored)
    kinds = (*actions(match.rules), *FRAMEWORK)
    for do, seat, raw in stored.acts:
        act(match, GameOperation(do, seat, raw and from_json(raw, kinds)))
    sys.stdout.buffer.write(msgspec.json.encode(suspend_now(match)))


if __name__ == "__main__":
    main()
