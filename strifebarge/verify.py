"""Check the record of a game on your own machine:  python verify.py eights-0123456789abcdef.json

Needs Python and the rules (`pip install strifebarge`), and no network.  Checks that the seed is the promised
one, that every draw comes from it (`draw`), and that every move is legal and leads where the record says.
"""

import hmac
import json
import sys
from hashlib import sha256
from importlib import import_module, util
from pathlib import Path
from typing import Any

import msgspec

from strifebarge.lib.shipped import games
from strifebarge.rules import Chance
from strifebarge.rules.action import FRAMEWORK
from strifebarge.rules.match import Match
from strifebarge.rules.notation import from_json
from strifebarge.rules.schema import actions, games_in, options_type
from strifebarge.rules.sources import verdict_on

drawn: dict[tuple[str, int], list[Any]] = {}  # by stream and number: stream, number, bound and value


class RecordMismatch(Exception):
    """The record does not hold; the text says where and why."""


def draw(seed: str, stream: str, number: int, below: int) -> int | None:
    """Return the number from 0 to `below` - 1 of a block of a stream; None for a block to skip."""
    block = int.from_bytes(hmac.digest(seed.encode(), f"{stream}:{number}".encode(), "sha256"), "big")
    return block % below if block < 2**256 - 2**256 % below else None


def draw_next(chance: Chance, below: int) -> int:
    """Draw for the rules: return the value of the next block of the stream that is not skipped."""
    value = None
    while value is None:
        number = chance.drawn[chance.name] = chance.drawn.get(chance.name, 0) + 1
        value = draw(chance.seed, chance.name, number, below)
    drawn[chance.name, number] = [chance.name, number, below, value]
    return value


def must(holds: object, why: str) -> None:
    """Raise Wrong with this reason unless something holds."""
    if not holds:
        raise RecordMismatch(why)


def begun(record: dict[str, Any]) -> Match:
    """Return the game of the record as its rules deal it.  Raises Wrong."""
    must(record["game"].isidentifier(), "The record names no game.")
    name = f"{games.__name__}.{record['game']}.rules"
    older = f"{name}_{record['rules_version']:d}"  # where the game still has them
    [rules] = games_in(import_module(older if util.find_spec(older) else name))
    options = msgspec.convert(record["options"], options_type(rules))
    return Match.new(rules, len(record["names"]), record["seed"], options)


def play(match: Match, move: dict[str, Any]) -> None:
    """Play one move by the rules, to the position that the record says.  Raises Refused, Wrong."""
    match.repeat(move["seat"], from_json(move["action"], (*actions(match.rules), *FRAMEWORK)))
    if move["fingerprint"]:
        must(not match.pending, "it is not complete")
        must(match.fingerprint() == move["fingerprint"], "it leads to another position")


def check(record: dict[str, Any]) -> str:
    """Return one line about a record that holds.  Raises Wrong."""
    seed, recorded = record["seed"], record["draws"]  # None where none were written down
    must(sha256(seed.encode()).hexdigest() == record["commitment"], "The seed is not the promised one.")
    for stream, number, below, value in (each for draws in recorded or () for each in draws):
        must(draw(seed, stream, number, below) == value, f"Draw {stream}:{number} is not of the seed.")
    Chance.below = draw_next  # type: ignore[assignment, method-assign]
    match, count = begun(record), 0
    for number, move in enumerate([{}, *record["moves"]]):
        try:
            if number:
                must(move["number"] == number, "it has another number")
                play(match, move)
            new, count = list(drawn.values())[count:], len(drawn)
            must(recorded is None or recorded[number] == new, "it draws something else than the record says")
        except Exception as error:  # whatever the rules make of it
            verdict = verdict_on(record, import_module(match.rules.__module__))
            sys.exit(f"{verdict} Move {number}: {getattr(error, 'text', error)}")
    must(not number or move["fingerprint"], "The last move leads nowhere.")
    end = [match.result is not None, match.result.places if match.result else []]
    must(end == [record["finished"], record["places"]], "It ends otherwise than the record says.")
    return f"It holds: the seed, {count} draws and {number} moves, to the position {match.fingerprint()}."


if __name__ == "__main__":
    try:
        print(check(json.loads(Path(sys.argv[1]).read_bytes())))
    except Exception as error:  # whatever a file may hold
        sys.exit(f"It does not hold. {type(error).__name__}: {error}")
