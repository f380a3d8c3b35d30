"""A hunt told line by line, in the terminal."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from strifebarge.fuzz.findings import Finding, keep
from strifebarge.fuzz.hunt import Hunt
from strifebarge.fuzz.reached import Reached
from strifebarge.fuzz.wrong import foreign_actions
from strifebarge.rules import Game
from strifebarge.rules.schema import actions, refusals, slug
from strifebarge.rules.soundness import never_given

Say = Callable[[str], object]


def hunt_and_tell(
    rules: type[Game[Any]],
    others: Iterable[type[Game[Any]]],
    seed: str,
    seconds: float | None,
    games: int | None,
    out: Path,
    say: Say,
) -> int:
    """Hunt, say what is found and where it is kept, and at last what was reached.  Returns the number of
    findings.
    """
    hunt = Hunt(rules, seed, foreign_actions(others))
    for finding in hunt.run(seconds, games):
        short = hunt.shortened(finding)
        for line in _finding_lines(short, keep(short, out, seed)):
            say(line)
    for line in _summary(hunt):
        say(line)
    return len(hunt.findings)


def _finding_lines(finding: Finding, path: Path) -> Iterator[str]:
    yield f"Found in game {finding.games}, after {finding.seconds:.1f} s: {finding.law}"
    yield textwrap.indent(finding.how, "    ")
    chosen = msgspec.to_builtins(finding.setting.options)
    options = "".join(f", {name}={value}" for name, value in chosen.items())
    yield f"    {finding.setting.seats} seats{options}; seed “{finding.seed}”; after {len(finding.ops)} acts"
    if finding.trying:
        yield f"    with: {finding.trying}"
    yield f"    kept as {path}"


def _summary(hunt: Hunt) -> Iterator[str]:
    reached, kinds, reasons = hunt.reached, actions(hunt.rules), refusals(hunt.rules)
    yield f"{slug(hunt.rules)}: {hunt.games} games, {hunt.moves} acts."
    yield (
        f"Reached: {len(kinds) - len(reached.unplayed)} of {len(kinds)} kinds of action, "
        f"{len(reasons) - len(reached.unmet)} of {len(reasons)} refusals, "
        f"{reached.number('question')} questions, {reached.number('sentence')} sentences of the log, "
        f"{reached.number('end')} ends."
    )
    yield from _never(reached)
    count = len(hunt.findings)
    yield (
        "Nothing was found."
        if not count
        else f"{count} broken laws were found."
        if count > 1
        else ("One broken law was found.")
    )


def _never(reached: Reached) -> Iterator[str]:
    never = [why.token for why in never_given(reached.rules)]
    unmet = [token for token in reached.unmet if token not in never]
    for message, names in (
        ("Never played", reached.unplayed),
        ("Never met", unmet),
        ("Can never be given, for nothing in the rules names it", never),
        ("Met by forged moves alone, for what it refuses is never offered", reached.unseen),
    ):
        if names:
            yield f"{message}: {', '.join(names)}."
