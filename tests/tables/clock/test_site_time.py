"""The site's own time: what it does when a wall clock is set, and when processes and machines come and go."""

import pytest

from strifebarge.lib.busy import Busy
from strifebarge.tables.clock.site_time import (
    ABSENCE,
    ASKED_ANEW_AFTER,
    BELIEVED_AFTER,
    RENEWED_AFTER,
    SLOW_DOWN,
    SiteClock,
)
from tests.tables.clock.schedules import BEGUN, Database, FakeMachine, Wall, World

EVERY = 10.0  # seconds between two beats


class Scene:
    """A machine with two processes, on a database without a clock."""

    def __init__(self, has_clock: bool = False):
        self.world = World()
        self.world.has_clock = has_clock
        self.database = Database(self.world)
        self.machine = FakeMachine(self.world, "one")
        self.walls = [Wall(self.machine), Wall(self.machine)]
        self.clocks = [SiteClock(self.database, wall) for wall in self.walls]

    def beat(self, seconds: float = EVERY) -> None:
        """Let time pass, with all processes looking every few seconds."""
        until = self.world.now + seconds
        while self.world.now < until:
            self.world.now = min(until, self.world.now + EVERY)
            for clock in self.clocks:
                clock.beat(apart=EVERY / 2)


def test_a_wall_clock_that_is_set_moves_nothing_in_any_process() -> None:
    scene = Scene()
    scene.beat()
    for error in (-300.0, 365 * 86400.0, -365 * 86400.0, 0.0):
        scene.machine.error = error
        scene.walls[0].error = -2 * error
        scene.beat(60)
        assert [clock() for clock in scene.clocks] == [pytest.approx(scene.world.now, abs=0.001)] * 2
    assert len(scene.database.periods) == 1


def test_a_process_that_starts_while_the_wall_clock_is_wrong_has_the_time_of_the_others() -> None:
    scene = Scene()
    scene.beat()
    scene.machine.error = 365 * 86400.0
    scene.world.now += 5
    assert SiteClock(scene.database, scene.walls[0])() == pytest.approx(scene.world.now, abs=0.001)


def test_a_wall_clock_that_was_set_forward_is_believed_after_an_hour_and_counts_as_an_absence() -> None:
    scene = Scene()
    scene.beat()
    scene.machine.error = 8 * 3600.0
    scene.beat(BELIEVED_AFTER - 60)
    assert scene.clocks[0]() == pytest.approx(scene.world.now, abs=0.01)
    scene.beat(120)
    assert [clock() for clock in scene.clocks] == [pytest.approx(scene.world.now + 8 * 3600, abs=0.1)] * 2
    one, other = scene.database.periods
    assert other.began - one.ended == pytest.approx(8 * 3600, abs=2 * EVERY)


def test_a_wall_clock_that_is_wrong_in_one_process_is_never_believed() -> None:
    scene = Scene()
    scene.beat()
    scene.walls[0].error = 8 * 3600.0
    scene.beat(3 * BELIEVED_AFTER)
    assert scene.clocks[1]() == pytest.approx(scene.world.now, abs=0.01)
    assert len(scene.database.periods) == 1


def test_where_the_wall_clock_is_behind_for_long_the_time_goes_more_slowly_and_never_back() -> None:
    scene = Scene()
    scene.beat()
    scene.machine.error = -100.0
    scene.beat(BELIEVED_AFTER + 2 * EVERY)
    before, since = scene.clocks[0](), scene.world.now
    for _ in range(30):
        scene.beat()
        assert before <= scene.clocks[0]() <= before + EVERY
        before = scene.clocks[0]()
    waited = scene.world.now - scene.clocks[0]()
    assert waited == pytest.approx((scene.world.now - since) * SLOW_DOWN, abs=1)
    scene.beat(3 * 3600)
    assert scene.clocks[0]() == pytest.approx(scene.world.now - 100, abs=60)


def test_after_a_boot_the_wall_clock_counts_unless_it_would_make_the_absence_a_short_one() -> None:
    scene = Scene()
    scene.beat()
    for error in (0.0, -3600.0):
        last = scene.clocks[0]()
        scene.world.now += 600
        scene.machine.reboot()
        scene.machine.error = error
        scene.clocks = [SiteClock(scene.database, wall) for wall in scene.walls]
        scene.beat()
        wanted = last + ABSENCE if error else scene.world.now
        assert [clock() for clock in scene.clocks] == [pytest.approx(wanted, abs=0.1)] * 2


def test_another_machine_has_the_time_by_the_clock_of_the_database() -> None:
    scene = Scene(has_clock=True)
    scene.world.database_error = 86400.0
    scene.beat()
    scene.world.database_error = -3600.0
    scene.beat()
    other = FakeMachine(scene.world, "two")
    other.error = 365 * 86400.0
    scene.world.now += 7
    assert SiteClock(scene.database, other)() == pytest.approx(scene.clocks[0](), abs=0.1)


def test_the_log_is_told_once_that_a_wall_clock_is_off_and_once_that_it_is_right(
    caplog: pytest.LogCaptureFixture,
) -> None:
    scene = Scene()
    scene.beat()
    with caplog.at_level("WARNING"):
        scene.walls[0].error = -3700.0
        scene.beat(100)
        assert scene.clocks[0].wall_is_off == pytest.approx(-3700, abs=1)
        assert scene.clocks[1].wall_is_off == 0
        scene.walls[0].error = 0.0
        scene.beat(100)
    assert [record.message for record in caplog.records] == [
        "This machine's clock is 0 d 1 h 1 min 40 s behind the site's time, which counts.",
        "This machine's clock agrees with the site's time again.",
    ]


def test_a_process_that_never_knew_the_time_says_so_and_one_that_did_needs_no_database() -> None:
    scene = Scene()
    scene.database.away = True
    with pytest.raises(Busy):
        scene.clocks[0]()
    scene.database.away = False
    assert scene.clocks[0]() == BEGUN
    scene.database.away = True
    scene.world.now += 1000
    assert scene.clocks[0]() == BEGUN + 1000


def test_a_process_without_a_ticker_follows_when_it_is_asked() -> None:
    scene = Scene()
    silent = SiteClock(scene.database, scene.walls[0])
    assert silent() == BEGUN
    scene.machine.error = 8 * 3600.0
    scene.beat(BELIEVED_AFTER + 60)
    assert silent() == pytest.approx(scene.world.now + 8 * 3600, abs=EVERY)
    assert silent() == pytest.approx(scene.clocks[0](), abs=0.1)


def test_to_ask_for_the_time_writes_nothing_once_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    clock = scene.clocks[0]
    assert clock() == BEGUN
    scene.machine.error = 8 * 3600.0
    scene.clocks[1].beat()
    for name in ("first_moment", "keep_moment", "doubt_wall_clock", "beat"):
        monkeypatch.delattr(Database, name)
    for error in (8 * 3600.0, -100.0):
        scene.walls[0].error = error
        scene.world.now += RENEWED_AFTER + ASKED_ANEW_AFTER
        assert clock() == pytest.approx(scene.world.now, abs=0.001)
