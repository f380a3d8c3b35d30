"""Which part of a wide matrix is run."""

from collections import Counter
from typing import Any, cast

import pytest

from tests.support.sampling import HALVED, THIRDED, all_but_first, first, mark_named, mark_parts, mark_sample
from tests.support.servers import ROOT


class Item:
    """As much of a collected test as choosing looks at."""

    def __init__(self, nodeid: str, *marks: pytest.MarkDecorator) -> None:
        self.nodeid = nodeid
        self.marks = {mark.name: mark.mark for mark in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)

    def add_marker(self, mark: str | pytest.MarkDecorator) -> None:
        if isinstance(mark, str):
            mark = getattr(pytest.mark, mark)
        self.marks[mark.name] = mark.mark


def matrix(test: str, mark: pytest.MarkDecorator, *more: pytest.MarkDecorator) -> list[Item]:
    """A test of three games at two settings each."""
    return [
        Item(f"tests/a.py::{test}[{game}-{setting}]", mark, *more)
        for game in ("chess", "eights", "rps")
        for setting in ("one", "two")
    ]


def chosen(items: list[Item], seed: str) -> list[str]:
    mark_sample(cast(Any, items), seed)
    return [item.nodeid.partition("[")[2] for item in items if "sampled" in item.marks]


def test_so_many_are_run_as_the_mark_says() -> None:
    assert len(chosen(matrix("test", pytest.mark.wide(sample=2)), "seed")) == 2
    assert len(chosen(matrix("test", pytest.mark.wide(sample=9)), "seed")) == 6
    assert chosen(matrix("test", pytest.mark.wide), "seed") == []


def test_one_of_each_kind_is_run() -> None:
    for seed in map(str, range(20)):
        games = [first(each) for each in chosen(matrix("t", pytest.mark.wide(sample=1, each=first)), seed)]
        assert games == ["chess", "eights", "rps"]


def test_the_same_seed_chooses_the_same_and_in_time_each_is_chosen() -> None:
    wide = pytest.mark.wide(sample=1)
    times = Counter(each for seed in range(100) for each in chosen(matrix("test", wide), str(seed)))
    assert chosen(matrix("test", wide), "seed") == chosen(matrix("test", wide), "seed")
    assert len(times) == 6
    assert min(times.values()) > 3


def test_tests_of_a_file_choose_alike_where_they_are_told_to() -> None:
    alike = pytest.mark.wide(sample=1, each=first, alike=True)
    for seed in map(str, range(20)):
        one, other = matrix("one", alike), matrix("other", alike)
        choice = chosen([*one, *other], seed)
        assert choice[:3] == choice[3:]
        assert len({all_but_first(each) for each in choice}) == 1


def test_of_a_file_so_many_are_run_as_the_mark_says() -> None:
    some = pytest.mark.wide(sample=3, among="file")
    assert len(chosen([*matrix("one", some), *matrix("other", some)], "seed")) == 3


@pytest.mark.parametrize(
    ("file", "alone", "groups"), [("tests/browser/test_a.py", 3, 2), ("tests/web/test_words.py", 4, 3)]
)
def test_of_a_long_file_a_part_is_run_and_of_what_has_marks_of_its_own(
    file: str, alone: int, groups: int
) -> None:
    plain = [Item(f"{file}::test[{number}]") for number in range(7)]
    marked = [
        Item(f"{file}::wide_{number}[{n}]", pytest.mark.wide(sample=1)) for number in range(5) for n in "ab"
    ]
    slow, elsewhere = Item(f"{file}::slow", pytest.mark.slow), Item("tests/a.py::test")
    items = [*plain, *marked, slow, elsewhere]
    mark_parts(cast(Any, items))
    chosen(items, "seed")
    assert sum("sampled" in item.marks for item in plain) == alone
    assert sum("sampled" in item.marks for item in marked) == groups
    assert "wide" not in slow.marks
    assert "wide" not in elsewhere.marks


def test_every_long_file_is_there() -> None:
    assert not {each for each in (*THIRDED, *HALVED) if not (ROOT / each).exists()}


def test_what_is_slow_is_no_part_of_the_sample() -> None:
    assert chosen(matrix("test", pytest.mark.wide(sample=2), pytest.mark.slow), "seed") == []


def test_what_is_asked_for_by_name_is_run() -> None:
    items = [*matrix("test", pytest.mark.wide), Item("tests/a.py::other")]
    mark_named(cast(Any, items))
    assert ["sampled" in item.marks for item in items] == [True] * 6 + [False]
