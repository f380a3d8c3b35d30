"""A lost seat: the host makes a code for it, and its player types it in to sit there again."""

from typing import Any

from flask import redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.tables.acts import recovery as acts
from strifebarge.tables.model.names import code_of, grouped_code
from strifebarge.tables.model.table import TableRefusal
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import accounts, limits, referee, views
from strifebarge.web.http.session import as_person, carry_out, required_player_id
from strifebarge.web.http.statuses import FORM, status_of
from strifebarge.web.http.table_access import at_a_table, back_to, current_view
from strifebarge.web.page.pages import site_url
from strifebarge.web.words import turn
from strifebarge.web.words.texts import render_text

blueprint = at_a_table("returning")


@blueprint.get("/<id>/lost")
def lost(id: str) -> str:
    """Show the host the seats that may be given back, and the code that was made last."""
    view, table = current_view(id), views().status(id)
    seats = [
        chair.seat
        for chair in acts.seats_to_give_back(
            table, required_player_id(), views().presence(table), accounts().is_guest
        )
    ]
    made_for, seat, code, until = session.get("seat_code") or ("", 0, "", 0)
    return render_template(
        "lost.html",
        view=view,
        page_title=turn.page_title(view),
        seats=seats,
        place=view.places[seat] if made_for == id and until > referee().now() else None,
        code=grouped_code(code),
        address=site_url(url_for(".coming_back", id=id)),
    )


@blueprint.post("/<id>/lost")
@leaves_receipt
def give_back(id: str) -> Reply:
    """Make a code for one seat, shown to the host only."""
    seat, code = request.form.get("seat", -1, type=int), code_of(referee().entropy(5))
    if not carry_out(id, acts.give_back, seat, code, accounts().is_guest).repeated:
        session["seat_code"] = [id, seat, code, referee().now() + acts.CODE_LASTS]
    return redirect(url_for(".lost", id=id), 303)


@blueprint.get("/<id>/back-to-my-seat")
def coming_back(id: str) -> str:
    """Show the form in which the code is typed."""
    return _page(id)


def _page(id: str, refused: Refused | None = None) -> str:
    view = current_view(id)
    return render_template(
        "come_back.html",
        view=view,
        page_title=turn.page_title(view),
        code=request.form.get("c", "")[:24],
        notice=render_text(refused.text) if refused else "",
        token=refused.token if refused else "",
    )


@blueprint.post("/<id>/back-to-my-seat")
@leaves_receipt
def come_back(id: str) -> Any:
    limits().check("device")
    try:
        code = request.form.get("c", "")
        as_person(lambda player, form: referee().carry_out(player.id, id, form, acts.sit_again, player, code))
    except Refused as no:
        if no.why is TableRefusal.WRONG_SEAT_CODE:
            limits().note("device")
        if status_of(no) not in (FORM, 403, 409):
            raise
        return _page(id, no), status_of(no)
    return back_to(id)
