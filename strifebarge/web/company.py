"""Company in a seat, those who would stand in, and what is done about who stays away."""

from flask import render_template, request
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.table import No, Status

from . import turn
from .people import must_be, referee, slip
from .seating import seat_link
from .tables import at_a_table, back_to, seen

blueprint = at_a_table("company")


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
    return back_to(id)


@blueprint.post("/<id>/take-over")
def take_over(id: str) -> Reply:
    """The substitute takes the seat."""
    referee().take_over(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return back_to(id)
