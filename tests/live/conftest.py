"""A site on SQLite."""

from tests.web.conftest import clock, house, open_house, timed, wall

__all__ = ["clock", "house", "open_house", "timed", "wall"]
