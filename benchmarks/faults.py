"""`python -m benchmarks.faults`: what the fuzzer finds of the faults that are planted in games.

It writes its table into benchmarks/RESULTS.md.  Some minutes.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

from strifebarge.fuzz.findings import Finding
from strifebarge.fuzz.hunt import Hunt
from tests.fuzz.faults import Fault, all_faults

RESULTS = Path(__file__).parent / "RESULTS.md"
HEAD = "## What the fuzzer finds"
SECONDS = 25  # for each fault, unless it is found before


class Outcome(NamedTuple):
    fault: Fault
    finding: Finding | None
    games: int
    seconds: float


def outcomes(seconds: float, names: list[str]) -> Iterator[Outcome]:
    for fault in all_faults():
        if not names or any(name.lower() in fault.name.lower() for name in names):
            hunt = Hunt(fault.rules, "faults", clock=process_time)
            finding = next(hunt.run(seconds, first=True), None)
            yield Outcome(fault, finding, hunt.games, finding.seconds if finding else seconds)


def main(names: list[str]) -> None:
    done = []
    for each in outcomes(SECONDS, names):
        done.append(each)
        told = f"{each.finding.law} ({each.finding.how[:110]!r})" if each.finding else "not found"
        print(f"{each.fault.name}: {told}, {each.games} games, {each.seconds:.1f} s", flush=True)
    if not names:
        kept = RESULTS.read_text(encoding="utf-8").partition(f"\n{HEAD}")[0].rstrip()
        RESULTS.write_text(kept + "\n\n" + "\n".join(table(done)) + "\n", encoding="utf-8")


def table(done: list[Outcome]) -> Iterator[str]:
    found = [each for each in done if each.finding]
    yield HEAD
    yield ""
    yield f"Made by `python -m benchmarks.faults`: {len(found)} of {len(done)} planted faults are found"
    yield f"within {SECONDS} seconds of one processor each. Seconds are this machine's, games the seed's."
    yield ""
    yield "| fault | found as | games | seconds |"
    yield "|---|---|---|---|"
    for each in done:
        beyond = f": {each.fault.beyond}" if each.fault.beyond else ""
        found_as = each.finding.law if each.finding else f"**not found**{beyond}"
        where = each.fault.name.partition(":")[0]
        yield f"| {where}: {each.fault.what} | {found_as} | {each.games} | {each.seconds:.1f} |"


if __name__ == "__main__":
    main(sys.argv[1:])
