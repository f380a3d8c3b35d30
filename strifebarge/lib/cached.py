"""A cached property without a lock.

Up to Python 3.11 the standard library's holds one lock for all instances of a class while it computes: of two
tables one would wait for the other's game.
"""

from functools import cached_property as locked_property
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING:
    cached_property = locked_property
else:

    class cached_property(locked_property):
        """A property that is computed when it is asked for first; by two threads at once perhaps twice."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """Return the value; the property itself where the class is asked."""
            if instance is None:
                return self
            value = self.func(instance)
            instance.__dict__[self.attrname] = value
            return value
