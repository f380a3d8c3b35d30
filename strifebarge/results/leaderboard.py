"""Number the places of a leaderboard: the people who are best at a game.  Pure."""

from datetime import UTC, datetime

from msgspec import Struct

LISTED = 50  # people on a leaderboard, at most


class Ranked(Struct, frozen=True):
    """A person who may be listed: the id of their page, their rating, and how many rated games it counts."""

    person: str
    name: str
    rating: int
    games: int  # of the time that the leaderboard is about


class LeaderboardLine(Struct, frozen=True):
    """A line of a leaderboard; people with the same rating share a place."""

    place: int
    who: Ranked


def standings(ranked: list[Ranked]) -> list[LeaderboardLine]:
    """Return the lines of a leaderboard from people in order, the best first."""
    lines: list[LeaderboardLine] = []
    for number, each in enumerate(ranked, 1):
        tied = bool(lines) and lines[-1].who.rating == each.rating
        lines.append(LeaderboardLine(lines[-1].place if tied else number, each))
    return lines


def month_of(moment: float) -> float:
    """Return when the calendar month of a moment began, by UTC; both in seconds since 1970."""
    day = datetime.fromtimestamp(moment, UTC)
    return datetime(day.year, day.month, 1, tzinfo=UTC).timestamp()
