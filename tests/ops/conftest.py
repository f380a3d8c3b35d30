"""A site on SQLite."""

from tests.web.conftest import house, open_house, town

__all__ = ["house", "open_house", "town"]
