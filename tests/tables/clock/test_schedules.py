"""Wall clocks set at random while people move and wait: nobody loses time, and every deadline passes."""

from random import Random

import pytest

from strifebarge.tables.clock.site_time import SiteClock
from tests.support.seeds import seed
from tests.tables.clock.schedules import play

IN_ALL = 10_000
AT_ONCE = 100
PARTS = IN_ALL // AT_ONCE


class ByTheWall(SiteClock):
    """A process that believes its wall clock, as all did before the site had a time of its own."""

    def __call__(self) -> float:
        return self.machine.wall()


def test_a_process_that_goes_by_its_wall_clock_is_found() -> None:
    errors = 0
    for number in range(20):
        try:
            play(number, ByTheWall)
        except AssertionError:
            errors += 1
    assert errors >= 15


# Schedules that have found a fault once: a process that judged before it looked, and a database's clock that
# was set back by nearly as long as the machine was off.
@pytest.mark.parametrize("number", [4291060890, 3025834239])
def test_a_schedule_that_once_found_a_fault_finds_none(number: int) -> None:
    play(number)


@pytest.mark.full("10,000 schedules", keep=1)
@pytest.mark.parametrize("part", range(PARTS))
def test_nobody_loses_time_and_nothing_stops_whatever_the_clocks_are_set_to(part: int) -> None:
    chance = Random(f"{seed()} {part}")
    late = moved = 0
    for _ in range(AT_ONCE):
        number = chance.randrange(2**32)
        try:
            done = play(number)
        except AssertionError as wrong:
            raise AssertionError(f"schedule {number}: {wrong}") from wrong
        late, moved = late + done["late"], moved + done["moved"]
    assert late > AT_ONCE  # the schedules are about something
    assert moved > AT_ONCE
