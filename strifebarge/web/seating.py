"""Sitting down at a table and agreeing on it; leaving it; and links that hand a seat on."""

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import current_app, redirect, render_template, request, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.rules.schema import form_fields, options_type, seat_numbers
from strifebarge.table.ports import Player
from strifebarge.table.referee import TERMS, Slip
from strifebarge.table.table import TERM, Chair, No, Status
from strifebarge.table.view import View

from . import turn
from .errors import FORM, status_of
from .inviting import given
from .pages import table_url
from .people import as_person, must_be, options_and_terms, referee, slip
from .tables import at_a_table, back_to, seen
from .words import told

blueprint = at_a_table("seating")
AWAY = "away"  # what a link is for to the seat of somebody who stays away


@blueprint.post("/<id>/join")
def join(id: str) -> Reply:
    seat, name, code = request.form.get("seat", type=int), request.form.get("name", ""), given()
    at_issue, newcomer = request.form.get("seen", ""), "new" in request.form
    as_person(lambda player, slip: referee().join(player, id, name, slip, seat, code, at_issue))
    return redirect(url_for("play.show", id=id, new=1 if newcomer else None), 303)


@blueprint.post("/<id>/ready")
def ready(id: str) -> Reply:
    referee().ready(must_be(), id, slip(), request.form.get("seen", ""))
    return back_to(id)


@blueprint.post("/<id>/unready")
def unready(id: str) -> Reply:
    referee().unready(must_be(), id, slip())
    return back_to(id)


@blueprint.post("/<id>/sit")
def sit(id: str) -> Reply:
    referee().sit_elsewhere(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return back_to(id)


@blueprint.get("/<id>/settings")
def settings(id: str) -> str:
    """The options a table is to be played by, for those who sit there to change before the game."""
    view = seen(id)
    if view.seat is None:
        raise Refused(No.NOT_SEATED)
    if view.status is not Status.OPEN:
        raise Refused(No.BEGUN)
    return _settings_page(view)


@blueprint.post("/<id>/settings")
def configure(id: str) -> Any:
    options, terms = options_and_terms({"key", "pace"})
    try:
        referee().configure(must_be(), id, options, slip(), terms, request.form.get("pace"))
    except Refused as no:
        if status_of(no) != FORM:
            raise
        return _settings_page(seen(id), no), status_of(no)
    return back_to(id)


def _settings_page(view: View, no: Refused | None = None) -> str:
    return render_template(
        "settings.html",
        view=view,
        fields=form_fields(options_type(view.title.rules)),
        chosen=request.form
        or {field.name: choice.value for field, choice in view.settings}
        | {TERM + name: str(getattr(view, name)) for name in TERMS}
        # That of whoever opened the table is theirs to tell, until somebody chooses one for all.
        | ({} if "t_language" in view.set_by else {"t_language": ""})
        | {"afterwards": view.afterwards, "pace": view.clock.pace.key if view.clock else ""},
        several=len(seat_numbers(view.title.rules)) > 1,
        page_title=turn.page_title(view),
        notice=told(no.text, view) if no else "",
    )


@blueprint.post("/<id>/begin")
def begin(id: str) -> Reply:
    referee().begin(must_be(), id, slip())
    return back_to(id)


@blueprint.post("/<id>/remove")
def remove(id: str) -> Reply:
    seat, held = request.form.get("seat", -1, type=int), request.form.get("held", "")
    referee().remove(must_be(), id, seat, held, slip())
    return back_to(id)


# -- leaving, and handing on -------------------------------------------------------


@blueprint.get("/<id>/quit")
def leaving(id: str) -> Any:
    """What leaving means in this game, before it is done."""
    view = seen(id)
    if view.curtain:
        return redirect(url_for("play.show", id=id), 303)
    if view.seat is None:
        raise Refused(No.NOT_SEATED)
    if view.status is Status.OVER:
        raise Refused(No.OVER)
    chair = referee().status(id).chairs[view.seat]
    return render_template(
        "quit.html",
        view=view,
        page_title=turn.page_title(view),
        effect=view.title.leaving,
        hand_on=seat_link(chair, id, ""),
    )


@blueprint.post("/<id>/quit")
def leave(id: str) -> Reply:
    referee().quit(must_be(), id, "free" if request.form.get("how") == "free" else "resign", slip())
    return back_to(id)


@blueprint.post("/<id>/delete")
def delete(id: str) -> Reply:
    """A table at which nobody else has moved is taken away; the same form again finds that done."""
    slip()
    try:
        referee().delete(must_be(), id)
    except Refused as no:
        if no.why is not No.NO_TABLE:
            raise
    return redirect(url_for("lobby.mine"), 303)


@blueprint.get("/<id>/seat")
def seat(id: str) -> str:
    """The page behind a link that hands a seat on; looking at it takes nothing."""
    number, generation, how = _seat_of(id, request.args.get("t", ""))
    table = referee().status(id)
    chair = table.chair(number)
    if chair.generation != generation:
        raise Refused(No.DEAD_LINK)
    view = seen(id)
    return render_template(
        "seat.html",
        view=view,
        place=view.places[number],
        how=how,
        token=request.args["t"],
        page_title=turn.page_title(view),
    )


@blueprint.post("/<id>/seat")
def claim(id: str) -> Reply:
    number, generation, how = _seat_of(id, request.form.get("t", ""))
    ways: dict[str, Callable[..., None]] = {
        "beside": referee().sit_beside,
        "substitute": referee().stand_in,
        AWAY: partial(referee().claim, absent=True),
    }
    act = ways.get(how, referee().claim)

    def take(player: Player, with_slip: Slip) -> None:
        act(player, id, number, generation, request.form.get("name", ""), with_slip)

    as_person(take)
    return back_to(id)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(list(current_app.extensions["settings"].secret_keys), salt="strifebarge:seat")


def seat_link(chair: Chair, id: str, how: str) -> str:
    """A link to a seat: to have it, `beside` its player, as its `substitute`, or while they are `away`."""
    token = _signer().dumps([id, chair.seat, chair.generation, how])
    return table_url(id) + "/seat?t=" + str(token)


def _seat_of(id: str, token: str) -> tuple[int, int, str]:
    """The seat and generation a link was made for, and for what.  Raises Refused(DEAD_LINK)."""
    try:
        table, seat, generation, *how = _signer().loads(token)
    except (BadSignature, ValueError) as wrong:
        raise Refused(No.DEAD_LINK) from wrong
    if table != id:
        raise Refused(No.DEAD_LINK)
    return seat, generation, how[0] if how else ""
