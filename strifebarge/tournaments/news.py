"""News for the open pages of a tournament that has changed.  Pure.

They go the way that those of tables go, under names that are no codes of tables.
"""

from strifebarge.tables.view.news import News

PREFIX = "t/"


def topic_of(id: str) -> str:
    """Return the name under which streams tell of a tournament."""
    return PREFIX + id


def tournament_of(topic: str) -> str:
    """Return the id of the tournament that a stream's topic is; "" for a table."""
    return topic.removeprefix(PREFIX) if topic.startswith(PREFIX) else ""


def tournament_news(id: str, version: int) -> News:
    """Return the news of a tournament; everybody sees the same change."""
    return News(topic_of(id), version, str(version))
