"""`GET stream`: a connection by which a program is told at once that there are events.

What it has missed is sent at once; then the hub has the connection, and says `more` whenever there is
something to ask for by `events`.  So no event passes the hub.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import msgspec
from flask import Blueprint, Response, request

from strifebarge.api.arguments import Arguments, Number
from strifebarge.api.caller import Caller
from strifebarge.api.door import caller, carry_out
from strifebarge.api.event_views import note_presence
from strifebarge.api.event_writer import write_events
from strifebarge.api.events import StreamEvent
from strifebarge.api.plain import answered, query
from strifebarge.api.verbs.subscriptions import AT_ONCE, events_since
from strifebarge.api.verbs.verb import Verb
from strifebarge.live.streams import HEADERS, HUB, STREAM, Hub, StreamRequest
from strifebarge.people.models import Scope
from strifebarge.rules import Refused
from strifebarge.tables.model.subscriptions import FollowRefusal, FollowState
from strifebarge.tables.view.news import News, table_news

blueprint = Blueprint("stream", __name__)
SSE, LINES = "sse", "ndjson"  # the forms of a stream
MIMES = {SSE: "text/event-stream", LINES: "application/x-ndjson"}
EVERY = 15  # seconds between two signs of life
MOST_BYTES = 12 * 1024  # of what is said first: the system takes it all at once, however slow the reader is
# Of the news, and tables, of which the hub is told at once; of others it hears with their next change.
# They pass to the hub in one packet with what is said first.
MOST_NEWS = 96 * 1024
MOST_TABLES = 200


class StreamArguments(Arguments, kw_only=True, forbid_unknown_fields=True):
    """The last event that is known; the header Last-Event-ID says the same, and goes before it."""

    after: Number | None = None


class Opening(NamedTuple):
    """A stream that may be had, in one of the forms, and what is said first."""

    stream_request: StreamRequest
    form: str


@blueprint.get("/stream")
def stream() -> Response:
    """Open the stream of a token, in place of the one it has; or answer 503 where there is no hub."""
    who = caller()
    arguments = query({})
    if last := request.headers.get("Last-Event-ID", ""):  # it opens the same address again
        arguments["after"] = last
    outcome = carry_out(who, OPEN, arguments, strict=False)
    if not isinstance(outcome.result, Opening):
        return answered(outcome)
    if request.method != "HEAD":
        request.environ[STREAM] = outcome.result.stream_request
    return Response(status=200, headers=HEADERS, mimetype=MIMES[outcome.result.form])


def _open(who: Caller, call: StreamArguments) -> Opening:
    hub: Hub | None = request.environ.get(HUB)
    if hub is None or not hub.is_there():
        raise Refused(FollowRefusal.NO_STREAM)
    form = LINES if MIMES[LINES] in request.headers.get("Accept", "") else SSE
    marks = hub.mark("person", who.player.id), hub.mark("token", who.token.id)
    stream_request = StreamRequest(*marks, hub.mark("address", who.site.address()), form)
    first = write_events(who).followed
    news = [*islice(_news(who, hub, first.values()), MOST_TABLES)]
    # Asked again after the news were read: a change that comes later is one that the hub hears of.
    now = write_events(who)
    late = [*_news(who, hub, [each for id, each in now.followed.items() if id not in first])]
    stream_request.news = [*_bounded([*late, *news])]
    note_presence(who, now.followed.values())
    events = events_since(who, now, call.after, AT_ONCE)
    begins = now.follower.number if call.after is None else call.after
    # What is new since the first look may have changed before its news were read.
    stream_request.greeting = _greeting(form, begins, events.events, events.more or bool(late))
    return Opening(stream_request, form)


OPEN = Verb("stream", Scope.READ, "GET", "/stream", StreamArguments, Opening, _open)


def _news(who: Caller, hub: Hub, followeds: Iterable[FollowState]) -> Iterator[News]:
    """Yield the news of tables, first of those of which the hub cannot hear later that they are the caller's.

    That are the tables where the caller has no seat; those that are over come last.
    """
    for each in sorted(followeds, key=lambda each: (bool(each.facts.over), bool(each.facts.questions))):
        try:
            yield table_news(who.referee.views.status(each.table), hub.mark)
        except Refused:  # it was deleted, which the next event says
            continue


def _bounded(news: Iterable[News]) -> Iterator[News]:
    """Yield news, as many as one packet takes."""
    left = MOST_NEWS
    for each in news:
        left -= len(msgspec.msgpack.encode(each))
        if left < 0:
            return
        yield each


def _greeting(form: str, begins: int, events: list[StreamEvent], more: bool) -> bytes:
    """Return what a program is told first: after which event its stream begins, and the events since."""
    messages = [_event_bytes(form, "hello", {"next": begins, "every": EVERY}, begins)]
    size = len(messages[0])
    for event in events:
        message = _event_bytes(form, event.event, msgspec.to_builtins(event), event.id)
        size += len(message)
        if size > MOST_BYTES:
            more = True
            break
        messages.append(message)
    return b"".join([*messages, _event_bytes(form, "more", {})] if more else messages)


def _event_bytes(form: str, name: str, data: dict[str, object], id: int | None = None) -> bytes:
    """Return one event as it goes over the wire; it has an id where the stream can be taken up after it."""
    if form == LINES:
        return msgspec.json.encode({"event": name, **data}) + b"\n"
    head = "" if id is None else f"id: {id}\n"
    return f"{head}event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n".encode()
