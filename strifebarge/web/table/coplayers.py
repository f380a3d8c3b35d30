"""Coplayers in a seat, substitutes, and what is done about players who stay away."""

from flask import render_template, request
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts import absence, handing_over
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import views
from strifebarge.web.http.session import carry_out
from strifebarge.web.http.table_access import at_a_table, back_to, current_view
from strifebarge.web.table.seating import seat_link
from strifebarge.web.words import turn

blueprint = at_a_table("company")


@blueprint.get("/<id>/company")
def page(id: str) -> str:
    """Show the links to one's seat that do not give it away."""
    view = current_view(id)
    if view.my_place is None or view.my_place.left:
        raise Refused(TableRefusal.NOT_SEATED)
    if view.status is Status.OVER:
        raise Refused(TableRefusal.OVER)
    chair = views().status(id).chairs[view.my_place.seat]
    return render_template(
        "company.html",
        view=view,
        page_title=turn.page_title(view),
        beside=seat_link(chair, id, "beside"),
        substitute=seat_link(chair, id, "substitute"),
    )


@blueprint.post("/<id>/miss")
@leaves_receipt
def miss(id: str) -> Reply:
    """Do about a seat that keeps the others waiting what the table's policy allows."""
    seat = request.form.get("seat", -1, type=int)
    carry_out(id, absence.miss, seat, request.form.get("step", ""))
    return back_to(id)


@blueprint.post("/<id>/take-over")
@leaves_receipt
def take_over(id: str) -> Reply:
    """Let the substitute take the seat."""
    carry_out(id, handing_over.take_over, request.form.get("seat", -1, type=int))
    return back_to(id)
