"""How long a seat may think.  A game knows no clock: it only says which paces suit it."""

from typing import Literal

from msgspec import Struct

MINUTE, HOUR, DAY = 60, 3600, 86400  # seconds


class Pace(Struct, frozen=True):
    """How long a seat has, in seconds: so much at first, more for each turn it ends, never above the cap.

    Make one by `turn`, `days`, `pool` or `clock`.
    """

    kind: Literal["turn", "days", "pool", "clock"]
    base: float
    step: float
    cap: float | None  # none for a clock
    misses: int  # turns missed in a row after which the seat is out

    @classmethod
    def turn(cls, seconds: int, misses: int = 3) -> "Pace":
        """Return a pace of some seconds for each turn, for people who play at one sitting."""
        return cls("turn", seconds, seconds, seconds, misses)

    @classmethod
    def days(cls, days: int, misses: int = 2) -> "Pace":
        """Return a pace of some days for each turn."""
        return cls("days", days * DAY, days * DAY, days * DAY, misses)

    @classmethod
    def pool(cls, hours: int, more: int, most: int, misses: int = 2) -> "Pace":
        """Return a pace of some hours in all, more with each turn, and never above the most."""
        return cls("pool", hours * HOUR, more * HOUR, most * HOUR, misses)

    @classmethod
    def clock(cls, minutes: int, more: int) -> "Pace":
        """Return a pace of some minutes for the whole game, and seconds more with each turn; then it is
        lost.
        """
        return cls("clock", minutes * MINUTE, more, None, 1)

    @property
    def slow(self) -> bool:
        """True for people who look in now and then; False for people who play at one sitting."""
        return self.kind in ("days", "pool")

    @property
    def key(self) -> str:
        """How forms write it: `days-3`, `turn-60`, `pool-72-12`, `clock-10-5`."""
        unit, more = {"turn": (1, 0), "days": (DAY, 0), "pool": (HOUR, HOUR), "clock": (MINUTE, 1)}[self.kind]
        return f"{self.kind}-{self.base / unit:g}" + (f"-{self.step / more:g}" if more else "")

    def topped(self, left: float) -> float:
        """Return the seconds that a seat has after a turn that it ended with this many left."""
        return left + self.step if self.cap is None else min(self.cap, left + self.step)


PACES = (
    *map(Pace.days, (1, 2, 3, 5, 7)),
    Pace.pool(72, 12, 120),
    Pace.pool(72, 36, 240),
    Pace.pool(24, 4, 72),
    *map(Pace.turn, (30, 60, 120, 300)),
    Pace.clock(5, 3),
    Pace.clock(10, 5),
    Pace.clock(30, 20),
)  # what any game may be played at
