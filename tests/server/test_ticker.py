"""What the log says of a ticker whose database is away."""

from collections.abc import Callable

import pytest

from strifebarge.lib.busy import Busy
from strifebarge.server.ticker import Ticker


class Away:
    """A database that may be away."""

    def __init__(self) -> None:
        self.away = True

    def ask(self, *_: float) -> float:
        if self.away:
            raise Busy("no answer")
        return 0.0


def job_of(database: Away) -> Callable[[float], None]:
    def look(now: float) -> None:
        database.ask(now)

    return look


def test_a_database_that_is_away_is_told_of_once_for_each_job_and_once_when_it_is_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    first, second = Away(), Away()
    ticker = Ticker([job_of(first), job_of(second)], bool, 5)
    for _ in range(3):
        ticker.tick(0)
    first.away = False
    for _ in range(3):
        ticker.tick(0)
    assert caplog.messages == [
        *["a job of the ticker is done later: look: no answer"] * 2,
        "a job of the ticker is done again: look",
    ]


def test_so_is_a_database_that_cannot_say_whether_it_is_time(caplog: pytest.LogCaptureFixture) -> None:
    database = Away()
    ticker = Ticker([], database.ask, 5)
    for _ in range(3):
        ticker._once()
    database.away = False
    ticker._once()
    assert caplog.messages == [
        "a job of the ticker is done later: ask: no answer",
        "a job of the ticker is done again: ask",
    ]
