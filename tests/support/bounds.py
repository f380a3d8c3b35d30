"""For how long people who stay away can keep the others waiting: what the policy and the clocks promise."""

from strifebarge.rules import Pace
from strifebarge.rules.pace import DAY
from strifebarge.tables.clock.absence import SKIPS
from strifebarge.tables.clock.vacation import DAYS
from strifebarge.tables.model.clock import FORFEIT_GRACE, allowed
from strifebarge.tables.model.status import AbsencePolicy

# How many steps it takes at most until nobody waits for a seat any more.
STEPS = {AbsencePolicy.SKIP: SKIPS + 2, AbsencePolicy.REPLACE: 2, AbsencePolicy.END: 1, AbsencePolicy.LOSE: 1}


def bound(remedy: AbsencePolicy, patience: int, seats: int = 1) -> int:
    """Return for how many seconds `seats` that never come back can keep the others waiting, at most."""
    return STEPS[remedy] * patience * seats


def clock_bound(pace: Pace, in_play: int, left: float | None = None) -> float:
    """Return the seconds that a seat with so much `left` can keep others waiting where a clock runs.

    Vacations are those of two years, for one may end where the next begins.
    """
    first = max(pace.base, pace.cap or 0) if left is None else left
    return (
        first
        + (allowed(pace, in_play) - 1) * pace.step
        + (2 * DAYS * DAY + FORFEIT_GRACE if pace.slow else 0)
    )
