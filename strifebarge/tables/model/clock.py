"""The clocks of a table's seats.  Pure: every function is told the time, in seconds since 1970, UTC.

A seat's clock is what the seat has left, and the moment from which that is used up.  Whatever makes time
stand still (a pause, somebody's vacation, the server's absence, a suspended game) is a span of time, and is
left out in one way: the clock pays up to where the span began, and is used up again from where it ended.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec import Struct

from strifebarge.rules.pace import DAY, HOUR, MINUTE, Pace

PAUSE_LASTS = 30 * DAY  # how long a pause lasts that nobody ends
RESUME_NOTICE = DAY  # between ending a pause and the clock, at a slow pace
SPARE, LITTLE = 15 * MINUTE, MINUTE  # on top of the site's absence, at a slow pace and at a quick one
FORFEIT_GRACE = 12 * HOUR  # at a slow pace, for a seat of two that would be out
EXTRA_TIME = 3 * DAY  # what that other may give them
YET_TO_COME = MINUTE  # a clock that would run from a moment later than this was set by a wrong clock
VACATION_LOOK_AGAIN = 3600  # somebody on vacation may be back any time: when to look again


def allowed(pace: Pace, in_play: int) -> int:
    """Return how many questions in a row a seat may let go by until it is out, among `in_play` seats.

    At a slow pace and with more than one other, these have as many again to find somebody for it.
    """
    return pace.misses * (2 if pace.slow and in_play > 2 else 1)


class ExcludedPeriod(NamedTuple):
    """A time in which time did not count; `to_spare` is given on top, for those caught in it."""

    began: float
    ended: float
    to_spare: float = 0


class SeatClock(Struct):
    """One seat's time."""

    left: float  # seconds
    since: float | None = None  # from when on it is used up; None: it is not
    still: float = 0  # as far as is known, it stands still until then
    question: int = 0  # the number of the question it runs for
    missed: int = 0  # questions in a row that it has let go by
    grace: bool = False  # what is left is but a grace, its own time has run out

    @property
    def due(self) -> float | None:
        """The deadline, should nothing come between."""
        return None if self.since is None else max(self.since, self.still) + self.left

    def remaining(self, at: float) -> float:
        return self.left if self.since is None else max(0.0, self.left - max(0.0, at - self.since))

    def start(self, question: int, at: float) -> None:
        self.since, self.question, self.still = at, question, 0

    def stop(self, at: float) -> None:
        """Pay for the time since then, and stand."""
        if self.since is not None:
            self.left = self.remaining(at)
            self.since, self.still = None, 0

    def leave_out(self, span: ExcludedPeriod, at: float) -> None:
        """Let a span of time not count, as far as it has gone by; a deadline before it stays passed."""
        if self.since is None or self.since + self.left < span.began or span.ended <= self.since:
            return
        self.left += span.to_spare - max(0.0, span.began - self.since)
        self.since = max(self.since, min(span.ended, at))
        if span.ended > at:
            self.still = max(self.still, span.ended)

    def is_late(self, at: float) -> bool:
        return self.due is not None and self.due <= at and self.still <= at

    def seen_again(self) -> float | None:
        """Return when to look whether it is late."""
        if self.since is None or self.still <= self.since:
            return self.due
        return min(self.still + self.left, self.since + VACATION_LOOK_AGAIN)


class Pause(Struct):
    """That the clock stands, as all have agreed."""

    began: float
    until: float  # it goes on by itself then
    ended: bool = False  # by somebody


