"""Streams: an open page is told at once when its tables have changed.

The view looks who asks and what they may watch.  Then the server hands the connection over to the hub, which
holds it; the view itself answers at once, and its answer is but the head of the stream.
"""

from typing import Any

from flask import Blueprint, Response, abort, request

from strifebarge.live.streams import HEADERS, HUB, STREAM, Hub, Wanted
from strifebarge.rules import Refused
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.status import NOBODY
from strifebarge.tables.model.table import RUNNING, No, Table
from strifebarge.tables.view.news import Mark, table_news
from strifebarge.tournaments.news import tournament_news, tournament_of
from strifebarge.tournaments.reasons import NotInTournament
from strifebarge.web.http.guard import Guard, address
from strifebarge.web.http.services import limits, read_only, views
from strifebarge.web.http.session import device, player_id
from strifebarge.web.http.tournament_access import found
from strifebarge.web.table.presence import mark_of

blueprint = Blueprint("live", __name__)

MOST = 20  # tables of one stream
GUESSED = (No.NO_TABLE, NotInTournament.NO_TOURNAMENT)  # it may have been a guess


@blueprint.get("/live")
def stream() -> Response:
    """Open a stream about the tables `at`, or answer 503 where there is no hub."""
    ids = list(dict.fromkeys(request.args.getlist("at")[:MOST]))
    if not ids:
        abort(400)
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        raise Refused(Guard.CROSS_SITE)  # a page elsewhere would use up the streams of its readers' address
    hub: Hub | None = request.environ.get(HUB)
    if hub is None or not hub.is_there():
        raise Refused(Guard.NO_STREAM)
    player = player_id()
    if request.method != "HEAD":
        request.environ[STREAM] = _wanted(hub.mark, player, ids)
    return Response(status=200, headers=HEADERS, mimetype="text/event-stream")


def _wanted(mark: Mark, player: str | None, ids: list[str]) -> Wanted:
    """Return the stream about these tables.  Raises Refused(NO_TABLE) if none of them is there."""
    marks = (mark("person", player), mark("device", device())) if player else ("", "")
    wanted = Wanted(*marks, mark("address", address()))
    for id in ids:
        try:
            if tournament := tournament_of(id):
                _add_tournament(wanted, tournament)
            else:
                _add(wanted, tidy_code(id), player, mark)
        except Refused as no:
            wanted.gone.append(id)
            if not wanted.news and id == ids[-1]:
                raise no
            if no.why in GUESSED:
                limits().note("codes")
    return wanted


def _add(wanted: Wanted, id: str, player: str | None, mark: Mark) -> None:
    """Let a stream tell of one more table.  Raises Refused(NO_TABLE)."""
    table = views().status(id)
    if limits().spent("codes"):
        table.must_sit(player)
    wanted.news.append(table_news(table, mark, views().here(table) if table.shows_presence else None))
    wanted.spectators.append(mark_of(id) if _counts_as_spectator(table, player) else "")


def _add_tournament(wanted: Wanted, code: str) -> None:
    """Let a stream tell of a tournament.  Raises Refused: NO_TOURNAMENT, TOO_FAST."""
    made = found(code)
    wanted.news.append(tournament_news(made.id, made.version))
    wanted.spectators.append("")


def _counts_as_spectator(table: Table, player: str | None) -> bool:
    watched = table.status in RUNNING and table.settings.watching != NOBODY
    return watched and not table.plays(player) and not read_only()


def hub_is_away() -> bool:
    """Return whether this process should reach a hub and does not."""
    hub: Any = request.environ.get(HUB)
    return hub is not None and not hub.is_there()
