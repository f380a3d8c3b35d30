"""Streams: an open page is told at once when its tables have changed.

The view looks who asks and what they may watch.  Then the server hands the connection over to the hub, which
holds it; the view itself answers at once, and its answer is but the head of the stream.
"""

from typing import Any

from flask import Blueprint, Response, abort, request

from strifebarge.live.streams import HEADERS, HUB, STREAM, Hub, StreamRequest
from strifebarge.rules import Refused
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.status import NOBODY
from strifebarge.tables.model.table import RUNNING, Table, TableRefusal
from strifebarge.tables.view.news import Mark, table_news
from strifebarge.tournaments.news import tournament_news, tournament_of
from strifebarge.tournaments.reasons import TournamentRefusal
from strifebarge.web.http.guard import RequestRefusal, address
from strifebarge.web.http.services import limits, read_only, views
from strifebarge.web.http.session import device, player_id
from strifebarge.web.http.tournament_access import look_up_tournament
from strifebarge.web.table.presence import mark_of

blueprint = Blueprint("live", __name__)

MOST = 20  # tables of one stream
GUESSED = (TableRefusal.NO_TABLE, TournamentRefusal.NO_TOURNAMENT)  # it may have been a guess


@blueprint.get("/live")
def stream() -> Response:
    """Open a stream about the tables `at`, or answer 503 where there is no hub."""
    ids = list(dict.fromkeys(request.args.getlist("at")[:MOST]))
    if not ids:
        abort(400)
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        raise Refused(
            RequestRefusal.CROSS_SITE
        )  # a page elsewhere would use up the streams of its readers' address
    hub: Hub | None = request.environ.get(HUB)
    if hub is None or not hub.is_there():
        raise Refused(RequestRefusal.NO_STREAM)
    player = player_id()
    if request.method != "HEAD":
        request.environ[STREAM] = _wanted(hub.mark, player, ids)
    return Response(status=200, headers=HEADERS, mimetype="text/event-stream")


def _wanted(mark: Mark, player: str | None, ids: list[str]) -> StreamRequest:
    """Return the stream about these tables.  Raises Refused(NO_TABLE) if none of them is there."""
    marks = (mark("person", player), mark("device", device())) if player else ("", "")
    stream_request = StreamRequest(*marks, mark("address", address()))
    for id in ids:
        try:
            if tournament := tournament_of(id):
                _add_tournament(stream_request, tournament)
            else:
                _add(stream_request, tidy_code(id), player, mark)
        except Refused as no:
            stream_request.gone.append(id)
            if not stream_request.news and id == ids[-1]:
                raise no
            if no.why in GUESSED:
                limits().note("codes")
    return stream_request


def _add(stream_request: StreamRequest, id: str, player: str | None, mark: Mark) -> None:
    """Let a stream tell of one more table.  Raises Refused(NO_TABLE)."""
    table = views().status(id)
    if limits().spent("codes"):
        table.must_sit(player)
    stream_request.news.append(
        table_news(table, mark, views().presence(table) if table.shows_presence else None)
    )
    stream_request.spectators.append(mark_of(id) if _counts_as_spectator(table, player) else "")


def _add_tournament(stream_request: StreamRequest, code: str) -> None:
    """Let a stream tell of a tournament.  Raises Refused: NO_TOURNAMENT, TOO_FAST."""
    tournament = look_up_tournament(code)
    stream_request.news.append(tournament_news(tournament.id, tournament.version))
    stream_request.spectators.append("")


def _counts_as_spectator(table: Table, player: str | None) -> bool:
    watched = table.status in RUNNING and table.settings.watching != NOBODY
    return watched and not table.plays(player) and not read_only()


def hub_is_away() -> bool:
    """Return whether this process should reach a hub and does not."""
    hub: Any = request.environ.get(HUB)
    return hub is not None and not hub.is_there()
