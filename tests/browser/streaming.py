"""The site with a stream of the simplest kind: each request looks by itself whether its tables have changed.

While there is a file `no-stream` in the data folder streams end, and there are none. How many are open is
answered at /streams.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from flask import Response, request, stream_with_context

from strifebarge.app import create_app
from strifebarge.tournaments.news import tournament_of
from strifebarge.web.http.services import services, settings, views
from strifebarge.web.http.session import player_id

LOOKS = 0.02  # seconds
app = create_app()
opened: set[object] = set()


def event(name: str, **data: object) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def version_of(topic: str, player: str | None) -> str:
    """The word of a table, or of a tournament."""
    if tournament := tournament_of(topic):
        return str(services().tournaments.tournament(tournament).version)
    return views().version(views().visible_table(player, topic), player)


def stream() -> Response:
    tables, player, off = request.args.getlist("at"), player_id(), Path(settings().data) / "no-stream"
    if off.exists():
        return Response(status=503)

    def news() -> Iterator[str]:
        mine, events = object(), dict[str, str]()
        opened.add(mine)
        try:
            yield event("hello", every=1)
            beat = time.monotonic()
            while not off.exists():
                for table in tables:
                    version = version_of(table, player)
                    if events.get(table) != version:
                        events[table] = version
                        yield event("version", table=table, version=version)
                if time.monotonic() > beat + 0.5:
                    beat = time.monotonic()
                    yield ":\n\n"
                time.sleep(LOOKS)
        finally:
            opened.discard(mine)

    return Response(stream_with_context(news()), mimetype="text/event-stream")


if "live.stream" not in app.view_functions:
    app.add_url_rule("/live", "live.stream", stream)
app.view_functions["live.stream"] = stream
app.add_url_rule("/streams", "streams", lambda: str(len(opened)))
