"""A cached property is computed once for each instance, and holds up no other instance."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from strifebarge.lib.cached import cached_property


class Table:
    """Something whose property ends only when that of another table is computed at the same time."""

    def __init__(self, meeting: Barrier):
        self.meeting = meeting
        self.computed = 0

    @cached_property
    def drawing(self) -> int:
        """How often it was computed."""
        self.meeting.wait()
        self.computed += 1
        return self.computed


def test_two_tables_are_drawn_at_once_and_each_once() -> None:
    meeting = Barrier(2, timeout=20)
    tables = [Table(meeting), Table(meeting)]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda table: table.drawing, tables)) == [1, 1]
    assert [table.drawing for table in tables] == [1, 1]
    assert isinstance(Table.drawing, cached_property)
