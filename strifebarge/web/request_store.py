"""Keep things for one request: in Flask's `g`, taken once where a function uses it several times."""

from typing import Any, cast

from flask import g


def kept_for_request() -> Any:
    """Return the object that `g` stands for: each use of `g` itself looks for it anew, which costs more."""
    return cast(Any, g)._get_current_object()
