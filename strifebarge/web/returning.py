"""A lost seat: the host makes a code for it, and whoever types it in sits there again."""

from typing import Any

from flask import current_app, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.names import spoken
from strifebarge.table.referee.returning import LASTS
from strifebarge.table.table import No

from . import turn
from .errors import FORM, status_of
from .pages import site_url
from .people import as_person, must_be, referee, slip
from .tables import at_a_table, back_to, seen
from .words import told

blueprint = at_a_table("returning")


@blueprint.get("/<id>/lost")
def lost(id: str) -> str:
    """For the host: whose seat may be given back, and the code that was made last."""
    view = seen(id)
    seats = [chair.seat for chair in referee().may_return(must_be(), id)]
    table, seat, code, until = session.get("seat_code") or ("", 0, "", 0)
    return render_template(
        "lost.html",
        view=view,
        page_title=turn.page_title(view),
        seats=seats,
        place=view.places[seat] if table == id and until > referee().now() else None,
        code=spoken(code),
        address=site_url(url_for(".coming_back", id=id)),
    )


@blueprint.post("/<id>/lost")
def give_back(id: str) -> Reply:
    """A code for one seat, for the host's eyes alone."""
    with_slip, seat = slip(), request.form.get("seat", -1, type=int)
    if code := referee().give_back(must_be(), id, seat, with_slip):
        session["seat_code"] = [id, seat, code, referee().now() + LASTS]
    return redirect(url_for(".lost", id=id), 303)


@blueprint.get("/<id>/back-to-my-seat")
def coming_back(id: str) -> str:
    """Where the code is typed."""
    return _page(id)


def _page(id: str, no: Refused | None = None) -> str:
    view = seen(id)
    return render_template(
        "come_back.html",
        view=view,
        page_title=turn.page_title(view),
        code=request.form.get("c", "")[:24],
        notice=told(no.text) if no else "",
        token=no.token if no else "",
    )


@blueprint.post("/<id>/back-to-my-seat")
def come_back(id: str) -> Any:
    limits = current_app.extensions["limits"]
    limits.check("device")
    try:
        as_person(lambda player, slip: referee().sit_again(player, id, request.form.get("c", ""), slip))
    except Refused as no:
        if no.why is No.WRONG_SEAT_CODE:
            limits.note("device")
        if status_of(no) not in (FORM, 403, 409):
            raise
        return _page(id, no), status_of(no)
    return back_to(id)
