"""Sitting down at a table and agreeing on it; leaving it; and links that hand a seat on."""

from collections.abc import Callable
from typing import Any

from flask import redirect, render_template, request, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.rules.schema import form_fields, options_type, seat_numbers
from strifebarge.tables.acts import coplayers, handing_over, opening
from strifebarge.tables.acts import leaving as ways_out
from strifebarge.tables.acts import seating as acts
from strifebarge.tables.acts.forms import named
from strifebarge.tables.library.settings import TERMS
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import TERM, Chair, Status, TableRefusal
from strifebarge.tables.play.turn import FormToken
from strifebarge.tables.view import View
from strifebarge.web.http import services
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.services import accounts, limits, referee, views
from strifebarge.web.http.session import (
    as_person,
    carry_out,
    form_token,
    required_player,
    required_player_id,
    sent_before,
    settings_of_form,
)
from strifebarge.web.http.statuses import FORM, status_of
from strifebarge.web.http.table_access import at_a_table, back_to, current_view
from strifebarge.web.page.pages import table_url
from strifebarge.web.table.inviting import used_code
from strifebarge.web.words import turn
from strifebarge.web.words.texts import render_text

blueprint = at_a_table("seating")
AWAY = "away"  # what a link is for to the seat of somebody who stays away


@blueprint.post("/<id>/join")
@leaves_receipt
def join(id: str) -> Reply:
    seat, name, code = request.form.get("seat", type=int), request.form.get("name", ""), used_code()
    at_issue, newcomer = request.form.get("seen", ""), "new" in request.form

    def sit_down(player: Player, form: FormToken) -> None:
        person = named(player, name)
        referee().carry_out(player.id, id, form, acts.join, person, seat, code, at_issue)

    count_join()
    as_person(sit_down)
    return redirect(url_for("play.show", id=id, new=1 if newcomer else None), 303)


def count_join() -> None:
    """Count that this address takes a seat, or plays again.  Raises Refused: NO_KEY, TOO_FAST."""
    if not sent_before():
        limits().count("join")


@blueprint.post("/<id>/ready")
@leaves_receipt
def ready(id: str) -> Reply:
    carry_out(id, acts.ready, request.form.get("seen", ""))
    return back_to(id)


@blueprint.post("/<id>/unready")
@leaves_receipt
def unready(id: str) -> Reply:
    carry_out(id, acts.unready)
    return back_to(id)


@blueprint.post("/<id>/sit")
@leaves_receipt
def sit(id: str) -> Reply:
    carry_out(id, acts.sit_elsewhere, request.form.get("seat", -1, type=int))
    return back_to(id)


@blueprint.post("/<id>/name")
def rename(id: str) -> Reply:
    """Change the reader's name, at this table and wherever else they sit."""
    form_token()
    accounts().rename(required_player(), request.form.get("name", ""), id)
    return back_to(id)


@blueprint.get("/<id>/settings")
def settings(id: str) -> str:
    """Show the settings of a table to its players, to change before the game."""
    view = current_view(id)
    if view.viewer.seat is None:
        raise Refused(TableRefusal.NOT_SEATED)
    if view.status is not Status.OPEN:
        raise Refused(TableRefusal.BEGUN)
    return _settings_page(view)


@blueprint.post("/<id>/settings")
@leaves_receipt
def configure(id: str) -> Any:
    try:
        carry_out(id, acts.configure, settings_of_form({"key", "pace"}, pace=request.form.get("pace")))
    except Refused as no:
        if status_of(no) != FORM:
            raise
        return _settings_page(current_view(id), no), status_of(no)
    return back_to(id)


def _settings_page(view: View, refused: Refused | None = None) -> str:
    return render_template(
        "settings.html",
        view=view,
        fields=form_fields(options_type(view.title.rules)),
        chosen=request.form
        or {field.name: choice.value for field, choice in view.settings.options}
        | {TERM + name: str(getattr(view.settings, name)) for name in TERMS}
        # That of the host is theirs to tell, until somebody chooses one for all.
        | ({} if "t_language" in view.settings.set_by else {"t_language": ""})
        | {"afterwards": view.settings.afterwards, "pace": view.clock.pace.key if view.clock else ""},
        several=len(seat_numbers(view.title.rules)) > 1,
        page_title=turn.page_title(view),
        notice=render_text(refused.text, view) if refused else "",
    )


