"""Notices at a table: who is nudged, whose letters are not needed now, and who wants none of it."""

from flask import Response, request
from werkzeug.wrappers import Response as Reply

from strifebarge.tables.acts import nudging as acts
from strifebarge.web.account.notices import me
from strifebarge.web.http.services import notifications, views
from strifebarge.web.http.session import carry_out, form_token, player_id
from strifebarge.web.http.table_access import at_a_table, back_to
from strifebarge.web.words.languages import language

blueprint = at_a_table("nudging")


@blueprint.post("/<id>/silent")
def silent(id: str) -> Reply:
    """Send the reader no notifications of one table; `silent=no` sends them again."""
    form_token()
    player = me()
    views().status(id).must_sit(player)
    notifications().mute_table(player, id, request.form.get("silent") != "no", language().code)
    return back_to(id, "menu")


@blueprint.post("/<id>/nudge")
def nudge(id: str) -> Reply:
    """Tell somebody that they keep the table waiting."""
    carry_out(id, acts.nudge, request.form.get("seat", -1, type=int))
    return back_to(id)


@blueprint.post("/<id>/here")
def note_presence(id: str) -> Response:
    """Note, for the page's script, that a player has this table open and needs no notification now."""
    player = player_id()
    request.get_data()  # nothing is asked of it, but that it is no larger than any form
    if player and views().status(id).chair_of(player):
        notifications().note_look(player, id)
    return Response(status=204)
