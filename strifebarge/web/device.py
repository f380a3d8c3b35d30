"""A device that is passed round: the page that covers it meanwhile, and who may lift that.

Who is looking is kept in a cookie of its own, which is another one after each handing over: a browser that
keeps pages for its Back button throws them away then, and asks again.
"""

from typing import Any

from flask import Blueprint, Flask, Response, current_app, g, redirect, render_template, request, url_for
from itsdangerous import BadSignature, Signer
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.device import sight
from strifebarge.table.names import tidy_code
from strifebarge.table.table import No
from strifebarge.table.view import View

from . import turn
from .people import SEAT, must_be, player_id, referee, slip

blueprint = Blueprint("device", __name__, url_prefix="/g")
COOKIE = "seat"


@blueprint.url_value_preprocessor
def _tidy(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values and "id" in values:
        values["id"] = tidy_code(values["id"])


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


def shown(id: str) -> int | None:
    """The seat at this table whose player has said that they are looking, and knew its PIN if it has one."""
    try:
        table, seat, _ = _signer().unsign(request.cookies.get(COOKIE, "")).decode().split(".")
    except (BadSignature, ValueError):
        return None
    return int(seat) if table == id and seat in set("01234567") else None


def seen(id: str) -> View:
    """A table as whoever has the device may see it now."""
    return noted(referee().show(player_id(), id, shown(id)))


def noted(view: View) -> View:
    """The view; if it is covered, whoever looked last looks no longer."""
    if view.curtain:
        g.covered = True
    return view


def cover(answer: Response) -> Response:
    """After a page or a form of a table: forget who was looking, if the device is to be passed on."""
    id = (request.view_args or {}).get("id", "")
    if shown(id) is not None and (g.get("covered") or (request.method == "POST" and _passed_on(id))):
        _looking(answer, id, None)
    return answer


def _looking(answer: Response | Reply, id: str, seat: int | None) -> None:
    """Let an answer say who is looking now, or that nobody is: never in the same words twice.

    Chromium took no notice where the cookie was only deleted, and showed the page it had kept.
    """
    secure = bool(current_app.extensions["settings"].secure)
    value = _signer().sign(f"{id}.{'' if seat is None else seat}.{referee().entropy(8).hex()}").decode()
    answer.set_cookie(COOKIE, value, httponly=True, samesite="Lax", secure=secure)


def _passed_on(id: str) -> bool:
    """Whether a form has brought it about that somebody else at this device is to move."""
    try:
        table = referee().status(id)
    except Refused:
        return False
    return bool(sight(table, referee().library[table.game], player_id(), shown(id)).curtain)


def curtain(view: View, notice: Any = None) -> str:
    """The page between two who share a device: it says nothing but whose turn it is."""
    return render_template(
        "curtain.html", view=view, notice=notice, turn=turn.sentence(view), page_title=turn.page_title(view)
    )


# -- passing it on ---------------------------------------------------------------


@blueprint.post("/<id>/uncover")
def uncover(id: str) -> Reply:
    """Somebody at this device says that they are looking."""
    with_slip = slip()
    seat = request.form.get("seat", -1, type=int)
    referee().lift(must_be(), id, seat, request.form.get("pin", ""), with_slip)
    answer = redirect(url_for("play.show", id=id), 303)
    _looking(answer, id, seat)
    return answer


@blueprint.post("/<id>/cover")
def put_down(id: str) -> Reply:
    """Nobody looks any longer: the device is passed on."""
    slip()
    if not referee().status(id).chairs_of(must_be()):
        raise Refused(No.NOT_SEATED)
    answer = redirect(url_for("play.show", id=id), 303)
    _looking(answer, id, None)
    return answer


@blueprint.post("/<id>/beside")
def beside(id: str) -> Reply:
    """Somebody else sits down at this device."""
    referee().beside(must_be(), id, request.form.get("name", ""), slip())
    return redirect(url_for("play.show", id=id), 303)


@blueprint.post("/<id>/pin")
def pin(id: str) -> Reply:
    """Four digits to be asked for before one's own page is shown; none: no longer."""
    referee().set_pin(must_be(), id, request.form.get("pin", "").strip(), slip())
    return redirect(url_for("play.show", id=id, _anchor="menu"), 303)


@blueprint.post("/<id>/pin/forgotten")
def forgotten(id: str) -> Reply:
    """Nobody knows the PIN of a seat any more."""
    referee().forget_pin(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return redirect(url_for("play.show", id=id), 303)
