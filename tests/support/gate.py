"""Run the tests of the gate, and give up to five that failed a second chance.

    python -m tests.support.gate [more arguments for pytest]

What fails is run again alone, in one process.  A test that passes then is listed at the end under `flaky:`
with its first failure, and the run counts as passed.  There is no second chance

- for more than MOST failures,
- for an error while tests were collected, or any other end of pytest than that tests failed,
- for an assertion in a test of secrecy.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

MOST = 5
TESTS_FAILED = 1  # pytest's exit status; others tell of an interruption, an internal error or bad usage
SECRECY = "tests/worlds/"
# Beginnings of the failures that say nothing about secrets.
HUNG, CRASHED = "Failed: Timeout", "worker '"

Failures = Mapping[str, str]  # the message of each failed test by its id


def main(arguments: Sequence[str]) -> int:
    """Run the gate with these further arguments and return its exit status."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first.xml"), Path(folder, "second.xml")
        status = run("-n", "2", "--dist", "worksteal", "--cache-clear", f"--junit-xml={first}", *arguments)
        if status != TESTS_FAILED:
            return status
        failures = failures_in(first)
        if why := why_final(failed_at_last(), failures):
            print(f"\nno second chance: {why}")
            return status
        status = run(
            "-n", "0", "--last-failed", "--last-failed-no-failures=none", f"--junit-xml={second}", *arguments
        )
        if status == 0 and len(tests_in(second)) < len(failures):
            print("\nno second chance: some of the tests that had failed were not run again")
            return TESTS_FAILED
    if status == 0:
        print("\n" + summary(failures))
    return status


def run(*arguments: str) -> int:
    """Run pytest in a process of its own and return its exit status."""
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


def why_final(failed: Iterable[str], failures: Failures) -> str:
    """Return why what failed is not run again; "" if it is.

    `failed` is pytest's own list, in which an error of collection stands as a file without a test.
    """
    failed = list(failed)
    if at := [each for each in failed if "::" not in each]:
        return f"an error while {at[0]} was collected"
    if not failures or len(failed) > MOST or len(failures) > MOST:
        return f"{max(len(failed), len(failures))} failures, of which at most {MOST} are run again"
    if {*failed} != failures.keys():
        return f"pytest's list of failures differs from its report: {sorted({*failed} ^ failures.keys())}"
    for test, message in failures.items():
        if test.startswith(SECRECY) and not message.startswith((HUNG, CRASHED)):
            return f"a test of secrecy failed: {test}"
    return ""


def failed_at_last() -> list[str]:
    """Return what pytest's cache says failed in the last run."""
    try:
        ids = Path(".pytest_cache/v/cache/lastfailed").read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    return list(json.loads(ids))


def tests_in(report: Path) -> set[str]:
    """Return the ids of the tests that a report in JUnit's format tells of."""
    return {_id_of(case) for case in _cases(report)}


def failures_in(report: Path) -> dict[str, str]:
    """Return the messages of the failures and errors in a report, by the test's id."""
    return {
        _id_of(case): trouble.get("message", "")
        for case in _cases(report)
        for trouble in case
        if trouble.tag in ("failure", "error")
    }


def _cases(report: Path) -> Iterable[ElementTree.Element]:
    return ElementTree.parse(report).iter("testcase")


def _id_of(case: ElementTree.Element) -> str:
    return f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"


def summary(failures: Failures) -> str:
    """Return the lines that list what failed once."""
    lines = [f"  {test}: {message.splitlines()[0] if message else '?'}" for test, message in failures.items()]
    return "\n".join(["flaky: failed once, and passed alone", *lines])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
