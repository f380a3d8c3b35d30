"""A game that rests, put aside or paused, and one whose player is out of time."""

from flask import request
from werkzeug.wrappers import Response as Reply

from .people import must_be, referee, slip
from .tables import at_a_table, back_to

blueprint = at_a_table("resting")


# -- put aside -------------------------------------------------------------------------


@blueprint.post("/<id>/suspend")
def suspend(id: str) -> Reply:
    referee().suspend(must_be(), id, slip())
    return back_to(id)


@blueprint.post("/<id>/end")
def end(id: str) -> Reply:
    """Propose to end a suspended game without a result; `end=no` takes it back."""
    referee().propose_end(must_be(), id, request.form.get("end") != "no", slip())
    return back_to(id)


@blueprint.post("/<id>/back")
def back(id: str) -> Reply:
    """Propose to go back to where the rules still agree; `back=no` takes it back."""
    referee().propose_back(must_be(), id, request.form.get("back") != "no", slip())
    return back_to(id)


# -- time ------------------------------------------------------------------------------


@blueprint.post("/<id>/pause")
def pause(id: str) -> Reply:
    """Agree to a pause of all clocks; `pause=no` takes it back."""
    referee().pause(must_be(), id, request.form.get("pause") != "no", slip())
    return back_to(id)


@blueprint.post("/<id>/go-on")
def go_on(id: str) -> Reply:
    """End a pause."""
    referee().go_on(must_be(), id, slip())
    return back_to(id)


@blueprint.post("/<id>/late")
def late(id: str) -> Reply:
    """Somebody's time has run out: the game goes on."""
    referee().call_time(must_be(), id, slip())
    return back_to(id)
