"""Being at a table: pages that wait ask whether anything has happened, and so tell that somebody is here."""

from flask import Response, current_app, render_template, request

from strifebarge.table.presence import NOTED_EVERY
from strifebarge.table.table import Status, Table
from strifebarge.table.view import View

from . import turn, waiting
from .people import player_id, referee
from .tables import at_a_table

blueprint = at_a_table("presence")


def attend(at: Table | View, sits: bool, again: float = 0) -> None:
    """Whoever sits here is here, and asks again in so many seconds; those who only watch leave no trace."""
    player, read_only = player_id(), current_app.extensions["settings"].read_only
    if player and sits and at.status is not Status.OVER and not read_only:
        referee().attend(player, at.id, again)


def _attend(table: Table, again: float = 0) -> None:
    attend(table, any(not chair.left for chair in table.chairs_of(player_id())), again)


@blueprint.get("/<id>/status")
def status(id: str) -> Response:
    """What a page that waits without JavaScript shows in its frame; it renews itself, and only itself."""
    table = referee().status(id)
    mark, last = referee().mark(table), request.args.get("v")
    times = min(request.args.get("n", 0, type=int), 1000)
    period = turn.period(times)
    if period and table.live:
        period = min(period, NOTED_EVERY)
    _attend(table, period or 0)
    mine = table.chairs_of(player_id())
    my_turn = any(chair.seat in table.waiting for chair in mine) and table.status is not Status.OPEN
    page = render_template(
        "status.html",
        table=table,
        mark=mark,
        moved=last is not None and last != mark,
        my_turn=my_turn and not request.args.get("mine"),
        times=times,
        period=period,
        missed=waiting.missed(table, referee().here(referee().store, table)),
    )
    return Response(page, headers={"Cache-Control": "no-store"})


@blueprint.get("/<id>/version")
def version(id: str) -> Response:
    """For the page's script: has anything happened?"""
    table = referee().status(id)
    if "away" not in request.args:
        _attend(table)
    return Response(referee().mark(table), mimetype="text/plain")
