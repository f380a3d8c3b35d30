"""What somebody has chosen for this browser alone: each choice is a cookie, and none of it is kept here."""

from collections.abc import Container

from flask import Response, current_app, request
from werkzeug.wrappers import Response as Reply

from .languages import COOKIE

DAYS = 400  # how long browsers keep a cookie at most


def preferences() -> dict[str, Container[str]]:
    """Each preference's cookie, and what it may hold other than nothing."""
    return {
        "theme": ("light", "dark"),
        "sure": ("yes",),
        "view": ("text",),
        COOKIE: current_app.extensions["languages"],
    }


def preferred(what: str) -> str:
    """What was chosen; "" if nothing was, or nothing that there is."""
    chosen = request.cookies.get(what, "")
    return chosen if chosen in preferences()[what] else ""


def remember(response: Response | Reply, what: str, chosen: str) -> None:
    """Let this answer set a preference; what it may not hold takes it back."""
    if chosen in preferences()[what]:
        secure = bool(current_app.extensions["settings"].secure)
        response.set_cookie(what, chosen, max_age=DAYS * 86400, httponly=True, samesite="Lax", secure=secure)
    else:
        response.delete_cookie(what)
