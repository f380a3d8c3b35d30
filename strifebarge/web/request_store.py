"""Keep things for one request: in Flask's `g`, taken once where a function uses it several times."""

from typing import Any, cast

from flask import g, request


def kept_for_request() -> Any:
    """Return the object that `g` stands for: each use of `g` itself looks for it anew, which costs more."""
    return cast(Any, g)._get_current_object()


def script_root() -> str:
    """Return the path below which the site is served, "" for none: a page has dozens of addresses."""
    kept = kept_for_request()
    try:
        return str(kept.script_root)
    except AttributeError:
        kept.script_root = request.script_root
        return str(kept.script_root)
