"""How a person's rating in each game has changed from one rated game to the next.  Pure."""

from msgspec import Struct

from strifebarge.results.models import Rating, RatingStep


class Trend(Struct, frozen=True):
    """A person's rating in one game: what it was, after each rated game, and by how much each changed it."""

    ratings: list[int]  # before the first of these games, if that is known, and after each
    changes: dict[str, int]  # by the record of each game

    @property
    def best(self) -> int:
        """Return the highest of these ratings."""
        return max(self.ratings)


def trends(steps: list[RatingStep], whole: bool = True) -> dict[str, Trend]:
    """Return the trends of a person's ratings by game, from what each of their games made of them, in order.

    `whole`: these are all of their rated games, so that they began as newcomers.
    """
    result: dict[str, Trend] = {}
    for step in steps:
        trend = result.setdefault(step.game, Trend([Rating().displayed] if whole else [], {}))
        if trend.ratings:
            trend.changes[step.record] = step.rating - trend.ratings[-1]
        trend.ratings.append(step.rating)
    return result
