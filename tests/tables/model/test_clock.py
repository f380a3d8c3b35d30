"""A clock against one that counts every second, over schedules of everything that may happen to it."""

from dataclasses import dataclass, field
from random import Random

import pytest

from strifebarge.rules import Pace
from strifebarge.rules.pace import DAY, PACES
from strifebarge.tables.model.clock import Clock, ExcludedPeriod, allowed
from tests.support.bounds import clock_bound

# Paces as they are, but of seconds: so that they can be counted.
SMALL = [
    Pace("turn", 20, 20, 20, 3),
    Pace("days", 30, 30, 30, 2),
    Pace("pool", 40, 6, 60, 2),
    Pace("clock", 50, 3, None, 1),
]
SPARE, GRACE, MORE = 7, 12, 25


@dataclass
class Counted:
    """The oracle: it goes through time second by second, and knows no formula."""

    pace: Pace
    left: list[int]
    still: list[tuple[int, int, int | None]] = field(default_factory=list)  # from, to, whose (None: all)
    spare: list[tuple[int, int, int]] = field(default_factory=list)  # from, to, extra: the server's absences
    asked: set[int] = field(default_factory=set)
    now: int = 0
    overdue: dict[int, int] = field(default_factory=dict)  # seat: since when
    graced: set[int] = field(default_factory=set)

    def stands(self, seat: int, second: int) -> bool:
        spans = [*self.still, *((began, ended, None) for began, ended, _ in self.spare)]
        return any(began <= second < ended and whose in (None, seat) for began, ended, whose in spans)

    def until(self, at: int) -> None:
        for second in range(self.now, at):
            for seat in self.asked:
                if seat not in self.overdue and not self.stands(seat, second):
                    if self.left[seat] == 0:
                        self.overdue[seat] = second
                    else:
                        self.left[seat] -= 1
            for began, ended, extra in self.spare:
                if second == ended - 1:
                    for seat in self.asked - self.overdue.keys():
                        self.left[seat] += extra * self.caught(seat, began, ended)
        self.now = at

    def caught(self, seat: int, began: int, ended: int) -> bool:
        """Whether the absence took anything from this seat that nothing else had stopped already."""
        return any(
            not any(a <= second < b and whose in (None, seat) for a, b, whose in self.still)
            for second in range(began, ended)
        )

    def late(self) -> list[int]:
        ended = {seat for seat in self.asked if self.left[seat] == 0 and not self.stands(seat, self.now)}
        return sorted(ended | self.overdue.keys())

    def answer(self, seat: int) -> None:
        self.asked.discard(seat)
        if seat in self.graced:
            self.graced.discard(seat)
            self.left[seat] = 0
        self.left[seat] += int(self.pace.step)
        if self.pace.cap is not None:
            self.left[seat] = min(int(self.pace.cap), self.left[seat])

    def reprieve(self, seat: int, grace: int) -> None:
        """From the second on in which its time ran out it has a grace instead."""
        self.left[seat] = max(0, grace - (self.now - self.overdue.pop(seat, self.now)))
        self.graced.add(seat)

    def give(self, seat: int, more: int) -> None:
        self.overdue.pop(seat, None)
        self.graced.discard(seat)
        self.left[seat] = more

    def miss(self, seat: int) -> None:
        self.left[seat] = 0
        self.overdue.pop(seat, None)
        self.answer(seat)


