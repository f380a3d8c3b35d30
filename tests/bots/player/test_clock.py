"""The time that a bot thinks: that of a processor, and by the clock at most twice as long."""

import pytest

from strifebarge.bots.player import clock
from strifebarge.bots.player.clock import LATE, ThinkingClock


@pytest.fixture
def now(monkeypatch):
    """What both clocks say, in seconds; tests set it."""
    times = {"monotonic": 100.0, "thread_time": 3.0}
    for name in times:
        monkeypatch.setattr(clock, name, lambda name=name: times[name])
    return times


def test_what_others_do_on_a_busy_machine_is_no_thinking(now):
    timed = ThinkingClock(5.0)
    now.update(monotonic=109.0, thread_time=5.4)
    assert not timed.is_half_over()
    now.update(thread_time=5.5)
    assert timed.is_half_over()
    assert not timed.is_over()
    now.update(thread_time=8.0)
    assert timed.is_over()
    assert timed.has_cut


def test_a_bot_is_never_late_by_more_than_twice_its_time(now):
    timed = ThinkingClock(5.0)
    now.update(monotonic=100.0 + LATE * 5 - 0.1)
    assert not timed.is_over()
    now.update(monotonic=100.0 + LATE * 5)
    assert timed.is_over()
