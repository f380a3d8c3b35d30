"""A site on SQLite."""

from tests.web.conftest import open_house

__all__ = ["open_house"]
