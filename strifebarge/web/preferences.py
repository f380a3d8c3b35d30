"""What somebody prefers: a cookie of this browser, and what goes with the person to any other."""

from collections.abc import Container

from flask import Response, current_app, request
from werkzeug.wrappers import Response as Reply

from .languages import COOKIE
from .people import referee, who

DAYS = 400  # how long browsers keep a cookie at most


def preferences() -> dict[str, Container[str]]:
    """Each preference's cookie, and what it may hold other than nothing."""
    return {
        "theme": ("light", "dark"),
        "sure": ("yes", "no"),
        "view": ("text", "board"),
        "sound": ("yes",),
        COOKIE: current_app.extensions["languages"],
    }


def preferred(what: str) -> str:
    """What was chosen; "" if nothing was, or nothing that there is."""
    allowed, person = preferences()[what], who()
    chosen = request.cookies.get(what, "")
    if chosen not in allowed and person:
        chosen = person.preferences.get(what, "")
    return chosen if chosen in allowed else ""


def remember(response: Response | Reply, what: str, chosen: str) -> None:
    """Let this answer set a preference; what it may not hold takes it back."""
    if chosen in preferences()[what]:
        secure = bool(current_app.extensions["settings"].secure)
        response.set_cookie(what, chosen, max_age=DAYS * 86400, httponly=True, samesite="Lax", secure=secure)
    else:
        response.delete_cookie(what)


def keep(what: str, chosen: str) -> None:
    """Let whoever is asking have it so in their other browsers too, where nothing else was chosen.

    While the site saves space, it is this browser's alone.
    """
    if current_app.extensions["settings"].read_only:
        return
    player, wanted = who(), chosen if chosen in preferences()[what] else ""
    if player and player.preferences.get(what, "") != wanted:
        referee().store.prefer(player.id, what, wanted)