class Clock(Struct, kw_only=True):
    """The clock of a table: one for each seat, all at one pace."""

    pace: Pace
    seat_clocks: list[SeatClock]
    pause: Pause | None = None
    agreed: list[int] = []  # seats that would like a pause
    suspended_since: float | None = None
    # The last of the server's absences that was left out comes before this uptime period.
    uptime_period: int = 0

    @classmethod
    def of(cls, pace: Pace, seats: int) -> "Clock":
        return cls(pace=pace, seat_clocks=[SeatClock(pace.base) for _ in range(seats)])

    # -- running -----------------------------------------------------------------

    def turn(self, questions: Mapping[int, int], at: float, at_it: Collection[int] = ()) -> None:
        """Run the clocks of the seats waited for, by the numbers of their questions; stop all others.

        A seat's time is topped up when its question is answered; not while the seat is still `at_it`, with
        a turn that it may take back.
        """
        for seat, hand in enumerate(self.seat_clocks):
            number = questions.get(seat)
            if hand.since is not None and number != hand.question:
                if seat in at_it and number is not None:
                    hand.question = number
                else:
                    hand.stop(at)
                    hand.left = self.pace.topped(0 if hand.grace else hand.left)
                    hand.grace = False
            if hand.since is None and number is not None:
                hand.start(number, at)

    def late(self, at: float) -> list[int]:
        """Return the seats whose time has run out, by seat."""
        return [
            seat
            for seat, hand in enumerate(self.seat_clocks)
            if self.suspended_since is None and hand.is_late(at)
        ]

    def miss(self, seat: int, at: float, in_play: int = 2) -> bool:
        """Note that a seat's time has run out; return whether once too often where `in_play` are playing."""
        hand = self.seat_clocks[seat]
        hand.stop(at)
        hand.left, hand.grace = self.pace.topped(0), False
        hand.missed += 1
        return hand.missed >= allowed(self.pace, in_play)

    def grant_grace(self, seat: int, at: float, grace: float = FORFEIT_GRACE) -> None:
        """Give a seat whose time has run out a grace from its deadline on, once."""
        hand = self.seat_clocks[seat]
        due = at if hand.due is None else hand.due
        hand.left, hand.since, hand.grace = max(0.0, due + grace - at), at, True

    def give(self, seat: int, at: float, more: float = EXTRA_TIME) -> None:
        """Give a seat so much from now on, as if its time had not run out."""
        hand = self.seat_clocks[seat]
        hand.left, hand.since, hand.grace = more, at, False

    def anew(self, seat: int, at: float) -> None:
        """Start a seat's clock anew for another player, who has missed nothing, with the time of a turn."""
        hand = self.seat_clocks[seat]
        hand.missed, hand.left, hand.grace = 0, self.pace.topped(0), False
        hand.since = None if hand.since is None else at

    @property
    def due(self) -> float | None:
        """When somebody has to look at this clock."""
        when = [hand.seen_again() for hand in self.seat_clocks]
        return (
            None
            if self.suspended_since is not None
            else min((each for each in when if each is not None), default=None)
        )

    # -- standing still ------------------------------------------------------------

    def catch_up(
        self,
        at: float,
        absences: Collection[ExcludedPeriod] = (),
        vacations: Mapping[int, Collection[ExcludedPeriod]] = {},
    ) -> None:
        """Leave out all that has made time stand still up to now: for everybody, or by seat for one."""
        if self.suspended_since is not None:
            return
        paused = [ExcludedPeriod(self.pause.began, self.pause.until)] if self.pause else []
        for seat, hand in enumerate(self.seat_clocks):
            hand.still = 0
            if hand.since is not None and hand.since > at + YET_TO_COME:
                hand.since = at
            for span in sorted([*paused, *absences, *vacations.get(seat, ())]):
                hand.leave_out(span, at)
        if self.pause and self.pause.until <= at:
            self.pause = None

    def absence(self, began: float, ended: float) -> ExcludedPeriod:
        """Return the span of the server's own absence, with some time on top to notice that it is back."""
        return ExcludedPeriod(began, ended, SPARE if self.pace.slow else LITTLE)

    def stands(self, at: float) -> bool:
        """Return whether there is a pause."""
        return self.pause is not None and self.pause.until > at

    def stop_for_all(self, at: float) -> None:
        """Begin a pause, as all have agreed."""
        self.pause, self.agreed = Pause(at, at + PAUSE_LASTS), []
        self.catch_up(at)

    def go_on(self, at: float) -> None:
        """End the pause; at a slow pace the others have a day to notice."""
        if self.pause and not self.pause.ended:
            self.pause.until = min(self.pause.until, at + (RESUME_NOTICE if self.pace.slow else 0))
            self.pause.ended = True
            self.catch_up(at)

    def hold(self, at: float) -> None:
        """Stop all clocks, for the game is suspended."""
        if self.suspended_since is None:
            self.suspended_since = at

    def release(self, at: float) -> None:
        """Start the clocks again after a suspension, with time to notice."""
        if self.suspended_since is None:
            return
        span, self.suspended_since = ExcludedPeriod(self.suspended_since, at), None
        enough = min(self.pace.base, RESUME_NOTICE if self.pace.slow else MINUTE)
        for hand in self.seat_clocks:
            if hand.since is not None:
                hand.leave_out(span, at)
                hand.left = max(hand.left, enough)
                hand.since = max(hand.since, at)
