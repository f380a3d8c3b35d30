"""Decide which target runs a test: `make test` (the gate), `make test-all` or `make soak`.

A test is part of the gate unless a mark, or something that it needs, says otherwise:

    @pytest.mark.full("why")                         not in the gate, but in `make test-all`
    @pytest.mark.full("why", keep=2)                 two of its parameter sets stay in the gate
    @pytest.mark.full("why", keep=1, each=first)     of those whose ids have the same `first(id)` one stays
    @pytest.mark.slow                                in `make soak` only

The parameter sets that stay are the same ones in every run.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from random import Random

import pytest

GATE, FULL, SLOW = "gate", "full", "slow"
# What needs a process of its own: the mark, the fixture that gives it, and the reason not to be in the gate.
NEEDS = (
    ("browser", "chromium_path", "drives a browser"),
    ("servers", "dealt", "starts the site as processes"),
    ("postgres", "postgres", "needs PostgreSQL"),
    ("redis", "redis_server", "needs Redis"),
)

# Of what NEEDS leaves out, these stay in the gate: the first case of each kind, a host's act on PostgreSQL,
# and an attack.
STAY_IN_GATE = frozenset(
    {
        "tests/browser/test_every_way.py::test_by_forms_without_javascript[rps]",
        "tests/browser/test_script.py::test_a_whole_game_is_told_to_whoever_watches_briefly",
        "tests/store/test_store.py::test_a_table_comes_back_as_it_was[postgres]",
        "tests/tables/play/test_rewinding.py::test_a_game_can_be_taken_back_to_any_move_and_every_position_shown[postgres-eights-0]",
        "tests/cli/test_cli.py::test_the_site_starts_stops_and_starts_again[arguments0]",
        "tests/servers/test_slow_senders.py::test_a_few_slow_clients_keep_nobody_waiting",
    }
)


def mark_targets(items: Iterable[pytest.Item]) -> None:
    """Mark the tests that are not in the gate as `full`, and those of them that it keeps as `gate`."""
    items = list(items)
    for item in items:
        _mark_by_need(item)
    stay_in_gate = STAY_IN_GATE.union(_first_of_matrices(items))
    for item in items:
        if item.nodeid in stay_in_gate:
            item.add_marker(GATE)


def mark_named(items: Iterable[pytest.Item]) -> None:
    """Mark all tests as `gate`, since they were asked for by name."""
    for item in items:
        item.add_marker(GATE)


def _mark_by_need(item: pytest.Item) -> None:
    for mark, fixture, reason in NEEDS:
        if fixture in getattr(item, "fixturenames", ()):
            item.add_marker(mark)
        if item.get_closest_marker(mark):
            item.add_marker(pytest.mark.full(reason))


def _first_of_matrices(items: Iterable[pytest.Item]) -> Iterable[str]:
    """Yield the ids of the parameter sets that stay in the gate by their mark."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    sizes: dict[tuple[str, str], int] = {}
    for item in items:
        marks = list(item.iter_markers(FULL))
        if item.get_closest_marker(SLOW) or not marks or not all("keep" in mark.kwargs for mark in marks):
            continue
        test, _, given = item.nodeid.removesuffix("]").partition("[")
        each: Callable[[str], str] = marks[0].kwargs.get("each", lambda _: "")
        groups[test, each(given)].append(item.nodeid)
        sizes[test, each(given)] = marks[0].kwargs["keep"]
    for (test, kind), members in groups.items():
        chance = Random(f"{test} {kind}")
        yield from chance.sample(sorted(members), min(sizes[test, kind], len(members)))


def reasons(item: pytest.Item) -> list[str]:
    """Return why a test is not in the gate, or would not be if it were not kept there."""
    return [str(mark.args[0]) for mark in item.iter_markers(FULL)]


def first(given: str) -> str:
    """Return the first part of an id, such as the game of `chess-2-standard`."""
    return given.partition("-")[0]
