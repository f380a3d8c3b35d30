"""Schedules of a site whose wall clocks are set at random while people move and wait: a model.

The processes' own clocks, the clocks of tables and what is due are the site's code; the machines, the
database and the people are made up.  The truth is kept beside all of it.
"""

from itertools import pairwise
from random import Random
from typing import Any

from strifebarge.lib.busy import Busy
from strifebarge.rules.pace import DAY, HOUR, MINUTE, Pace
from strifebarge.tables.clock import timekeeper
from strifebarge.tables.clock.site_time import (
    ABSENCE,
    ADJUST,
    ALIVE,
    BELIEVED_AFTER,
    SLOW_DOWN,
    Machine,
    Moment,
    SiteClock,
    StoredTime,
)
from strifebarge.tables.clock.timekeeper import A_MOMENT, SOON, UptimePeriod
from strifebarge.tables.model.clock import SPARE, Clock

BEGUN = 1_800_000_000.0  # the truth at the beginning of a schedule
EVERY = 10.0  # seconds between two looks of a ticker
STEPS = (5.0, 70.0, 300.0, HOUR, DAY, 365 * DAY, 900 * DAY)  # seconds by which a wall clock is set
PACES = (Pace.turn(30), Pace.turn(300), Pace.clock(5, 3), Pace.days(1), Pace.pool(24, 4, 72))
# Seconds by which the times of two processes may differ, while they go more slowly and the database is away.
APART = SLOW_DOWN * 120
SHORT, LONG = (
    (1.0, 20.0),
    (200.0, 2 * DAY),
)  # seconds for which the site is down; none between


class World:
    """The truth: what time it is, and since when each machine has been up."""

    def __init__(self) -> None:
        self.now = BEGUN
        self.database_error = 0.0
        self.has_clock = False  # the database; SQLite has none


class FakeMachine(Machine):
    """A machine whose wall clock is wrong by an error of its own."""

    id = ""

    def __init__(self, world: World, name: str):
        self.world, self.name, self.id = world, name, f"{name}-1"
        self.booted, self.error = world.now - 1000, 0.0

    def reboot(self) -> None:
        number = int(self.id.rpartition("-")[2]) + 1
        self.id, self.booted = f"{self.name}-{number}", self.world.now

    def wall(self) -> float:
        return self.world.now + self.error

    def uptime(self) -> float:
        return self.world.now - self.booted


class Wall(FakeMachine):
    """The machine as one worker sees it, where its wall clock may be wrong for this worker alone."""

    def __init__(self, machine: FakeMachine):
        self.machine, self.error = machine, 0.0

    @property
    def id(self) -> str:  # type: ignore[override]
        return self.machine.id

    def wall(self) -> float:
        return self.machine.wall() + self.error

    def uptime(self) -> float:
        return self.machine.uptime()


class Database:
    """What all processes share, as `strifebarge.store.clocks` keeps it."""

    def __init__(self, world: World):
        self.world = world
        self.moments: dict[str, Moment] = {}
        self.periods: list[UptimePeriod] = []
        self.away = False

    @property
    def moment(self) -> Moment | None:
        return max(self.moments.values(), key=lambda each: each.at, default=None)

    def known_time(self, machine: str) -> StoredTime:
        if self.away:
            raise Busy
        clock = self.world.now + self.world.database_error if self.world.has_clock else None
        ours = self.moments.get(machine)
        return StoredTime(self.moment, ours, self.periods[-1] if self.periods else None, clock)

    def first_moment(self, moment: Moment) -> None:
        self.moments.setdefault(moment.machine, moment)

    def keep_moment(self, moment: Moment) -> None:
        self.moments[moment.machine] = moment

    def doubt_wall_clock(self) -> None:
        for name, moment in self.moments.items():
            self.moments[name] = Moment(moment.at, name, moment.uptime, moment.reference)

    def beat(self, at: float, allowed: float, apart: float = 0, moment: Moment | None = None) -> float | None:
        last = self.periods[-1] if self.periods else None
        if last and at - last.ended < apart:
            return None
        if moment:
            self.moments[moment.machine] = moment
        return self._note(at, allowed)

    def wake(self, at: float) -> float:
        if self.periods and self.periods[-1].asleep(at):
            self._note(at, self.periods[-1].allowed)
        return max(at, self.periods[-1].began) if self.periods else at

    def _note(self, at: float, allowed: float) -> float:
        last = self.periods[-1] if self.periods else None
        if last is None or last.asleep(at):
            self.periods.append(UptimePeriod(last.number + 1 if last else 1, at, at, allowed))
            return at - last.ended if last else 0.0
        self.periods[-1] = UptimePeriod(last.number, last.began, max(at, last.ended), allowed)
        return 0.0

    def since(self, number: int) -> list[UptimePeriod]:
        return [each for each in self.periods if each.number >= number] if number else self.periods[-1:]


