"""A device that is passed round: the page that covers it meanwhile, and who may lift that."""

from typing import Any

from flask import render_template, request
from werkzeug.wrappers import Response as Reply

from strifebarge.tables.acts import local_play as acts
from strifebarge.tables.view import View
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import referee
from strifebarge.web.http.session import carry_out, form_token, required_player_id
from strifebarge.web.http.table_access import at_a_table, back_to, claimed_seat, known_by, looks
from strifebarge.web.words import turn

blueprint = at_a_table("curtain")


def curtain(view: View, notice: Any = None) -> str:
    """Return the page between two players at a shared device: it says nothing but whose turn it is."""
    return render_template(
        "curtain.html", view=view, notice=notice, turn=turn.sentence(view), page_title=turn.page_title(view)
    )


@blueprint.post("/<id>/uncover")
def uncover(id: str) -> Reply:
    """Show the page of a seat to the player at this device who asks for it."""
    token, by = form_token(), known_by()
    seat = request.form.get("seat", -1, type=int)
    acts.lift_curtain(referee(), required_player_id(), id, seat, request.form.get("pin", ""), token, by)
    answer = back_to(id)
    looks(answer, id, seat, by)
    return answer


@blueprint.post("/<id>/cover")
def put_down(id: str) -> Reply:
    """Cover the page: the device is handed over."""
    form_token()
    acts.lower_curtain(referee(), required_player_id(), id)
    answer = back_to(id)
    looks(answer, id, None)
    return answer


@blueprint.post("/<id>/beside")
@leaves_receipt
def add_coplayer(id: str) -> Reply:
    """Seat one more player at this device."""
    carry_out(id, acts.add_local_player, request.form.get("name", ""))
    return back_to(id)


@blueprint.post("/<id>/pin")
@leaves_receipt
def pin(id: str) -> Reply:
    """Set the four digits that the page of one's seat asks for; none: remove them."""
    token, looking = form_token(), claimed_seat(id)
    by = looking.by if looking and looking.seat == token.seat else ""
    carry_out(id, acts.set_pin, request.form.get("pin", "").strip(), by)
    return back_to(id, "menu")


@blueprint.post("/<id>/pin/forgotten")
@leaves_receipt
def forgotten(id: str) -> Reply:
    """Note that the PIN of a seat is forgotten."""
    carry_out(id, acts.forget_pin, request.form.get("seat", -1, type=int))
    return back_to(id)
