"""Who sends a form: looked up where forms wait, before the site has looked at the form itself."""

from collections.abc import Mapping
from typing import cast

from flask import Flask
from werkzeug.sansio.http import parse_cookie

from strifebarge.lib.busy import Busy
from strifebarge.rules import Refused
from strifebarge.services import Services
from strifebarge.store.sessions import OpenedSession
from strifebarge.web.http.session_interface import SiteSessions


def sits_at(site: Flask, headers: Mapping[str, str], table: str) -> bool:
    """Return whether the sender of a request with these headers sits at a table; True if nobody can tell."""
    services: Services = site.extensions["services"]
    try:
        player = _by_token(services, headers) or _by_session(site, headers)
        return player is not None and services.referee.store.table(table).plays(player)
    except Refused:  # there is no such table
        return False
    except Busy:
        return True


def _by_token(services: Services, headers: Mapping[str, str]) -> str | None:
    kind, _, token = headers.get("AUTHORIZATION", "").partition(" ")
    owner = services.accounts.tokens.look_up(token.strip(), note=False) if kind.lower() == "bearer" else None
    return owner[1].id if owner else None


def _by_session(site: Flask, headers: Mapping[str, str]) -> str | None:
    session_id = parse_cookie(headers.get("COOKIE")).get(site.config["SESSION_COOKIE_NAME"])
    if not session_id:
        return None
    sessions, interface = site.extensions["sessions"], cast(SiteSessions, site.session_interface)
    opened: OpenedSession | None = sessions.open(interface.key_prefix + session_id)
    return opened.visit.player.id if opened and opened.visit else None
