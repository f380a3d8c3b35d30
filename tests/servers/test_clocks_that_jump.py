"""Wall clocks that are set while people play: nobody loses time, nothing stops, nothing ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, time
from typing import NamedTuple

import pytest

from tests.conftest import need
from tests.servers.books import Books
from tests.servers.conftest import GENEROUS
from tests.servers.jumping import RIGHT, JumpingSite
from tests.servers.test_ticker import HASTE, over
from tests.support.servers import Postgres, wait_for
from tests.support.visitor import Remote

pytestmark = pytest.mark.servers

STEADY = HASTE.replace("Haste", "Steady").replace("Pace.turn(1, misses=2)", "Pace.clock(5, 3)")
LEFT = 300.0  # seconds that each has in the beginning
A_MOVE = 3.0  # and more with each move
CLOSE_TO_NOW = 60.0  # seconds, on a machine with much else to do


class Schedule(NamedTuple):
    """What the workers' clocks are set to, one setting after another, and what else happens.

    Each setting is for all workers, or has one for each of the two.
    """

    settings: list[tuple[str, ...] | str]
    database: str = "sqlite"


RESTART, KILL = "restart", "kill"
FORWARD_AND_BACK = [("+1y",), (RIGHT,)]
SCHEDULES = {
    "five_minutes_back_and_forward": Schedule([("-300s",), (RIGHT,)]),
    "a_year_forward": Schedule(FORWARD_AND_BACK, "postgres"),
    "a_year_forward_in_one": Schedule([("+1y", RIGHT), (RIGHT, RIGHT), (RIGHT, "+1y"), (RIGHT, RIGHT)]),
    "an_hour_back": Schedule([("-1h",)]),
    "an_hour_back_in_one": Schedule([(RIGHT, "-1h"), ("-1h", RIGHT), (RIGHT, RIGHT)], "postgres"),
    "one_ahead_one_behind": Schedule([("+1y", "-1y"), ("-3h", "+3h")]),
    "one_ahead_one_behind_on_postgres": Schedule([("-1y", "+1y"), ("+3h", "-3h")], "postgres"),
    "to_and_fro": Schedule([("+1h",), ("-1h",), ("+2d",), ("-2d",), ("+70s",), ("-70s",)]),
    "ahead_at_a_restart": Schedule([("+1y",), RESTART, (RIGHT,), RESTART]),
    "behind_at_a_kill": Schedule([("-400d",), KILL, (RIGHT,), KILL], "postgres"),
}


@contextmanager
def running(schedule: Schedule, folder: Path, request: pytest.FixtureRequest) -> Iterator[JumpingSite]:
    for name, rules in {"haste": HASTE, "steady": STEADY}.items():
        (folder / name).mkdir()
        (folder / name / "rules.py").write_text(rules)
    settings = {**GENEROUS, "THREADS": "8", "TICK": "1", "GAMES": str(folder)}
    if schedule.database == "sqlite":
        with need(lambda: JumpingSite(**settings)) as site:
            site.settings["DATABASE_URL"] = f"sqlite:///{site.data / 'strifebarge.db'}"
            yield site
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    name = postgres.create()
    with need(lambda: JumpingSite(**settings, DATABASE_URL=postgres.url(name))) as site:
        yield site
    postgres.drop(name)


class Playing:
    """A game of two, and what each has used of their time, at least and at most, by the watch of the test."""

    def __init__(self, site: JumpingSite):
        self.people = [Remote(site.port), Remote(site.port)]
        self.table = self.people[0].start("steady", pace="clock-5-3").table
        self.sent = monotonic()
        self.people[1].join(self.table)
        self.answered = monotonic()
        self.least, self.most, self.moves = [0.0, 0.0], [0.0, 0.0], [0, 0]
        self.next = 0

    def move(self) -> None:
        seat, self.next, sent = self.next, 1 - self.next, monotonic()
        page = self.people[seat].move(self.table, "press")
        assert (page.status, page.token) == (303, ""), page.words
        answered = monotonic()
        self.least[seat] += sent - self.answered
        self.most[seat] += answered - self.sent
        self.moves[seat] += 1
        self.sent, self.answered = sent, answered

    def must_be_in_time(self, books: Books) -> None:
        """Nobody has lost time, nobody was given any, and all are still signed in."""
        table = books.table(self.table.removeprefix("/g/"))
        assert table["status"] == "playing"
        assert {line.action["do"] for line in books.moves(table["id"]) if line.action} == {"press"}
        for seat, clock in enumerate(table["clock"]["seat_clocks"]):
            left = LEFT + A_MOVE * self.moves[seat]
            assert left - self.most[seat] <= clock["left"] <= left - self.least[seat], seat
        running = table["clock"]["seat_clocks"][self.next]
        assert abs(running["since"] - time()) < CLOSE_TO_NOW
        assert [person.get(self.table).my_turn for person in self.people] == [self.next == 0, self.next == 1]


def play_on(playing: Playing, rounds: int = 4) -> None:
    for _ in range(rounds):
        playing.move()


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_wall_clock_that_jumps_moves_nothing(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    schedule = SCHEDULES[name]
    with running(schedule, tmp_path, request) as site, Books(site.settings["DATABASE_URL"]) as books:
        playing = Playing(site)
        waiting = Playing(site)  # nobody moves there
        play_on(playing)
        for setting in schedule.settings:
            if isinstance(setting, tuple):
                site.set_clocks(*setting)
            else:
                site.kill() if setting == KILL else site.stop()
                site.start()
            play_on(playing)
            nothing_stops(site, books)
        playing.must_be_in_time(books)
        table = books.table(waiting.table.removeprefix("/g/"))
        assert (table["status"], books.moves(table["id"])) == ("playing", [])
        waiting.move()
        waiting.must_be_in_time(books)
        assert books.ask("SELECT count(*) FROM uptime_periods") == [(1,)]  # it was never away
        [(now,)] = books.ask("SELECT at FROM site_time")
        assert abs(now - time()) < CLOSE_TO_NOW
        assert "Traceback" not in site.log()


def nothing_stops(site: JumpingSite, books: Books) -> None:
    """A deadline passes, a second after the other, with nobody there."""
    one, other = Remote(site.port), Remote(site.port)
    table = one.start("haste", pace="turn-1").table
    other.join(table)
    wait_for(
        lambda: over(books, table.removeprefix("/g/")), awaited="the end of a game in which nobody moves"
    )
