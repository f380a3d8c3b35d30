"""Check the record of a game on your own machine:  python verify.py eights-0123456789abcdef.json

Needs Python with StrifeBarge installed, and no network.  `replay_steps` plays the record again, as the site's
own check does; every draw is also computed here from the seed (`draw`).  Says what the record
does not prove.  The exit code is 0 if it holds, 1 if it does not or cannot be checked here, 2 without a file.
"""

import hmac
import sys
from importlib import import_module, util
from pathlib import Path
from typing import Any

from strifebarge.lib.shipped import games
from strifebarge.results.proof import OTHER_RULES, explained, not_proved, replay_steps
from strifebarge.results.record import Record, RecordRefusal, WrongRecord, read_record
from strifebarge.rules import Game
from strifebarge.rules.schema import games_in
from strifebarge.rules.sources import sources_of


def draw(seed: str, stream: str, number: int, below: int) -> int | None:
    """Return the number from 0 to `below` - 1 of a block of a stream; None for a block to skip."""
    block = int.from_bytes(hmac.digest(seed.encode(), f"{stream}:{number}".encode(), "sha256"), "big")
    return block % below if block < 2**256 - 2**256 % below else None


def rules_of(record: Record) -> type[Game[Any]]:
    """Return the rules of the record's version where they are here, else today's.  Raises WrongRecord."""
    name = f"{games.__name__}.{record.game}.rules"
    if not record.game.isidentifier() or not util.find_spec(f"{games.__name__}.{record.game}"):
        raise WrongRecord(RecordRefusal.UNKNOWN_GAME, game=record.game[:40])
    older = f"{name}_{record.rules_version}"
    [rules] = games_in(import_module(older if util.find_spec(older) else name))
    return rules


def check(record: Record) -> str:
    """Return lines about a record that holds.  Raises WrongRecord."""
    rules, draws = rules_of(record), 0
    try:
        for step in replay_steps(record, rules):
            for each in step.draws:
                if draw(record.seed, each.stream, each.number, each.below) != each.value:
                    move = step.recorded.number if step.recorded else 0
                    raise WrongRecord(RecordRefusal.WRONG_DRAW, number=move)
            draws += len(step.draws)
    except WrongRecord as wrong:
        sources = sources_of(import_module(rules.__module__))
        raise explained(record, rules, sources, wrong) from wrong
    held = f"It holds: the seed, {draws} draws and {len(record.moves)} moves, "
    held += f"to the position {step.match.fingerprint()}."
    return "\n".join([held, *map(str, not_proved(record, rules))])


def main() -> None:
    """Print the verdict on the file that is named."""
    try:
        data = Path(sys.argv[1]).read_bytes()
    except (IndexError, OSError) as error:
        print(f"Name the file of a record: {error}", file=sys.stderr)
        sys.exit(2)
    try:
        print(check(read_record(data)))
    except WrongRecord as wrong:
        verdict = "It cannot be checked here." if wrong.why in OTHER_RULES else "It does not hold."
        sys.exit(f"{verdict} {wrong.text}")


if __name__ == "__main__":
    main()
