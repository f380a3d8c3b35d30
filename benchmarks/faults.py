"""Measure which of the faults planted in games the fuzzer finds: `python -m benchmarks.faults`.

Writes its table into benchmarks/RESULTS.md.  Takes some minutes.
"""

import sys
from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

from benchmarks.results import FAULTS, replace_part
from strifebarge.fuzz.findings import Finding
from strifebarge.fuzz.hunt import Hunt
from tests.fuzz.faults import Fault, all_faults

SECONDS = 25  # of processor time at most for each fault


class Outcome(NamedTuple):
    """The outcome of a hunt for one fault; `seconds` are of processor time."""

    fault: Fault
    finding: Finding | None
    games: int
    seconds: float


def outcomes(seconds: float, names: list[str]) -> Iterator[Outcome]:
    """Hunt for each fault whose name contains one of these, or for all, and yield what came of it."""
    for fault in all_faults():
        if not names or any(name.lower() in fault.name.lower() for name in names):
            hunt = Hunt(fault.rules, "faults", clock=process_time)
            finding = next(hunt.run(seconds, first=True), None)
            yield Outcome(fault, finding, hunt.games, finding.seconds if finding else seconds)


def main(names: list[str]) -> None:
    """Print what is found; write the table if no fault was named."""
    done = []
    for each in outcomes(SECONDS, names):
        done.append(each)
        outcome = f"{each.finding.law} ({each.finding.how[:110]!r})" if each.finding else "not found"
        print(f"{each.fault.name}: {outcome}, {each.games} games, {each.seconds:.1f} s", flush=True)
    if not names:
        replace_part(FAULTS, table(done))


def table(done: list[Outcome]) -> Iterator[str]:
    """Yield the lines of the table."""
    detected = [each for each in done if each.finding]
    yield f"Made by `python -m benchmarks.faults`: {len(detected)} of {len(done)} planted faults are found"
    yield f"within {SECONDS} seconds of one processor each. Seconds are this machine's, games the seed's."
    yield ""
    yield "| fault | found as | games | seconds |"
    yield "|---|---|---|---|"
    for each in done:
        beyond = f": {each.fault.beyond}" if each.fault.beyond else ""
        law = each.finding.law if each.finding else f"**not found**{beyond}"
        where = each.fault.name.partition(":")[0]
        yield f"| {where}: {each.fault.what} | {law} | {each.games} | {each.seconds:.1f} |"


if __name__ == "__main__":
    main(sys.argv[1:])