class Worker:
    """One process, whose ticker looks every few seconds."""

    def __init__(self, wall: Wall, clock: SiteClock, first_look: float):
        self.wall, self.clock, self.next_look = wall, clock, first_look


class Game:
    """A table of two with a clock, and the truth about the seat that is to move."""

    def __init__(self, pace: Pace, at: float, newest: int):
        self.clock = Clock.of(pace, 2)
        self.clock.uptime_period = newest
        self.asked = 0
        self.begin_turn(at, newest, 0)

    def begin_turn(self, at: float, newest: int, breakdowns: int) -> None:
        self.asked += 1
        self.to_move = self.asked % 2
        self.clock.turn({self.to_move: self.asked}, at)
        self.budget = self.clock.seat_clocks[self.to_move].left  # seconds that the seat may think now
        self.thought = 0.0  # true seconds that it has thought, while the site was up
        self.periods = newest  # the uptime period in which the turn began
        self.breakdowns = breakdowns  # how many there were before


class Site:
    """A site on one machine or several, and what happens to it."""

    def __init__(self, seed: int, clock: type[SiteClock] = SiteClock):
        self.clock = clock
        self.chance = chance = Random(seed)
        self.world = World()
        self.world.has_clock = chance.random() < 0.5
        self.database = Database(self.world)
        count = chance.choice((1, 2)) if self.world.has_clock else 1
        self.machines = [FakeMachine(self.world, f"machine{number}") for number in range(count)]
        self.games: list[Game] = []
        self.workers: list[Worker] = []
        self.breakdowns = 0
        self.given = 0.0  # the latest time that any process has given out
        self.done = {"late": 0, "moved": 0}
        self.start(self.machines)
        self.games = [Game(chance.choice(PACES), self.now(self.workers[0]), self.newest) for _ in range(3)]

    @property
    def newest(self) -> int:
        return self.database.periods[-1].number

    # -- machines and processes ----------------------------------------------------------

    def start(self, machines: list[FakeMachine]) -> None:
        """Start two workers on each machine, all of which look soon.

        That a database's clock is set in the very seconds in which a machine joins is left out.
        """
        for machine in machines:
            for _ in range(2):
                look = self.world.now + self.chance.uniform(0, EVERY)
                wall = Wall(machine)
                self.workers.append(Worker(wall, self.clock(self.database, wall), look))
        self.look(self.workers[-1])
        self.pass_time(EVERY)

    def stop(self, machine: FakeMachine) -> None:
        self.workers = [each for each in self.workers if each.wall.machine is not machine]

    def now(self, worker: Worker) -> float:
        """What time it is for a form that a process is sent; that never goes back."""
        came = worker.clock()
        at = self.database.wake(came)
        if at > came:  # as Turn.wake does
            worker.clock.refresh()
            at = max(at, worker.clock())
        assert at >= self.given - APART, f"the time goes back by {self.given - at:.3f} s"
        self.given = max(self.given, at)
        return at

    # -- what may happen -----------------------------------------------------------------

    def happen(self) -> None:
        """Let one thing happen."""
        often = (self.set_a_clock, self.move, self.wait)
        seldom = (self.set_all_clocks, self.right_all_clocks, self.move, self.wait_for_a_deadline)
        faults = (self.restart, self.break_down, self.reboot_one, self.lose_the_database)
        self.chance.choice((*often, *often, *seldom, *faults))()

    def some_step(self) -> float:
        return self.chance.choice(STEPS) * self.chance.choice((-1, 1))

    def set_a_clock(self) -> None:
        """Set the clock of one machine, or what one worker alone takes for it."""
        self.chance.choice([self.chance.choice(self.workers).wall, *self.machines]).error = self.some_step()

    def set_all_clocks(self) -> None:
        step = self.some_step()
        for machine in self.machines:
            machine.error = step
        self.world.database_error = step

    def right_all_clocks(self) -> None:
        for wall in [*self.machines, *(worker.wall for worker in self.workers)]:
            wall.error = 0.0
        self.world.database_error = 0.0

    def wait(self) -> None:
        self.pass_time(self.chance.choice((1.0, 5.0, 30.0, 200.0, 2 * BELIEVED_AFTER)) * self.chance.random())

    def wait_for_a_deadline(self) -> None:
        """Wait until just before somebody's time is up, or just after."""
        game = self.chance.choice([each for each in self.games if each.budget < HOUR] or self.games)
        self.pass_time(max(0.0, game.budget - game.thought + self.chance.choice((-2.0, -0.5, 0.5, 30.0))))

    def restart(self) -> None:
        """All processes end, and others begin soon after."""
        for machine in self.machines:
            self.stop(machine)
        self.pass_time(self.chance.uniform(*SHORT))
        self.start(self.machines)

    def break_down(self) -> None:
        """Everything is off for long, and the machines are booted again, with clocks set to anything."""
        self.breakdowns += 1
        for machine in self.machines:
            self.stop(machine)
        self.pass_time(self.chance.uniform(*LONG), up=False)
        for machine in self.machines:
            machine.reboot()
            machine.error = self.chance.choice((0.0, 0.0, self.some_step()))
        self._show_the_absence()
        self.given = self.database.moment.at  # what was given since is not known any more
        self.start(self.machines)

    def _show_the_absence(self) -> None:
        """Set the database's clock a little, where it was set back by as long as everything was off.

        To a process that starts then all looks as if other machines were up: that is left out.  What the
        clock shows of the absence, ALIVE seconds at most, counts against the seats that are to move.
        """
        moment = self.database.moment
        assert moment
        if self.world.has_clock:
            shown = self.world.now + self.world.database_error - moment.reference
            if 0 <= shown <= ALIVE:
                self.world.database_error -= shown + ALIVE

    def reboot_one(self) -> None:
        """One machine of several is booted again, with another clock; the others go on."""
        if len(self.machines) == 1:
            return
        self.pass_time(EVERY)
        machine = self.chance.choice(self.machines)
        self.stop(machine)
        self.pass_time(self.chance.uniform(*SHORT))
        machine.reboot()
        machine.error = self.some_step()
        self.start([machine])

    def lose_the_database(self) -> None:
        self.database.away = True
        self.pass_time(self.chance.uniform(*SHORT))
        self.database.away = False

    def move(self) -> None:
        """Somebody answers, in time or not, at any worker."""
        game, worker = self.chance.choice(self.games), self.chance.choice(self.workers)
        number = game.asked
        self.judge(game, worker, game.to_move)
        if game.asked != number:
            return
        left, at = game.budget - game.thought, self.now(worker)
        seat = game.to_move
        game.clock.seat_clocks[seat].stop(at)
        given = game.clock.seat_clocks[seat].left
        lost = left - given
        assert lost <= self.error(game), f"{lost:.3f} s were lost"
        assert given <= max(0.0, left) + self.credited(game), f"{given - left:.3f} s too many"
        game.clock.seat_clocks[seat].left = game.clock.pace.topped(given)
        game.begin_turn(at, self.newest, self.breakdowns)
        self.done["moved"] += 1

    # -- what must hold ------------------------------------------------------------------

    def error(self, game: Game) -> float:
        """Seconds by which what a seat has used may be more than the truth."""
        return APART + 2 * ADJUST * game.thought

    def credited(self, game: Game) -> float:
        """Seconds by which it may be less: for absences, and while the site's time went slowly."""
        spans = sum(
            other.began - one.ended
            for one, other in pairwise(self.database.periods)
            if other.number > game.periods
        )
        absences = self.newest - game.periods + self.breakdowns - game.breakdowns
        return (
            APART
            + min(spans, game.thought)
            + absences * (SPARE + ABSENCE + EVERY)
            + 2 * SLOW_DOWN * game.thought
        )

    def judge(self, game: Game, worker: Worker, mine: int | None = None) -> None:
        """Look whether somebody is late, as a form does or the ticker."""
        at = self.now(worker)
        periods = self.database.since(game.clock.uptime_period)
        timekeeper.catch_up(game.clock, _TABLE, at, periods, [])
        late = timekeeper.late_seats(game.clock, at, periods, mine)
        left = game.budget - game.thought
        if late:
            assert left <= self.error(game), f"late with {left:.3f} s left"
            game.clock.miss(late[0], at)
            game.clock.seat_clocks[late[0]].left = game.clock.pace.topped(0) or MINUTE
            game.begin_turn(at, self.newest, self.breakdowns)
            self.done["late"] += 1
        elif mine is None:
            waits = A_MOMENT + SOON + self.credited(game)
            assert left >= -waits, f"not late {-left:.1f} s after the deadline"

    def look(self, worker: Worker) -> None:
        """Let the ticker of a worker look: one of them looks for all."""
        worker.next_look = self.world.now + EVERY
        try:
            noted = worker.clock.beat(ABSENCE, EVERY * 0.9) is not None
        except Busy:
            return
        for game in self.games if noted else []:
            self.judge(game, worker)

    def pass_time(self, seconds: float, up: bool = True) -> None:
        """Let true seconds go by, in which the tickers look; people think meanwhile if the site is `up`."""
        until = self.world.now + seconds
        while self.workers:
            worker = min(self.workers, key=lambda each: each.next_look)
            if worker.next_look > until:
                break
            self._go_on(max(self.world.now, worker.next_look), up)
            self.look(worker)
        self._go_on(until, up)

    def _go_on(self, now: float, up: bool) -> None:
        for game in self.games if up else []:
            game.thought += now - self.world.now
        self.world.now = now


class _Table:
    chairs: tuple[object, ...] = ()


_TABLE: Any = _Table()


def play(seed: int, clock: type[SiteClock] = SiteClock, things: int = 40) -> dict[str, int]:
    """Let a schedule's things happen; return how many seats were late, and how many moves were made."""
    site = Site(seed, clock)
    for _ in range(things):
        site.happen()
    return site.done
