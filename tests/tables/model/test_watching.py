"""A table as it is told to spectators: made of what is named, and of nothing else."""

from typing import Any

import msgspec
import pytest

from strifebarge.rules import Pace
from strifebarge.tables.clock.presence import TablePresence, table_etag
from strifebarge.tables.model.chair import Chair, Person
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.status import EVERYBODY, NOBODY, Status
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import PUBLIC_FIELDS, SpectatorTable, visible_table
from tests.support.tables import make_table

NEW_FIELDS = {"chairs", "settings", "status", "clock", "version", "position", "series", "times"}
OF_A_PART = {
    "position": {"number"},
    "settings": {
        *("options", "set_by", "begins", "seating", "watching", "patience", "remedy"),
        *("afterwards", "language", "shared", "listed"),
    },
    "series": {"parent", "first"},
    "times": {"created", "changed", "started"},
}
OF_A_CHAIR = {"seat", "player", "name", "gone", "coplayers"}


def a_table(**fields: Any) -> Table:
    chairs = [Chair(0, "ann", "Ann"), Chair(1, "bob", "Bob", coplayers=[Person("eve", "Eve")]), Chair(2)]
    given = {"status": Status.PLAYING, "number": 9, "version": 30, "watching": 4, "chairs": chairs}
    return make_table(**given | fields)


def with_everything_set(each: Any, but: set[str]) -> Any:
    """A struct in which every field has a value that nobody meant, so that it is seen where it goes."""
    for name in set(each.__struct_fields__) - but:
        setattr(each, name, f"<{name}>")
    return each


def test_what_nobody_named_is_told_to_nobody() -> None:
    copied = {*PUBLIC_FIELDS, *NEW_FIELDS}
    chairs = [with_everything_set(Chair(seat, "ann"), OF_A_CHAIR | {"left"}) for seat in (0, 1)]
    table = with_everything_set(a_table(chairs=chairs, status=Status.SUSPENDED), copied)
    for part, fields in OF_A_PART.items():
        with_everything_set(getattr(table, part), fields)
    visible = visible_table("somebody else", table)
    assert isinstance(visible, SpectatorTable)
    plain, chair = a_table(), Chair(0)
    for part, fields in OF_A_PART.items():
        for name in set(getattr(visible, part).__struct_fields__) - fields:
            assert getattr(getattr(visible, part), name) == getattr(getattr(plain, part), name), name
    for name in set(visible.__struct_fields__) - copied:
        assert getattr(visible, name) == getattr(plain, name), name
    for name in set(chair.__struct_fields__) - OF_A_CHAIR:
        assert [getattr(each, name) for each in visible.chairs] == [getattr(chair, name)] * 2, name
    assert b"<" not in msgspec.json.encode(visible)


@pytest.mark.parametrize(("watching", "number", "shown"), [(4, 9, 5), (4, 3, 0), (20, 9, 0), (NOBODY, 9, 0)])
def test_the_number_is_that_of_some_moves_ago(watching: int, number: int, shown: int) -> None:
    visible = visible_table(None, a_table(watching=watching, number=number))
    assert isinstance(visible, SpectatorTable)
    assert (visible.position.number, visible.version, visible.status) == (shown, shown, Status.PLAYING)
    assert (visible.excluded, visible.delay) == (watching == NOBODY, max(0, watching))


def test_of_a_clock_there_is_but_the_pace() -> None:
    pace = Pace.days(3)
    clock = Clock.of(pace, 3)
    clock.turn({0: 9}, 1_000.0)
    clock.stop_for_all(2_000.0)
    visible = visible_table(None, a_table(clock=clock))
    assert visible.clock is not None
    assert visible.clock == Clock.of(pace, 3)
    assert visible.due is None


@pytest.mark.parametrize("player", ["ann", "eve"])
def test_who_plays_is_told_all(player: str) -> None:
    table = a_table()
    assert visible_table(player, table) is table
    table.chairs[0].left = table.chairs[1].left = True
    assert isinstance(visible_table(player, table), SpectatorTable)


@pytest.mark.parametrize(
    "table",
    [a_table(watching=EVERYBODY), a_table(status=Status.OPEN), a_table(status=Status.OVER)],
    ids=["everybody", "before", "after"],
)
def test_all_are_told_all_where_all_may_watch_before_the_game_and_after_it(table: Table) -> None:
    assert visible_table(None, table) is table


def test_what_is_told_is_told_once_and_no_older_each_time() -> None:
    visible = visible_table(None, a_table())
    assert visible_table(None, visible) is visible
    assert visible_table("ann", visible) is visible


def test_the_mark_is_another_when_the_page_is() -> None:
    def at(**fields: Any) -> str:
        return table_etag(visible_table(None, a_table(**fields)), TablePresence(), "ann")

    taken = [
        Chair(0, "ann", "Ann"),
        Chair(1, "bob", "Bob", coplayers=[Person("eve", "Eve")]),
        Chair(2, "joe"),
    ]
    assert at() == at(version=99, steps={0: 3}, waiting=[1])
    assert len({at(), at(number=10), at(chairs=taken), at(status=Status.OVER), at(status=Status.OPEN)}) == 5
