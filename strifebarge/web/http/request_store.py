"""Keep things for one request in Flask's `g`, and reach it, the request and its application at little cost.

Flask's `request`, `current_app` and `g` each stand for another object, which is looked for anew at every use.
That costs ten times as much as the use itself; so what a page needs dozens of times is taken from here.
"""

from collections.abc import Callable
from contextvars import ContextVar
from math import inf
from typing import Any, cast

from flask import Flask, g, request

from strifebarge.web.http.fields import SiteRequest

# The variables in which Flask has the application and the request that these stand for: it has no public
# names for them, and its proxies are too slow.
APPLICATIONS: ContextVar[Any] = cast(Any, g).__wrapped__
REQUESTS: ContextVar[Any] = cast(Any, request).__wrapped__


class RequestStore:
    """The object behind `g`; what pages ask for again and again has a value from the beginning.

    Of the methods that Flask's own object has, it has those that are used here.
    """

    aloud: Any = None  # the reader of texts
    asks_for_piece: bool | None = None
    ban: Any = None
    piece_headers: dict[str, str] | None = None  # headers of a piece
    covered = False
    language: Any = None
    lasts_until = inf  # seconds since 1970
    leaves_holes = False
    link: Callable[..., str] | None = None
    looking_said = ""
    names_of: Any = None
    own_facts: Any = None
    preferred: Any = None
    refusal: Any = None
    script_root: str | None = None
    tagged = True
    visit: Any = None  # whose session it is

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__

    def get(self, name: str, default: Any = None) -> Any:
        """Return what is kept under a name, or the default."""
        return getattr(self, name, default)

    def pop(self, name: str, default: Any = None) -> Any:
        """Forget what is kept under a name, and return it, or the default where nothing is."""
        return self.__dict__.pop(name, default)


def this_request() -> SiteRequest:
    """Return the request that is answered.  Raises LookupError where none is."""
    request: SiteRequest = REQUESTS.get().request
    return request


def this_session() -> Any:
    """Return the session of the request that is answered.  Raises LookupError where none is."""
    return REQUESTS.get().session


def this_app() -> Flask:
    """Return the application that answers.  Raises LookupError where none does."""
    app: Flask = APPLICATIONS.get().app
    return app


def request_globals() -> Any:
    """Return what is kept for the request that is answered.  Raises LookupError where none is."""
    return APPLICATIONS.get().g


def link() -> Callable[..., str]:
    """Return `url_for` as templates have it, which knows most addresses already."""
    context = APPLICATIONS.get()
    g: RequestStore = context.g
    if g.link is None:
        g.link = context.app.extensions["links"](script_root())
    return g.link


def asset(name: str) -> str:
    """Return the address of a file of the site or of a game, with its version."""
    names: dict[str, str] = APPLICATIONS.get().app.extensions["assets"]
    return script_root() + names[name]


def script_root() -> str:
    """Return the path below which the site is served, "" for none: a page has dozens of addresses."""
    g: RequestStore = APPLICATIONS.get().g
    if g.script_root is None:
        g.script_root = this_request().script_root
    return g.script_root
