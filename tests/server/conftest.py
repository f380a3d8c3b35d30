"""A site on SQLite."""

from tests.web.conftest import house

__all__ = ["house"]
