"""Checks the record of a game on your own machine:  python verify.py eights-0123456789abcdef.json

It needs Python and the rules (`pip install strifebarge`), and asks nobody: is the seed the promised one,
does every draw come from it, is every move legal, does it lead where it says?  The rules draw by `draw`.
"""

import hmac
import json
import sys
from functools import partial
from hashlib import sha256
from importlib import import_module, util
from pathlib import Path
from typing import Any

import msgspec

from strifebarge.rules import Chance, Refused
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, games_in, options_type

drawn: dict[tuple[str, int], list[Any]] = {}  # by stream and number: these, below how many, and the value


class Wrong(Exception):
    """Where the record does not hold, and why."""


def draw(seed: str, stream: str, number: int, below: int) -> int | None:
    """What a block of a stream gives: a number below so many; None if it is to be passed over."""
    block = int.from_bytes(hmac.digest(seed.encode(), f"{stream}:{number}".encode(), "sha256"), "big")
    return block % below if block < 2**256 - 2**256 % below else None


def draw_next(chance: Chance, below: int) -> int:
    """How the rules draw here: the next block of the stream that is not passed over."""
    value = None
    while value is None:
        number = chance.drawn[chance.name] = chance.drawn.get(chance.name, 0) + 1
        value = draw(chance.seed, chance.name, number, below)
    drawn[chance.name, number] = [chance.name, number, below, value]
    return value


def must(holds: object, why: str) -> None:
    if not holds:
        raise Wrong(why)


def begun(record: dict[str, Any]) -> Match:
    """The game of the record, dealt by its rules."""
    must(record["game"].isidentifier(), "The record names no game.")
    name = f"games.{record['game']}.rules"
    older = f"{name}_{record['rules_version']:d}"  # where the game still has them
    [rules] = games_in(import_module(older if util.find_spec(older) else name))
    options = msgspec.convert(record["options"], options_type(rules))
    return Match.new(rules, len(record["names"]), record["seed"], options)


def play(match: Match, move: dict[str, Any]) -> None:
    """One move by the rules, to the position the record says.  Raises Refused, Wrong."""
    late: Any = partial(match.miss, out=move["action"].get("out"))
    if whole := {"undo": match.take_back, "leave": match.leave, "late": late}.get(move["action"]["do"]):
        whole(move["seat"])
    else:
        match.move(move["seat"], from_json(move["action"], actions(match.rules)))
    if move["fingerprint"]:
        must(match.number == move["number"], "it is not complete")
        must(match.fingerprint() == move["fingerprint"], "it leads to another position")


def check(record: dict[str, Any]) -> str:
    """One line on a record that holds.  Raises Wrong."""
    seed, told = record["seed"], record["draws"]  # None where none were written down
    must(sha256(seed.encode()).hexdigest() == record["commitment"], "The seed is not the promised one.")
    for stream, number, below, value in (each for draws in told or () for each in draws):
        must(draw(seed, stream, number, below) == value, f"Draw {stream}:{number} is not of the seed.")
    Chance.below = draw_next  # type: ignore[assignment, method-assign]
    match, seen = begun(record), 0
    for number, move in enumerate([{}, *record["moves"]]):
        try:
            if number:
                must(move["number"] == number, "it has another number")
                play(match, move)
            new, seen = list(drawn.values())[seen:], len(drawn)
            must(told is None or told[number] == new, "it draws something else than the record says")
        except (Refused, Wrong) as wrong:
            raise Wrong(f"Move {number}: {getattr(wrong, 'text', wrong)}") from wrong
    must(not number or move["fingerprint"], "The last move leads nowhere.")
    end = [match.result is not None, match.result.places if match.result else []]
    must(end == [record["finished"], record["places"]], "It ends otherwise than the record says.")
    return f"It holds: the seed, {seen} draws and {number} moves, to the position {match.fingerprint()}."


if __name__ == "__main__":
    try:
        print(check(json.loads(Path(sys.argv[1]).read_bytes())))
    except Exception as error:  # whatever a file may hold
        sys.exit(f"It does not hold. {type(error).__name__}: {error}")
