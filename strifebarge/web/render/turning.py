"""Boards turned round: what a browser has chosen for one table, kept in a cookie of that table's pages alone.

A link with `?turned=yes` or `?turned=no` leads back to the page it is on, without this, and the answer sets
or takes back the cookie.  So it works without a script, and lasts from move to move.
"""

from typing import Any

from flask import redirect, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.web.http.request_store import this_request
from strifebarge.web.http.services import settings

TURNED = "turned"  # the cookie, and the argument of an address
CHOICES = ("yes", "no")
DAYS = 30  # after the board was last turned
HOMES = {  # the pages with a board, and the page below whose address all pages of that game lie
    "play.show": "play.show",
    "play.at": "play.show",
    "records.show": "records.show",
    "records.at": "records.show",
}
STAYS = ("as", "i")  # arguments of these pages that the way back has too


def is_turned() -> bool:
    """Tell whether the reader has turned the board of this table round."""
    return bool(this_request().cookies.get(TURNED) == "yes")


def turn_round() -> Reply | None:
    """Remember how the reader wants the board, if their address says so, and lead back to the page."""
    request = this_request()
    chosen, page = request.args.get(TURNED), request.endpoint or ""
    if request.method != "GET" or chosen not in CHOICES or page not in HOMES:
        return None
    values = request.view_args or {}
    stays: dict[str, Any] = {name: request.args[name] for name in STAYS if name in request.args}
    answer = redirect(url_for(page, **stays, **values), 303)
    answer.headers["Cache-Control"] = "no-store"
    home = url_for(HOMES[page], **{name: value for name, value in values.items() if name != "number"})
    if chosen == "yes":
        days, secure = DAYS * 86400, bool(settings().secure)
        answer.set_cookie(
            TURNED, chosen, max_age=days, path=home, httponly=True, samesite="Lax", secure=secure
        )
    else:
        answer.delete_cookie(TURNED, path=home)
    return answer
