"""Which target runs a test."""

import subprocess
import sys
from itertools import pairwise
from typing import Any, cast

import pytest

from tests.support.seeds import VARIABLE, shuffle
from tests.support.servers import ROOT
from tests.support.targets import STAY_IN_GATE, first, mark_named, mark_targets, reasons


class Item:
    """As much of a collected test as choosing looks at."""

    def __init__(self, nodeid: str, *marks: pytest.MarkDecorator, fixtures: tuple[str, ...] = ()) -> None:
        self.nodeid = nodeid
        self.fixturenames = fixtures
        self.marks = [mark.mark for mark in marks]

    def iter_markers(self, name: str) -> list[pytest.Mark]:
        return [mark for mark in self.marks if mark.name == name]

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next(iter(self.iter_markers(name)), None)

    def add_marker(self, mark: str | pytest.MarkDecorator) -> None:
        self.marks.append((getattr(pytest.mark, mark) if isinstance(mark, str) else mark).mark)

    @property
    def in_the_gate(self) -> bool:
        """What the expression of `addopts` comes to."""
        marked = {mark.name for mark in self.marks}
        return "slow" not in marked and ("gate" in marked or "full" not in marked)


def matrix(test: str, *marks: pytest.MarkDecorator) -> list[Item]:
    """Make a test of three games at two settings each."""
    return [
        Item(f"tests/a.py::{test}[{game}-{setting}]", *marks)
        for game in ("chess", "eights", "rps")
        for setting in ("one", "two")
    ]


def chosen(*items: Item) -> list[str]:
    mark_targets(cast(Any, items))
    return [item.nodeid for item in items if item.in_the_gate]


def test_a_test_is_in_the_gate_unless_it_is_marked() -> None:
    plain, full = Item("tests/a.py::one"), Item("tests/a.py::two", pytest.mark.full("why"))
    assert chosen(plain, full, Item("tests/a.py::three", pytest.mark.slow)) == [plain.nodeid]
    assert reasons(cast(Any, full)) == ["why"]


@pytest.mark.parametrize("fixture", ["chromium_path", "dealt", "postgres", "redis_server"])
def test_what_needs_a_process_of_its_own_is_not(fixture: str) -> None:
    assert chosen(Item("tests/a.py::one", fixtures=("tmp_path", fixture))) == []


@pytest.mark.parametrize("mark", ["browser", "servers", "postgres", "redis"])
def test_nor_what_says_that_it_does(mark: str) -> None:
    item = Item("tests/a.py::one", getattr(pytest.mark, mark))
    assert chosen(item) == []
    assert reasons(cast(Any, item))


def test_the_first_case_of_each_kind_of_process_stays() -> None:
    assert chosen(*(Item(each, pytest.mark.servers) for each in sorted(STAY_IN_GATE))) == sorted(STAY_IN_GATE)


def test_of_a_matrix_as_many_stay_as_its_mark_says_and_always_the_same() -> None:
    assert len(chosen(*matrix("test", pytest.mark.full("wide", keep=2)))) == 2
    assert len(chosen(*matrix("test", pytest.mark.full("wide", keep=9)))) == 6
    chosen_ids = [
        chosen(*order(matrix("test", pytest.mark.full("wide", keep=2)))) for order in (list, reversed)
    ]
    assert sorted(chosen_ids[0]) == sorted(chosen_ids[1])


def test_one_of_each_kind_stays() -> None:
    chosen_ids = chosen(*matrix("test", pytest.mark.full("wide", keep=1, each=first)))
    assert [first(each.partition("[")[2]) for each in chosen_ids] == ["chess", "eights", "rps"]


def test_of_a_matrix_none_stays_that_needs_a_process_or_is_slow() -> None:
    mark = pytest.mark.full("wide", keep=2)
    assert chosen(*matrix("test", mark, pytest.mark.servers), *matrix("other", mark, pytest.mark.slow)) == []


def test_what_is_asked_for_by_name_is_run() -> None:
    items = [*matrix("test", pytest.mark.full("why")), Item("tests/a.py::other")]
    mark_named(cast(Any, items))
    assert all(item.in_the_gate for item in items)


def test_every_case_that_is_kept_is_there() -> None:
    """Collecting them by name fails where one of them is not."""
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*collect, *sorted(STAY_IN_GATE)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# -- their order -----------------------------------------------------------------------------------

NAMES = [f"tests/{folder}/test_{file}.py::test_{n}" for folder in "ab" for file in "xyz" for n in range(4)]


def test_without_a_seed_tests_are_run_as_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert sorted(NAMES, key=shuffle(NAMES).__getitem__) == NAMES


def changes(row: list[str]) -> int:
    return sum(one != other for one, other in pairwise(row))


def test_a_seed_gives_an_order_of_its_own_in_which_files_and_folders_stay_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    orders = set()
    for number in range(20):
        monkeypatch.setenv(VARIABLE, str(number))
        order = sorted(NAMES, key=shuffle(reversed(NAMES)).__getitem__)
        assert order == sorted(NAMES, key=shuffle(NAMES).__getitem__)
        files = [name.partition("::")[0] for name in order]
        assert changes(files) == 5
        assert changes([file.rpartition("/")[0] for file in files]) == 1
        orders.add(tuple(order))
    assert len(orders) == 20
