"""Verbs of events: what has changed since the last one, and the state from which they are folded."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from strifebarge.api.arguments import Arguments, Number
from strifebarge.api.caller import Caller
from strifebarge.api.event_views import note_presence
from strifebarge.api.event_writer import FollowerState, FollowRequest, write_events
from strifebarge.api.events import StreamEvent
from strifebarge.api.shown import State
from strifebarge.api.verbs.chat import ChatLine
from strifebarge.api.verbs.verb import verb
from strifebarge.api.verbs.views import FromWhere
from strifebarge.people.models import Scope
from strifebarge.rules import Refused
from strifebarge.tables.model.subscriptions import FollowRefusal, SentEvent, unpacked

AT_ONCE = 100  # events of one answer


class EventsArguments(Arguments, kw_only=True, forbid_unknown_fields=True):
    """The last event that the caller knows."""

    after: Annotated[
        Number | None,
        Meta(description="The last event the caller knows; without it, none are returned."),
    ] = None
    limit: Annotated[int, Meta(ge=1, le=AT_ONCE)] = AT_ONCE


class Follow(FromWhere, kw_only=True, forbid_unknown_fields=True):
    """A table to follow, or not to follow any more."""

    follow: bool = True


class Events(Struct):
    """Changes, the oldest first."""

    events: list[StreamEvent]
    next: int  # for `after`
    more: bool  # there may be others, to be asked for at once


class FollowedTable(Struct):
    """A table as its events so far have left it; `fold` makes the next one with each event."""

    table: str
    event: int  # the last event of the token that is part of it
    state: State | None  # as `table.state` shows it with `stable`; None where it is not followed
    chat: list[ChatLine]  # as `chat.read` shows it


class Bytes(Struct):
    """A table that is followed, not read any further."""

    state: Raw
    chat: Raw


@verb("events", Scope.READ, "GET", "/events")
def events(caller: Caller, call: EventsArguments) -> Events:
    """Return the events since a given one, at all the caller's tables. The stream says when there are any."""
    now = write_events(caller)
    note_presence(caller, now.followed.values())
    return events_since(caller, now, call.after, call.limit)


def events_since(caller: Caller, now: FollowerState, after: int | None, most: int) -> Events:
    """Return events that are written already.  Raises Refused: TOO_OLD, NO_EVENT."""
    follower = now.follower
    if after is None:
        return Events([], follower.number, now.more)
    if after > follower.number:
        raise Refused(FollowRefusal.NO_EVENT)
    if after < follower.floor:
        raise Refused(FollowRefusal.TOO_OLD)
    told_events = caller.site.services.subscriptions.events_after(follower.token, after, most)
    # Numbers have no gaps: where one is missing, others have deleted events since the token was read.
    if told_events[0].number != after + 1 if told_events else after < follower.number:
        raise Refused(FollowRefusal.TOO_OLD)
    last = told_events[-1].number if told_events else after
    return Events([_as_told(each) for each in told_events], last, now.more or last < follower.number)


def _as_told(each: SentEvent) -> StreamEvent:
    """Return an event; of a table that has been deleted since, that it is gone."""
    if not each.body:
        return StreamEvent(id=each.number, event="gone", table=each.table)
    return msgspec.json.decode(each.body, type=StreamEvent)


@verb("table.follow", Scope.READ, "GET", "/tables/{table}/follow")
def follow(caller: Caller, call: Follow) -> FollowedTable:
    """Return a table and the id of the last event in it. Later events say what changes."""
    id = caller.table(call.table)
    if call.follow:
        caller.must_look_from(id, call.seat)
        now = write_events(caller, follow=FollowRequest(id, call.seat))
    else:
        now = write_events(caller, unfollow=id)
    followed = now.followed.get(id)
    if followed is None or followed.packed is None:
        return FollowedTable(id, now.follower.number, None, [])
    note_presence(caller, [followed])
    if begun := caller.site.services.subscriptions.begun:
        begun(caller.player.id, caller.token.id, caller.referee.store.table(id))
    stored: Any = msgspec.json.decode(unpacked(followed.packed), type=Bytes)  # as it is kept, to the byte
    return FollowedTable(id, now.follower.number, stored.state, stored.chat)
