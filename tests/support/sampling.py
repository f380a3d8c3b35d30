"""Which part of a wide matrix of tests is run this time.

A test marked `wide` takes long, or has a matrix too wide to be run each time (every game at every setting,
every page in every window).  `pytest -m wide` runs all of it.  Otherwise its mark says what is run:

    @pytest.mark.wide                               nothing
    @pytest.mark.wide(sample=2)                     two of its parameter sets
    @pytest.mark.wide(sample=1, each=the_database)  one of those whose ids have the same `the_database(id)`

Of each file in the folders of THIRDED a third is run each time, and half of each that HALVED names, or the
folder of: of the tests without such a mark, and of the groups from which marks take a sample.

With `among="file"` the sample is one of all such tests of the file.  With `alike=True` the tests of a file
choose alike, so that they can share what the choice takes.

The seed in STRIFEBARGE_TEST_SEED chooses, or else the commit that is checked out: so the next commit is
tested with others, and what failed can be run again.
"""

import os
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import date
from math import ceil
from random import Random

import pytest

from tests.support.servers import ROOT

VARIABLE = "STRIFEBARGE_TEST_SEED"
MARK = "wide"
CHOSEN = "sampled"
# Folders and files whose tests start much, or take long together, and are no matrix.
THIRDED = ("tests/browser/", "tests/editions/", "tests/servers/", "tests/upgrade/", "tests/worlds/")
HALVED = (
    "tests/web/",
    *("tests/api/test_doors.py", "tests/api/test_event_bounds.py", "tests/api/test_events.py"),
    *("tests/api/test_verbs.py", "tests/bots/test_fair.py", "tests/bots/test_imagining.py"),
    *("tests/live/test_hub.py", "tests/notifications/test_hooks.py", "tests/opponents/test_thinker.py"),
    *("tests/store/test_at_once.py", "tests/store/test_books.py", "tests/store/test_deadlines.py"),
    *("tests/table/test_policy.py", "tests/test_cli.py", "tests/test_proxies.py", "tests/test_starting.py"),
)
DATABASES = ("sqlite", "postgres", "redis")


def seed() -> str:
    """Return the seed of this run, which all its processes share."""
    return os.environ.setdefault(VARIABLE, _commit() or date.today().isoformat())


def _commit() -> str:
    """Return the start of the name of the commit that is checked out; "" where there is none, or no git."""
    try:
        asked = subprocess.run(
            ["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def mark_sample(items: Iterable[pytest.Item], seed: str) -> None:
    """Mark those items of wide matrices that are run this time as `sampled`."""
    groups: defaultdict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    marks: dict[tuple[str, str], pytest.Mark] = {}
    for item in items:
        mark = item.get_closest_marker(MARK)
        if mark and mark.kwargs.get("sample") and not item.get_closest_marker("slow"):
            test, _, given = item.nodeid.removesuffix("]").partition("[")
            each: Callable[[str], str] = mark.kwargs.get("each", lambda _: "")
            among = mark.kwargs.get("among", "test")
            group = test.partition("::")[0] if among == "file" else test, each(given)
            groups[group].append(item)
            marks[group] = mark
    for group in _left_out(groups, seed):
        del groups[group]
    for group, members in groups.items():
        options = marks[group].kwargs
        file = group[0].partition("::")[0]
        chance = Random(f"{seed} {file if options.get('alike') else group}")
        members.sort(key=lambda item: item.nodeid)
        for item in chance.sample(members, min(options["sample"], len(members))):
            item.add_marker(CHOSEN)


def _left_out(groups: Iterable[tuple[str, str]], seed: str) -> list[tuple[str, str]]:
    """Return the groups of files that are not run this time, but for what `mark_parts` has marked."""
    files: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for test, given in groups:
        file = test.partition("::")[0]
        if test != file:
            files[file].append((test, given))
    return [
        group
        for file, those in files.items()
        for group in Random(f"{seed} {file}").sample(sorted(those), len(those) - _part(file, len(those)))
    ]


def _part(file: str, of: int) -> int:
    """Return how many are run each time of so many tests, or groups of them, of a file."""
    return ceil(of / (3 if file.startswith(THIRDED) else 2 if file.startswith(HALVED) else 1))


def mark_parts(items: Iterable[pytest.Item]) -> None:
    """Mark the tests of files of which a part is run, but for those with a mark of their own."""
    files: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        file = item.nodeid.partition("::")[0]
        if file.startswith((*THIRDED, *HALVED)) and not (
            item.get_closest_marker(MARK) or item.get_closest_marker("slow")
        ):
            files[file].append(item)
    for file, members in files.items():
        for item in members:
            item.add_marker(pytest.mark.wide(sample=_part(file, len(members)), among="file"))


def mark_named(items: Iterable[pytest.Item]) -> None:
    """Mark all items of wide matrices as `sampled`, since they were asked for by name."""
    for item in items:
        if item.get_closest_marker(MARK):
            item.add_marker(CHOSEN)


def first(given: str) -> str:
    """Return the first part of an id, such as the game of `chess-2-standard`."""
    return given.partition("-")[0]


def all_but_first(given: str) -> str:
    """Return an id without its first part, such as `3` of `sqlite-3`."""
    return given.partition("-")[2]


def all_but_the_database(given: str) -> str:
    """Return an id without the database it begins with, such as `3` of `sqlite-3`; others as they are."""
    return all_but_first(given) if first(given) in DATABASES else given


# Each time on one of the databases; on all of them with `make test-all`.
ON_ONE_DATABASE = pytest.mark.wide(sample=1, each=all_but_the_database)