@blueprint.post("/<id>/begin")
@leaves_receipt
def begin(id: str) -> Reply:
    carry_out(id, acts.begin_early)
    return back_to(id)


@blueprint.post("/<id>/remove")
@leaves_receipt
def remove(id: str) -> Reply:
    seat, holder = request.form.get("seat", -1, type=int), request.form.get("held", "")
    carry_out(id, acts.remove, seat, holder)
    return back_to(id)


# -- leaving, and handing on -------------------------------------------------------


@blueprint.get("/<id>/quit")
def leaving(id: str) -> Any:
    """Show what leaving means in this game, before it is done."""
    view = current_view(id)
    if view.viewer.curtain:
        return redirect(url_for("play.show", id=id), 303)
    if view.viewer.seat is None:
        raise Refused(TableRefusal.NOT_SEATED)
    if view.status is Status.OVER:
        raise Refused(TableRefusal.OVER)
    chair = views().status(id).chairs[view.viewer.seat]
    return render_template(
        "quit.html",
        view=view,
        page_title=turn.page_title(view),
        effect=view.title.leaving,
        hand_on=seat_link(chair, id, ""),
    )


@blueprint.post("/<id>/quit")
@leaves_receipt
def leave(id: str) -> Reply:
    carry_out(id, ways_out.leave, "free" if request.form.get("how") == "free" else "resign")
    return back_to(id)


@blueprint.post("/<id>/delete")
def delete(id: str) -> Reply:
    """Delete a table at which nobody else has moved; the same form again finds that done."""
    form_token()
    try:
        referee().change(id, opening.delete, required_player_id())
    except Refused as no:
        if no.why is not TableRefusal.NO_TABLE or not limits().note("codes"):
            raise  # after too many codes of no table: they may be guesses
    return redirect(url_for("lobby.my_games"), 303)


@blueprint.get("/<id>/seat")
def seat(id: str) -> str:
    """Show the page behind a link that hands a seat over; opening it takes nothing."""
    number, generation, how = _seat_of(id, request.args.get("t", ""))
    table = views().status(id)
    chair = table.chair(number)
    if chair.generation != generation:
        raise Refused(TableRefusal.DEAD_LINK)
    view = current_view(id)
    return render_template(
        "seat.html",
        view=view,
        place=view.places[number],
        how=how,
        token=request.args["t"],
        page_title=turn.page_title(view),
    )


@blueprint.post("/<id>/seat")
@leaves_receipt
def claim(id: str) -> Reply:
    number, generation, how = _seat_of(id, request.form.get("t", ""))
    ways: dict[str, Callable[..., None]] = {
        "beside": coplayers.join_seat,
        "substitute": handing_over.become_substitute,
    }
    act = ways.get(how, handing_over.claim)
    absent = {"absent": True} if how == AWAY else {}

    def take(player: Player, form: FormToken) -> None:
        person = named(player, request.form.get("name", ""))
        referee().carry_out(player.id, id, form, act, person, number, generation, **absent)

    count_join()
    as_person(take)
    return back_to(id)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(list(services.settings().secret_keys), salt="strifebarge:seat")


def seat_link(chair: Chair, id: str, how: str) -> str:
    """Return a link to a seat: to have it, `beside` its player, as its `substitute`, or while `away`."""
    token = _signer().dumps([id, chair.seat, chair.generation, how])
    return table_url(id) + "/seat?t=" + str(token)


def _seat_of(id: str, token: str) -> tuple[int, int, str]:
    """Return the seat and generation a link was made for, and its purpose.  Raises Refused(NO_SEAT_LINK)."""
    try:
        table, seat, generation, *how = _signer().loads(token)
    except (BadSignature, ValueError) as wrong:
        raise Refused(TableRefusal.NO_SEAT_LINK) from wrong
    if table != id:
        raise Refused(TableRefusal.NO_SEAT_LINK)
    return seat, generation, how[0] if how else ""
