"""Draw how a rating has changed as a line, from left to right; no script and no style is needed for it."""

from typing import NamedTuple

from strifebarge.results.trends import Trend

WIDTH, HEIGHT = 200, 40  # of the drawing, in its own units
MARGIN = 2  # round the line, so that its ends are whole
MOST_POINTS = 100


class RatingLine(NamedTuple):
    """A line, and what it shows in numbers."""

    points: str  # as a polyline of SVG has them
    first: int
    last: int
    best: int
    games: int


def rating_line(trend: Trend) -> RatingLine:
    """Return the line of a trend of two ratings or more, its latest ones on the right."""
    ratings = trend.ratings[-MOST_POINTS:]
    low, high = min(ratings), max(ratings)
    places = [
        (_spread(number, len(ratings) - 1, WIDTH), _spread(high - each, high - low, HEIGHT))
        for number, each in enumerate(ratings)
    ]
    points = " ".join(",".join(each) for each in places)
    return RatingLine(points, ratings[0], ratings[-1], max(ratings), len(ratings) - 1)


def _spread(amount: int, most: int, room: int) -> str:
    """Return where between the margins of a room an amount lies, of which there are `most` at most."""
    share = amount / most if most else 0.5
    return f"{MARGIN + share * (room - 2 * MARGIN):.1f}"