class Schedule:
    """One table's time, told to both."""

    def __init__(self, seed: int):
        self.chance = Random(seed)
        self.pace = self.chance.choice(SMALL)
        self.seats = self.chance.randint(1, 4)
        self.clock = Clock.of(self.pace, self.seats)
        self.oracle = Counted(self.pace, [int(self.pace.base)] * self.seats)
        self.vacations: dict[int, list[ExcludedPeriod]] = {seat: [] for seat in range(self.seats)}
        self.absences: list[ExcludedPeriod] = []
        self.number = 0
        self.questions: dict[int, int] = {}

    def run(self) -> None:
        self.ask(0)
        at = 0
        for _ in range(self.chance.randint(3, 14)):
            at += self.chance.choice((1, 3, 8, 15, 40))
            if self.chance.random() < 0.15:
                at = self.server_is_away(at)
            self.look(at)
            self.something(at)
            self.compare(at)

    def ask(self, at: int) -> None:
        """Some seats have a new question, the others none."""
        self.number += 1
        some = self.chance.sample(range(self.seats), self.chance.randint(1, self.seats))
        for seat in list(self.oracle.asked):
            self.oracle.answer(seat)
        self.questions = dict.fromkeys(some, self.number)
        self.oracle.asked = set(some)
        self.clock.turn(self.questions, at)

    def look(self, at: int) -> None:
        """A seat that is late by now misses, and everybody is asked anew."""
        self.oracle.until(at)
        self.clock.catch_up(at, self.absences, self.vacations)
        self.absences = []
        late = self.oracle.late()
        assert self.clock.late(at) == late
        missed = False
        for seat in late:
            if self.pace.slow and seat not in self.oracle.graced and self.chance.random() < 0.6:
                self.clock.grant_grace(seat, at, GRACE)
                self.oracle.reprieve(seat, GRACE)
            else:
                self.clock.miss(seat, at)
                self.oracle.miss(seat)
                missed = True
        if missed:
            self.ask(at)

    def something(self, at: int) -> None:
        events = ["answer", "answer", "one", "pause", "on", "vacation", "back", "nothing", "more"]
        match self.chance.choice(events):
            case "answer":
                self.ask(at)
            case "one" if len(self.oracle.asked) > 1:
                seat = self.chance.choice(sorted(self.oracle.asked))
                self.oracle.answer(seat)
                del self.questions[seat]
                self.clock.turn(self.questions, at)
            case "pause" if not self.clock.stands(at):
                self.clock.stop_for_all(at)
                self.oracle.still.append((at, at + 30 * DAY, None))
            case "on" if self.clock.pause and not self.clock.pause.ended and not self.pace.slow:
                self.clock.go_on(at)
                began, _, _ = next(each for each in self.oracle.still if each[1] > at and each[2] is None)
                self.oracle.still.remove((began, began + 30 * DAY, None))
                self.oracle.still.append((began, at, None))
            case "vacation":
                seat = self.chance.randrange(self.seats)
                if not any(each.ended > at for each in self.vacations[seat]):
                    ends = at + self.chance.randint(1, 60)
                    self.vacations[seat].append(ExcludedPeriod(at, ends))
                    self.oracle.still.append((at, ends, seat))
            case "more" if self.oracle.graced:
                seat = self.chance.choice(sorted(self.oracle.graced))
                self.clock.give(seat, at, MORE)
                self.oracle.give(seat, MORE)
            case "back":
                self.come_back(self.chance.randrange(self.seats), at)

    def come_back(self, seat: int, at: int) -> None:
        for each in self.vacations[seat]:
            if each.ended > at:
                self.vacations[seat].remove(each)
                self.vacations[seat].append(ExcludedPeriod(each.began, at))
                self.oracle.still.remove((int(each.began), int(each.ended), seat))
                self.oracle.still.append((int(each.began), at, seat))
                return

    def server_is_away(self, at: int) -> int:
        back = at + self.chance.randint(1, 50)
        self.absences.append(ExcludedPeriod(at, back, SPARE))
        self.oracle.spare.append((at, back, SPARE))
        return back + self.chance.randint(0, 5)

    def compare(self, at: int) -> None:
        self.clock.catch_up(at, (), self.vacations)
        left = [hand.remaining(at) for hand in self.clock.seat_clocks]
        assert left == self.oracle.left, (self.pace.kind, at)
        assert {seat for seat, hand in enumerate(self.clock.seat_clocks) if hand.grace} == self.oracle.graced
        running = {seat for seat, hand in enumerate(self.clock.seat_clocks) if hand.since is not None}
        assert running == self.oracle.asked


def test_a_thousand_schedules_are_as_if_every_second_had_been_counted():
    for seed in range(1000):
        Schedule(seed).run()


@pytest.mark.slow
def test_ten_thousand_schedules_are_as_if_every_second_had_been_counted():
    for seed in range(1000, 11_000):
        Schedule(seed).run()


# -- small rules -----------------------------------------------------------------


def running(pace: Pace, at: float = 0) -> Clock:
    clock = Clock.of(pace, 2)
    clock.turn({0: 0}, at)
    return clock


def test_the_deadline_itself_is_late_and_the_moment_before_is_not():
    clock = running(Pace.turn(60))
    assert (clock.late(59.999), clock.late(60)) == ([], [0])
    assert clock.due == 60


