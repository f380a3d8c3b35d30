"""Suspend a game, stop its clocks, or go on where a player is out of time."""

from flask import request
from werkzeug.wrappers import Response as Reply

from strifebarge.tables.acts import pausing
from strifebarge.tables.acts import suspending as acts
from strifebarge.web.http.receipts import leaves_receipt
from strifebarge.web.http.session import carry_out
from strifebarge.web.http.table_access import at_a_table, back_to

blueprint = at_a_table("resting")


# -- suspending and resuming ------------------------------------------------------------


@blueprint.post("/<id>/suspend")
@leaves_receipt
def suspend(id: str) -> Reply:
    """Propose to suspend the game, or agree to; `suspend=no` takes it back."""
    carry_out(id, acts.suspend, request.form.get("suspend") != "no")
    return back_to(id)


@blueprint.post("/<id>/end")
@leaves_receipt
def end(id: str) -> Reply:
    """Propose to end a suspended game without a result; `end=no` takes it back."""
    carry_out(id, acts.propose_end, request.form.get("end") != "no")
    return back_to(id)


@blueprint.post("/<id>/back")
@leaves_receipt
def back(id: str) -> Reply:
    """Propose to go back to where the rules still agree; `back=no` takes it back."""
    carry_out(id, acts.propose_back, request.form.get("back") != "no")
    return back_to(id)


# -- time ------------------------------------------------------------------------------


@blueprint.post("/<id>/pause")
@leaves_receipt
def pause(id: str) -> Reply:
    """Agree to a pause of all clocks; `pause=no` takes it back."""
    carry_out(id, pausing.pause, request.form.get("pause") != "no")
    return back_to(id)


@blueprint.post("/<id>/go-on")
@leaves_receipt
def go_on(id: str) -> Reply:
    """End a pause."""
    carry_out(id, pausing.end_pause)
    return back_to(id)


@blueprint.post("/<id>/late")
def late(id: str) -> Reply:
    """Carry out what is due: a player's time has run out, and the game goes on."""
    carry_out(id, pausing.call_time)
    return back_to(id)
