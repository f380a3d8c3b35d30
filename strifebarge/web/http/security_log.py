"""The security log: one line for each sign-in, refusal, limit and malformed request.

It goes to the logger `strifebarge.security`, as JSON whatever the style of the log.  No line holds a secret,
a name or an address: people are told by their public id, addresses and names typed by a keyed hash, which
tells whether two lines are about the same one and nothing else.
"""

import hmac
import logging
from typing import Any

from flask import Flask, Response, current_app, g, request, session
from werkzeug.exceptions import HTTPException

from strifebarge.ops.logs import LogEvent
from strifebarge.rules import Refused
from strifebarge.tables.model.player import public_id
from strifebarge.tables.model.reasons import TableRefusal
from strifebarge.web.http.guard import address
from strifebarge.web.http.request_store import request_globals, this_request

log = logging.getLogger("strifebarge.security")

# Forms by which somebody becomes somebody, stops being it, or changes how it is proved.
AUTHENTICATION = {
    "/sign-in",
    "/sign-in/passkey",
    "/move",
    "/open",
    "/host/open",
    "/host/out",
    "/me/account",
    "/me/code",
    "/me/confirm",
    "/me/devices",
    "/me/erase",
    "/me/link",
    "/me/out",
    "/me/passkeys",
    "/me/passkeys/remove",
    "/me/password",
    "/me/tokens",
    "/me/tokens/revoke",
    "/g/<id>/back-to-my-seat",
    "/g/<id>/lost",
    "/g/<id>/pin",
    "/g/<id>/pin/forgotten",
}
GUESSES = {TableRefusal.NO_TABLE.token, TableRefusal.NO_INVITATION.token}  # codes of tables, tried out
DENIED = {401, 403, 410}
MALFORMED = {400, 405, 411, 413, 414, 415, 431}


def prepare(app: Flask) -> None:
    """Log every answer of the site that security is concerned with."""
    log.setLevel(logging.INFO)
    app.before_request(_remember_session)
    app.after_request(_log)


def _remember_session() -> None:
    """Keep whose session it was before a form, which may end it."""
    if this_request().method == "POST":
        request_globals().was = session.get("p")


def _log(response: Response) -> Response:
    refusal: Refused | None = request_globals().refusal
    event = event_of(route(), response.status_code, refusal.token if refusal else None)
    if event:
        done = response.status_code < 400
        log.log(logging.INFO if done else logging.WARNING, log_event(event, response.status_code))
    return response


def log_call(key: str, status: int, why: str | None, player: str | None) -> None:
    """Log the answer to a call of a program, if security is concerned with it.

    `why` is the token of a refusal, `player` whose token it was; addresses are hashed with the `key`.
    """
    event = event_of("", status, why)
    if event:
        fields: dict[str, Any] = {
            "outcome": "failed",
            "method": request.method,
            "route": f"/api{route()}",
            "status": status,
            "why": why,
            "who": public_id(player) if player else None,
            "from": _hashed("address", address(), key),
        }
        log.warning(LogEvent(event, **fields))


def event_of(rule: str, status: int, why: str | None) -> str:
    """Return what kind of line an answer is worth, by the token of its refusal; "" for none."""
    if status == 429:
        return "limit"
    if rule in AUTHENTICATION and this_request().method == "POST" and status < 500:
        return "authentication"
    if status in DENIED or why in GUESSES:
        return "refusal"
    return "malformed" if status in MALFORMED else ""


def log_event(event: str, status: int) -> LogEvent:
    """Return what is logged of the answer being given."""
    refusal: Refused | None = g.get("refusal") if status >= 400 else None
    now, key = g.get("who"), str(current_app.config["SECRET_KEY"])
    player = g.get("was") or (now.id if now else None)
    fields: dict[str, Any] = {
        "outcome": "done" if status < 400 else "failed",
        "method": request.method,
        "route": route(),
        "status": status,
        "why": refusal.token if refusal else None,
        "who": public_id(player) if player else None,
        "became": public_id(now.id) if now and now.id != player else None,
        "login": _hashed("login", _typed("login"), key) if event == "authentication" else None,
        "from": _hashed("address", address(), key),
    }
    return LogEvent(event, **fields)


def route() -> str:
    """Return the pattern of the address: the address itself may hold a code or a token."""
    rule = this_request().url_rule
    return str(rule) if rule else ""


def _typed(field: str) -> str:
    """Return what a form has in a field; "" where the form cannot be read."""
    try:
        return request.form.get(field, "")
    except HTTPException:
        return ""


def _hashed(kind: str, text: str, key: str) -> str | None:
    """Return the keyed hash of what somebody typed or came from; None for nothing."""
    if not text:
        return None
    plain = f"security log {kind} {text.strip().casefold()}".encode("utf-8", "replace")
    return hmac.digest(key.encode(), plain, "sha256").hex()[:16]
