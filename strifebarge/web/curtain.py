"""A device that is passed round: the page that covers it meanwhile, and who may lift that."""

from typing import Any

from flask import render_template, request
from werkzeug.wrappers import Response as Reply

from strifebarge.table.view import View

from . import turn
from .people import must_be, referee, slip
from .tables import at_a_table, back_to, looks

blueprint = at_a_table("curtain")


def curtain(view: View, notice: Any = None) -> str:
    """The page between two who share a device: it says nothing but whose turn it is."""
    return render_template(
        "curtain.html", view=view, notice=notice, turn=turn.sentence(view), page_title=turn.page_title(view)
    )


@blueprint.post("/<id>/uncover")
def uncover(id: str) -> Reply:
    """Somebody at this device says that they are looking."""
    slip()
    seat = request.form.get("seat", -1, type=int)
    referee().status(id).seated(must_be(), seat)
    answer = back_to(id)
    looks(answer, id, seat)
    return answer


@blueprint.post("/<id>/cover")
def put_down(id: str) -> Reply:
    """Nobody looks any longer: the device is passed on."""
    slip()
    referee().status(id).must_sit(must_be())
    answer = back_to(id)
    looks(answer, id, None)
    return answer


@blueprint.post("/<id>/beside")
def beside(id: str) -> Reply:
    """Somebody else sits down at this device."""
    referee().beside(must_be(), id, request.form.get("name", ""), slip())
    return back_to(id)
