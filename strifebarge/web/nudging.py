"""Notices at a table: who is nudged, whose letters are not needed now, and who wants none of it."""

from flask import Response, request
from werkzeug.wrappers import Response as Reply

from strifebarge.rules import Refused
from strifebarge.table.table import No

from .notices import me, outbox, reader_of
from .people import player_id, referee, slip
from .tables import at_a_table, back_to

blueprint = at_a_table("nudging")


@blueprint.post("/<id>/silent")
def silent(id: str) -> Reply:
    """No notices of one table; `silent=no`: again."""
    slip()
    player = me()
    referee().status(id).must_sit(player)
    reader = reader_of(player)
    others = tuple(each for each in reader.silent if each != id)
    reader.silent = others if request.form.get("silent") == "no" else (*others[-99:], id)
    outbox().keep_reader(reader)
    return back_to(id, "menu")


@blueprint.post("/<id>/nudge")
def nudge(id: str) -> Reply:
    """Tell somebody that they keep the table waiting."""
    player = player_id()
    if player is None:
        raise Refused(No.NOT_SEATED)
    referee().nudge(player, id, request.form.get("seat", -1, type=int), slip())
    return back_to(id)


@blueprint.post("/<id>/here")
def here(id: str) -> Response:
    """For the page's script: whoever sits here has this table before them, so they need no letter now."""
    player = player_id()
    request.get_data()  # nothing is asked of it, but that it is no larger than any form
    if player and referee().status(id).chair_of(player) and outbox().reader(player):
        outbox().look(player, id, referee().now())
    return Response(status=204)
