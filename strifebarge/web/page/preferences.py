"""Preferences: a cookie of this browser, and the ones that go with a person to any other."""

from collections.abc import Container, Mapping

from flask import Response, request
from werkzeug.wrappers import Response as Reply

from strifebarge.tables.model.player import Player
from strifebarge.web.http.request_store import request_globals, this_request
from strifebarge.web.http.services import accounts, read_only, settings
from strifebarge.web.http.session import current_player
from strifebarge.web.words.languages import COOKIE, languages

DAYS = 400  # how long browsers keep a cookie at most
CHOICES: dict[str, Container[str]] = {
    "theme": ("light", "dark"),
    "sure": ("yes", "no"),
    "view": ("text", "board"),
    "sound": ("yes",),
}


def preferences() -> dict[str, Container[str]]:
    """Return each preference's cookie, and the values it may hold."""
    return {**CHOICES, COOKIE: languages()}


def preferred(what: str) -> str:
    """Return the chosen value; "" if there is none, or none that exists."""
    chosen = all_preferred() if what in CHOICES else {what: _chosen(what, languages())}
    return chosen[what]


def all_preferred() -> dict[str, str]:
    """Return the chosen value of each of CHOICES, as at the beginning of this request."""
    request, person, g = this_request(), current_player(), request_globals()
    cached: tuple[object, object, dict[str, str]] | None = g.preferred
    if cached is None or cached[0] is not request or cached[1] is not person:
        cookies = request.cookies
        chosen = {what: _chosen_by(cookies, person, what, values) for what, values in CHOICES.items()}
        cached = g.preferred = (request, person, chosen)
    return cached[2]


def _chosen(what: str, allowed: Container[str]) -> str:
    return _chosen_by(request.cookies, current_player(), what, allowed)


def _chosen_by(cookies: Mapping[str, str], person: Player | None, what: str, allowed: Container[str]) -> str:
    chosen = cookies.get(what, "")
    if chosen not in allowed and person:
        chosen = person.preferences.get(what, "")
    return chosen if chosen in allowed else ""


def remember(response: Response | Reply, what: str, chosen: str) -> None:
    """Let this answer set a preference; what it may not hold takes it back."""
    if chosen in preferences()[what]:
        secure = bool(settings().secure)
        response.set_cookie(what, chosen, max_age=DAYS * 86400, httponly=True, samesite="Lax", secure=secure)
    else:
        response.delete_cookie(what)


def keep(what: str, chosen: str) -> None:
    """Keep a preference for the visitor's other browsers too, where nothing else was chosen.

    While the site saves space, it is this browser's alone.
    """
    if read_only():
        return
    player, value = current_player(), chosen if chosen in preferences()[what] else ""
    if player and player.preferences.get(what, "") != value:
        accounts().prefer(player.id, what, value)
