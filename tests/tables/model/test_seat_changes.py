"""The log tells when a seat of a running game changes hands."""

import pytest

from strifebarge.tables.model.bots import bot_id
from strifebarge.tables.model.chair import Chair, Person
from strifebarge.tables.model.seat_changes import BOT_CAME, BOT_WENT, LEFT, TAKEN, seat_changes, sitting
from strifebarge.tables.model.status import Status
from tests.support.tables import make_table

BOT = bot_id("easy", 1)
WAYS: dict[str, tuple[list[str], list[str], str | None]] = {
    "nobody": (["ann"], ["ann"], None),
    "a player left": (["ann"], [], LEFT),
    "a co-player left": (["ann", "ben"], ["ben"], LEFT),
    "a player came": ([], ["ben"], TAKEN),
    "a co-player came": (["ann"], ["ann", "ben"], TAKEN),
    "one for another": (["ann"], ["ben"], TAKEN),
    "one for a bot": (["ann", BOT], ["ben"], TAKEN),
    "a bot stands in": (["ann"], ["ann", BOT], BOT_CAME),
    "a bot for a player": (["ann"], [BOT], BOT_CAME),
    "the bot went": (["ann", BOT], ["ann"], BOT_WENT),
}


def chair_of(people: list[str]) -> Chair:
    first, *rest = people or [None]
    return Chair(0, first, coplayers=[Person(str(each), str(each)) for each in rest])


@pytest.mark.parametrize("way", WAYS)
def test_each_change_has_its_line(way: str) -> None:
    before, after, sentence = WAYS[way]
    table = make_table(status=Status.PLAYING, chairs=[chair_of(before), Chair(1, "eve", "Eve")])
    were = sitting(table)
    table.chairs[0] = chair_of(after)
    lines = seat_changes(were, table, now=9)
    assert lines == ([{"text": sentence, "args": {"seat": {"seat": 0}}}] if sentence else [])
    table.chairs[0].returned = 9
    assert seat_changes(were, table, now=9) == [], "a seat that was given back is its player's"


@pytest.mark.parametrize("status", [Status.OPEN, Status.OVER])
def test_nothing_is_told_before_and_after_the_game(status: Status) -> None:
    table = make_table(status=status, chairs=[chair_of(["ann"])])
    were = sitting(table)
    table.chairs[0] = chair_of(["ben"])
    assert seat_changes(were, table, now=9) == []
