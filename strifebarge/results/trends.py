"""How a person's rating in each game has changed from one rated game to the next.  Pure."""

from msgspec import Struct

from strifebarge.results.models import Rating, Step


class Trend(Struct, frozen=True):
    """A person's rating in one game: what it was, after each rated game, and by how much each changed it."""

    shown: list[int]  # before the first of these games, if that is known, and after each
    changes: dict[str, int]  # by the record of each game

    @property
    def best(self) -> int:
        """Return the highest of these ratings."""
        return max(self.shown)


def trends(steps: list[Step], whole: bool = True) -> dict[str, Trend]:
    """Return the trends of a person's ratings by game, from what each of their games made of them, in order.

    `whole`: these are all of their rated games, so that they began as newcomers.
    """
    found: dict[str, Trend] = {}
    for step in steps:
        trend = found.setdefault(step.game, Trend([Rating().shown] if whole else [], {}))
        if trend.shown:
            trend.changes[step.record] = step.shown - trend.shown[-1]
        trend.shown.append(step.shown)
    return found
