"""How long a bot may think."""

from time import monotonic, thread_time

LATE = 2.0  # times its seconds of a processor that a bot may take by the clock


class ThinkingClock:
    """Says when there is no time left to think, and remembers that it has said so.

    Time is that of a processor which this thread has had: on a busy machine a bot looks at as much as on an
    idle one.  Only what it takes by the clock is bounded too, at twice as long, for others wait for its move.
    """

    def __init__(self, seconds: float, late: float = LATE):
        self.seconds = seconds
        self.began, self.used = monotonic(), thread_time()
        self.late = self.began + late * seconds
        self.has_cut = False

    def is_over(self) -> bool:
        """Return whether all the time is used up."""
        self.has_cut = self._has_used(self.seconds)
        return self.has_cut

    def is_half_over(self) -> bool:
        """Return whether half of the time is used up."""
        return self._has_used(self.seconds / 2)

    def _has_used(self, seconds: float) -> bool:
        now = monotonic()
        if now - self.began < seconds:  # it cannot have had more of a processor
            return False
        return now >= self.late or thread_time() - self.used >= seconds
