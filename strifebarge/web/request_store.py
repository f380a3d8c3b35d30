"""Keep things for one request in Flask's `g`, and reach it, the request and its application at little cost.

Flask's `request`, `current_app` and `g` each stand for another object, which is looked for anew at every use.
That costs ten times as much as the use itself; so what a page needs dozens of times is taken from here.
"""

from collections.abc import Callable
from typing import Any, cast

from flask import Flask, Request, current_app, g, request

# Each returns the object that `request`, `current_app` or `g` stands for.
this_request: Callable[[], Request] = cast(Any, request)._get_current_object
this_app: Callable[[], Flask] = cast(Any, current_app)._get_current_object
kept_for_request: Callable[[], Any] = cast(Any, g)._get_current_object


def link() -> Callable[..., str]:
    """Return `url_for` as templates have it, which knows most addresses already."""
    below: Callable[[str], Callable[..., str]] = this_app().extensions["links"]
    return below(script_root())


def asset(name: str) -> str:
    """Return the address of a file of the site or of a game, with its version."""
    found: Callable[[str], str] = this_app().extensions["asset"]
    return found(name)


def script_root() -> str:
    """Return the path below which the site is served, "" for none: a page has dozens of addresses."""
    kept = kept_for_request()
    try:
        found: str = kept.script_root
    except AttributeError:
        found = kept.script_root = this_request().script_root
    return found
