"""What all addresses of a table have in common: how its code is typed, who may guess it, and who is looking.

Who is looking, at a device that is passed round, is kept in a cookie of its own, which is another one after
each handing over: a browser that keeps pages for its Back button throws them away then, and asks again.
"""

from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, current_app, g, redirect, request, url_for
from itsdangerous import BadSignature, Signer
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.names import tidy_code
from strifebarge.table.sight import sight
from strifebarge.table.table import No
from strifebarge.table.view import View

from .people import SEAT, player_id, referee

COOKIE = "seat"


class Looking(NamedTuple):
    """A seat that somebody has said they are looking at, and what they are known by as long as they do."""

    seat: int
    by: str


def at_a_table(name: str) -> Blueprint:
    """A chapter of addresses below a table's own; each takes its `id`."""
    blueprint = Blueprint(name, __name__, url_prefix="/g")
    blueprint.url_value_preprocessor(tidied)
    blueprint.before_request(_no_guessing)
    blueprint.after_request(_cover)
    return blueprint


def tidied(endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Codes are taken in any letter case and with dashes."""
    if values and "id" in values:
        values["id"] = tidy_code(values["id"])


def _no_guessing() -> None:
    """Whoever has tried too many wrong codes sees no table for a while, but those where they sit.

    At whatever address: one that still told a right code from a wrong one would be enough.
    """
    if current_app.extensions["limits"].spent("codes"):
        referee().status((request.view_args or {})["id"]).must_sit(player_id())


def back_to(id: str, anchor: str | None = None) -> Reply:
    """After a form: the table."""
    return redirect(url_for("play.show", id=id, _anchor=anchor), 303)


# -- who is looking --------------------------------------------------------------


def prepare(app: Flask) -> None:
    app.before_request(_lifted_first)


def _lifted_first() -> None:
    """A form of a seat with a PIN counts only while that seat's page is the one shown."""
    id = (request.view_args or {}).get("id")
    made_for = SEAT.search(request.form.get("key", "")) if id and request.method == "POST" else None
    if id and made_for:
        referee().must_be_lifted(tidy_code(id), int(made_for[1]), shown(tidy_code(id)))


def _signer() -> Signer:
    return Signer(list(current_app.extensions["settings"].secret_keys), salt="strifebarge:looking")


def said(id: str) -> Looking | None:
    """Who has said at this device that they are looking at this table, be it long ago."""
    try:
        table, seat, by = _signer().unsign(request.cookies.get(COOKIE, "")).decode().split(".")
    except (BadSignature, ValueError):
        return None
    return Looking(int(seat), by) if table == id and seat in set("01234567") else None


def shown(id: str) -> int | None:
    """The seat at this table whose player is looking, and has typed its PIN for that if it has one."""
    looking = said(id)
    return looking.seat if looking and referee().looks(id, *looking) else None


def seen(id: str) -> View:
    """A table as whoever has the device may see it now."""
    return noted(referee().show(player_id(), id, shown(id)))


def must_be_watched(view: View) -> View:
    """The view, for an address that has something of the game alone.  Raises Refused(NOT_WATCHED)."""
    if view.veiled:
        raise Refused(No.NOT_WATCHED)
    return view


def noted(view: View) -> View:
    """The view; if it is covered, whoever looked last looks no longer."""
    if view.curtain:
        g.covered = True
    return view


def known_by() -> str:
    """What nobody has been known by who was looking."""
    return referee().entropy(8).hex()


def looks(answer: Response | Reply, id: str, seat: int | None, by: str = "") -> None:
    """Let an answer say who is looking now, or that nobody is: never in the same words twice.

    Chromium took no notice where the cookie was only deleted, and showed the page it had kept.
    """
    g.looking_said = True
    secure = bool(current_app.extensions["settings"].secure)
    value = _signer().sign(f"{id}.{'' if seat is None else seat}.{by or known_by()}").decode()
    answer.set_cookie(COOKIE, value, httponly=True, samesite="Lax", secure=secure)


def _cover(answer: Response) -> Response:
    """After a page or a form of a table: forget who was looking, if the device is to be passed on."""
    id = (request.view_args or {}).get("id", "")
    if g.get("looking_said"):
        return answer
    if said(id) and (g.get("covered") or (request.method == "POST" and _passed_on(id))):
        looks(answer, id, None)
    return answer


def _passed_on(id: str) -> bool:
    """Whether a form has brought it about that somebody else at this device is to move."""
    try:
        table = referee().status(id)
    except Refused:
        return False
    return bool(sight(table, referee().library[table.game], player_id(), shown(id)).curtain)
