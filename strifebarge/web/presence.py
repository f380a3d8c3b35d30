"""Being at a table: pages that wait ask whether anything has happened, and so tell that somebody is here."""

from functools import partial
from hashlib import sha256
from hmac import digest

from flask import Response, current_app, request, url_for

from strifebarge.table.presence import NOTED_EVERY
from strifebarge.table.status import NOBODY
from strifebarge.table.table import RUNNING, Status, Table
from strifebarge.table.view import View

from . import times, turn, waiting
from .guard import address
from .pages import frame
from .people import player_id, referee
from .tables import at_a_table

blueprint = at_a_table("presence")


def attend(at: Table | View, sits: bool, again: float = 0) -> None:
    """Whoever sits here is here, and asks again in so many seconds; those who only look leave no trace."""
    player, read_only = player_id(), current_app.extensions["settings"].read_only
    if player and sits and at.status is not Status.OVER and not read_only:
        referee().attend(player, at.id, again)


def _attend(table: Table, again: float = 0) -> None:
    """The same of a page that asks for news; of those who watch a running game, that they are one more."""
    plays = table.plays(player_id())
    attend(table, plays, again)
    read_only = current_app.extensions["settings"].read_only
    if not plays and table.status in RUNNING and table.watching != NOBODY and not read_only:
        referee().look_on(table.id, _mark_of(table.id), again)


def _mark_of(id: str) -> str:
    """What tells somebody who watches a table from others there, and nobody who they are.

    Of strangers the address has to do: each may be counted once, whatever else they say of themselves.
    """
    key = current_app.extensions["settings"].secret_keys[-1].encode()
    who = player_id() or f"at {address()}"
    return digest(key, f"watching {id} {who}".encode(), sha256).hex()[:24]


@blueprint.get("/<id>/status")
def status(id: str) -> Response:
    """What a page that waits without JavaScript shows in its frame; it renews itself, and only itself."""
    table = referee().told(player_id(), id)
    most = NOTED_EVERY if table.live else 0
    slow = table.clock is not None and table.clock.pace.slow
    period = turn.period(max(0, request.args.get("n", 0, type=int)), slow) or 0
    _attend(table, min(period, most) if most else period)
    mine = table.chairs_of(player_id())
    my_turn = any(chair.seat in table.waiting for chair in mine) and table.status is not Status.OPEN
    return frame(
        partial(url_for, ".status", id=id),
        url_for("play.show", id=id),
        referee().mark(table, player_id()),
        most,
        slow,
        my_turn=my_turn and not request.args.get("mine"),
        over=table.status is Status.OVER,
        left=times.left_at(table, player_id(), referee().now()),
        missed=waiting.missed(table, referee().here(referee().store, table)),
        games=False,
    )


@blueprint.get("/<id>/version")
def version(id: str) -> Response:
    """For the page's script: has anything happened?"""
    table = referee().told(player_id(), id)
    if "away" not in request.args:
        _attend(table)
    return Response(referee().mark(table, player_id()), mimetype="text/plain")
