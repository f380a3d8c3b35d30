"""What the site measures of itself, for a host who watches it: nothing, unless its metrics are switched on.

Code that has something to measure tells the meters of its process (`meters`).  Those that count are in
`strifebarge/prometheus.py`.
"""

from strifebarge.answered import Answered
from strifebarge.busy import Busy
from strifebarge.rules import Refused, Standard


class Meters:
    """Is told what happens in a process, and counts nothing of it."""

    def answered(self, done: Answered) -> None:
        """Take note of a request that was answered."""

    def moved(self, game: str, result: str, by_bot: bool) -> None:
        """Take note of a move that was played, or not."""

    def wrote(self, seconds: float) -> None:
        """Take note of a transaction that wrote: from when it was wanted until it was on the disk."""

    def database_busy(self) -> None:
        """Take note of a question that the database could not answer in time."""

    def limited(self, what: str) -> None:
        """Take note of a request that was over a limit."""

    def notified(self, kind: str, result: str) -> None:
        """Take note of a message that was sent through a kind of channel, or not."""

    def streams(self, number: int) -> None:
        """Take note of how many streams the hub of this machine holds."""

    def woken(self, seconds: float) -> None:
        """Take note that open pages were told of a change, this long after it was written."""


_now = Meters()


def meters() -> Meters:
    """Return the meters of this process."""
    return _now


def measure_with(found: Meters) -> None:
    """Let this process be measured by these meters from now on."""
    global _now
    _now = found


class NoMeter:
    """A context that measures nothing of what is done in it."""

    def __init__(self) -> None:
        self.game = ""
        self.repeated = False

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None: ...


class MoveMeter(NoMeter):
    """Measures what becomes of one move, used as a context: its end tells the result."""

    def __init__(self, by_bot: bool) -> None:
        super().__init__()
        self.by_bot = by_bot

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if self.game:
            meters().moved(self.game, self._result(error), self.by_bot)

    def _result(self, error: object) -> str:
        match error:
            case None:
                return "repeated" if self.repeated else "played"
            case Refused():
                return "stale" if error.why is Standard.STALE else "refused"
            case Busy():
                return "busy"
        return "fault"