def test_whoever_takes_back_and_moves_again_gets_no_more_time():
    clock = running(Pace.clock(1, 5))
    for number in range(1, 50):
        clock.turn({0: number}, number, at_it={0})
    assert clock.seat_clocks[0].remaining(50) == 10
    clock.turn({1: 50}, 50)
    assert clock.seat_clocks[0].left == 15


def test_a_pool_never_holds_more_than_its_cap():
    clock = running(Pace.pool(72, 12, 120))
    for number in range(1, 30):
        clock.turn({number % 2: number}, number)
    assert max(hand.left for hand in clock.seat_clocks) == 120 * 3600


def test_a_pause_ends_by_itself_after_thirty_days():
    clock = running(Pace.days(3))
    clock.stop_for_all(DAY)
    clock.catch_up(20 * DAY)
    assert clock.stands(20 * DAY)
    clock.catch_up(33 * DAY - 1)
    assert (clock.stands(33 * DAY - 1), clock.late(33 * DAY - 1)) == (False, [])
    assert clock.late(33 * DAY) == [0]


@pytest.mark.parametrize(("pace", "notice"), [(Pace.days(3), DAY), (Pace.turn(60), 0)])
def test_whoever_ends_a_pause_gives_the_others_time_to_notice(pace, notice):
    clock = running(pace)
    clock.stop_for_all(10)
    clock.go_on(DAY)
    clock.go_on(DAY + 5)  # once more changes nothing
    due = DAY + notice + pace.base - 10
    clock.catch_up(due - 1)
    assert clock.late(due - 1) == []
    clock.catch_up(due)
    assert (clock.due, clock.late(due)) == (due, [0])


def test_a_game_that_was_suspended_leaves_time_to_notice():
    clock = running(Pace.turn(300))
    clock.hold(295)
    assert (clock.due, clock.late(10_000)) == (None, [])
    clock.release(10_000)
    assert clock.due == 10_060


@pytest.mark.parametrize("in_play", [2, 3])
@pytest.mark.parametrize("pace", PACES, ids=lambda pace: pace.key)
def test_no_pace_lasts_for_ever(pace, in_play):
    """A seat that always uses all its time is out after a fixed number of misses; a bound for each turn."""
    clock, at, turns = running(pace), 0.0, 0
    while True:
        at = clock.due
        if (
            pace.slow
            and not clock.seat_clocks[0].grace
            and clock.seat_clocks[0].missed + 1 == allowed(pace, in_play)
        ):
            clock.grant_grace(0, at)
            continue
        turns += 1
        if clock.miss(0, at, in_play):
            break
        clock.turn({0: turns}, at)
    assert turns == pace.misses * (2 if pace.slow and in_play > 2 else 1)
    assert at <= clock_bound(pace, in_play)


def longest(pace: Pace, turns: int) -> float:
    """For how many seconds at most a seat can think in a number of turns, its whole game long: a formula."""
    if pace.kind in ("turn", "days"):
        return turns * pace.base
    return pace.base + turns * pace.step


@pytest.mark.parametrize("pace", PACES, ids=lambda pace: pace.key)
def test_the_whole_time_on_the_wall_is_bounded_and_a_vacation_never_adds_to_what_a_seat_may_have(pace):
    """However vacations and absences fall: nothing is left above the cap, nor thought above the sum."""
    for seed in range(40):
        chance = Random(seed)
        clock, at, still, turns = running(pace), 0.0, 0.0, 0
        vacations: list[ExcludedPeriod] = []
        most = pace.base if pace.cap is None else pace.cap
        while turns < 12:
            hand, spans = clock.seat_clocks[0], []
            step = chance.uniform(0, 1.2) * hand.remaining(at)
            if chance.random() < 0.5:
                span = ExcludedPeriod(at, at + chance.uniform(0, 3) * pace.base)
                if pace.slow:
                    vacations.append(span)
                else:
                    spans.append(span)
                still += span.ended - span.began
                at = span.ended
            at += step
            clock.catch_up(at, spans, {0: vacations} if pace.slow else {})
            assert clock.seat_clocks[0].remaining(at) <= most
            if clock.late(at):
                break
            turns += 1
            clock.turn({0: turns}, at)
            most = most + pace.step if pace.cap is None else pace.cap
        overrun = 0.2 * most  # the step that went beyond the deadline
        assert at - still <= longest(pace, turns + 1) + overrun, (pace.key, seed)


def test_no_two_paces_are_written_alike():
    assert len({pace.key for pace in PACES}) == len(PACES)
