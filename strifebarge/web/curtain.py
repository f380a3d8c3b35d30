"""A device that is passed round: the page that covers it meanwhile, and who may lift that."""

from typing import Any

from flask import render_template, request
from werkzeug.wrappers import Response as Reply

from strifebarge.table.view import View

from . import turn
from .people import must_be, referee, slip
from .tables import at_a_table, back_to, known_by, looks, said

blueprint = at_a_table("curtain")


def curtain(view: View, notice: Any = None) -> str:
    """The page between two who share a device: it says nothing but whose turn it is."""
    return render_template(
        "curtain.html", view=view, notice=notice, turn=turn.sentence(view), page_title=turn.page_title(view)
    )


@blueprint.post("/<id>/uncover")
def uncover(id: str) -> Reply:
    """Somebody at this device says that they are looking."""
    with_slip, by = slip(), known_by()
    seat = request.form.get("seat", -1, type=int)
    referee().lift(must_be(), id, seat, request.form.get("pin", ""), with_slip, by)
    answer = back_to(id)
    looks(answer, id, seat, by)
    return answer


@blueprint.post("/<id>/cover")
def put_down(id: str) -> Reply:
    """Nobody looks any longer: the device is passed on."""
    slip()
    referee().put_down(must_be(), id)
    answer = back_to(id)
    looks(answer, id, None)
    return answer


@blueprint.post("/<id>/beside")
def beside(id: str) -> Reply:
    """Somebody else sits down at this device."""
    referee().beside(must_be(), id, request.form.get("name", ""), slip())
    return back_to(id)


@blueprint.post("/<id>/pin")
def pin(id: str) -> Reply:
    """Four digits to be asked for before one's own page is shown; none: no longer."""
    with_slip, looking = slip(), said(id)
    by = looking.by if looking and looking.seat == with_slip.seat else ""
    referee().set_pin(must_be(), id, request.form.get("pin", "").strip(), with_slip, by)
    return back_to(id, "menu")


@blueprint.post("/<id>/pin/forgotten")
def forgotten(id: str) -> Reply:
    """Nobody knows the PIN of a seat any more."""
    referee().forget_pin(must_be(), id, request.form.get("seat", -1, type=int), slip())
    return back_to(id)
