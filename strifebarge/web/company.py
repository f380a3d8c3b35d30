"""Company in a seat, those who would stand in, and what is done about who stays away."""

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.names import tidy_code
from strifebarge.table.table import No, Status

from . import turn
from .curtain import seen
from .people import must_be, referee, slip
from .play import seat_link

blueprint = Blueprint("company", __name__, url_prefix="/g")


@blueprint.url_value_preprocessor
def _tidy(endpoint: str | None, values: dict[str, Any] | None) -> None:
    if values and "id" in values:
        values["id"] = tidy_code(values["id"])


@blueprint.get("/<id>/company")
def page(id: str) -> str:
    """The links to one's seat that do not give it away."""
    view = seen(id)
    if view.my_place is None or view.my_place.left:
        raise Refused(No.NOT_SEATED)
    if view.status is Status.OVER:
        raise Refused(No.OVER)
    chair = referee().status(id).chairs[view.my_place.seat]
    return render_template(
        "company.html",
        view=view,
        page_title=turn.page_title(view),
        beside=seat_link(chair, id, "beside"),
        substitute=seat_link(chair, id, "substitute"),
    )


@blueprint.post("/<id>/miss")
def miss(id: str) -> Reply:
    """Do about a seat that keeps the others waiting what the table's policy allows."""
    seat = request.form.get("seat", -1, type=int)
    referee().miss(must_be(), id, seat, request.form.get("step", ""), slip())
    return redirect(url_for("play.show", id=id), 303)


@blueprint.post("/<id>/take-over")
def take_over(id: str) -> Reply:
    """The substitute takes the seat."""
    referee().take_over(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return redirect(url_for("play.show", id=id), 303)
