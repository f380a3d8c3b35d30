"""What has happened since a seat moved last, or since the deal."""

import pytest

from strifebarge.tables.model.log import lines_of, news_of
from strifebarge.tables.model.ports import Row


def row(number: int, seat: int | None) -> Row:
    return Row(number, seat, None, [{"text": f"{number} by {seat}"}], "", final=True, at=0)


ROWS = [row(0, None), row(1, 0), row(2, 1), row(3, 0)]


@pytest.mark.parametrize(
    ("seat", "rows", "numbers"),
    [(0, ROWS[:1], []), (1, ROWS[:2], [1]), (2, ROWS, [1, 2, 3]), (1, ROWS, [3]), (0, ROWS, [])],
    ids=["before any move", "the first move", "a third player", "since the own move", "nothing since"],
)
def test_what_is_new_to_a_seat(seat: int, rows: list[Row], numbers: list[int]) -> None:
    assert [line.number for line in news_of(lines_of(rows), rows, seat)] == numbers
