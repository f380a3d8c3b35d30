"""Being at a table: pages that wait ask whether anything has happened, and so tell that somebody is here."""

from functools import partial
from hashlib import sha256
from hmac import digest

from flask import Response, request, url_for

from strifebarge.tables.clock.presence import PRESENCE_KEPT_EVERY, without_presence
from strifebarge.tables.model.status import NOBODY
from strifebarge.tables.model.table import RUNNING, Status, Table
from strifebarge.tables.view import View
from strifebarge.web.http.guard import address
from strifebarge.web.http.services import read_only, referee, settings, views
from strifebarge.web.http.session import player_id
from strifebarge.web.http.table_access import at_a_table
from strifebarge.web.render.frames import frame, period_after
from strifebarge.web.words import absence, clock
from strifebarge.web.words.catalogue import say

blueprint = at_a_table("presence")


def record_visit(at: Table | View, sits: bool, again: float = 0) -> None:
    """Record that a seated reader is here, and asks again after `again` seconds; nothing of spectators."""
    player = player_id()
    if player and sits and at.status is not Status.OVER and not read_only():
        referee().attendance.record_presence(player, at.id, again)


def _record_polling(table: Table, again: float = 0) -> None:
    """Record the same for a page that asks for news; count spectators of a running game."""
    plays = table.plays(player_id())
    record_visit(table, plays, again)
    watched = table.status in RUNNING and table.settings.watching != NOBODY
    if not plays and watched and not read_only():
        # Here and not at the first request: programs that fetch a page to show a preview do not ask again.
        referee().attendance.record_spectator(table.id, mark_of(table.id), again)


def mark_of(id: str) -> str:
    """Return a key that tells one spectator of a table from the others, and not who they are.

    Of strangers the address has to do: each may be counted once, whatever else they say of themselves.
    """
    key = settings().secret_keys[-1].encode()
    who = player_id() or f"at {address()}"
    return digest(key, f"watching {id} {who}".encode(), sha256).hex()[:24]


@blueprint.get("/<id>/status")
def status(id: str) -> Response:
    """Show the frame of a page that waits without JavaScript; only the frame renews itself."""
    table = views().visible_table(player_id(), id)
    most = PRESENCE_KEPT_EVERY if table.live else 0
    slow = table.clock is not None and table.clock.pace.slow
    period = period_after(max(0, request.args.get("n", 0, type=int)), slow) or 0
    _record_polling(table, min(period, most) if most else period)
    own_chairs = table.chairs_of(player_id())
    waited_for = any(chair.seat in table.position.waiting for chair in own_chairs)
    sat = "yes" if "sat" in request.args else None  # the reader of the page around
    my_turn = waited_for and table.status not in (Status.OPEN, Status.SUSPENDED)
    return frame(
        partial(url_for, ".status", id=id, sat=sat),
        url_for("play.show", id=id, sat=None if own_chairs else sat),
        views().version(table, player_id()),
        most,
        slow,
        news=str if table.live else without_presence,
        my_turn=my_turn and not request.args.get("mine"),
        over=table.status is Status.OVER,
        left=clock.time_left_at(table, player_id(), referee().now()),
        missed=absence.missed(table, views().presence(table)),
        show=say("show the board"),
        waits=True,
    )


@blueprint.get("/<id>/version")
def version(id: str) -> Response:
    """Tell the page's script whether anything has happened."""
    table = views().visible_table(player_id(), id)
    if "away" not in request.args:
        _record_polling(table)
    return Response(views().version(table, player_id()), mimetype="text/plain")
