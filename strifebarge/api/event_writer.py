"""The events of a token: written when its program asks, from tables as its person may see them.

A move writes no events.  When a program asks, every table that has changed is shown to its person by the
functions that show them a table at any time, and one event says what differs from what was shown before.  So
the events lead to the state by construction, a change that its person may not see is no event, and numbers
tell nothing of it.
"""

from copy import deepcopy
from time import thread_time
from typing import NamedTuple

import msgspec

from strifebarge.api.caller import Caller
from strifebarge.api.event_views import EventViews
from strifebarge.api.events import Kind, Operation, StreamEvent, kind_of
from strifebarge.api.patches import patch
from strifebarge.lib.busy import Busy
from strifebarge.rules import Refused
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.subscriptions import (
    A_SECOND,
    KEPT_FOR,
    MOST_FOLLOWED,
    MOST_OVER,
    EventFacts,
    Follower,
    FollowRefusal,
    FollowState,
    SentEvent,
    WrittenEvents,
    packed,
    unpacked,
)
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.stable_view import last_change

TRIES = 10  # times that events are made anew where others have written events of the same token meanwhile
SEEN_EVERY = 3600  # seconds: no more often is it written down that a program still asks
MOST_SHOWN = 100  # folded tables that are shown for one request; the others for the next
MOST_SPENT = 2.0  # seconds of a processor, after which a request leaves the rest to the next


class FollowRequest(NamedTuple):
    """A table that a program wants to fold the events of, and the seat that looks."""

    table: str
    seat: int | None


class FollowerState(NamedTuple):
    """How a token stands after its events were written."""

    follower: Follower
    followed: dict[str, FollowState]  # by table
    more: bool = False  # the next request may write more of them


def write_events(caller: Caller, follow: FollowRequest | None = None, unfollow: str = "") -> FollowerState:
    """Write the new events of the caller's token, as many as one request may cost.

    Raises Refused: NO_TABLE, COVERED, TOO_MANY for the table to follow; Busy.
    """
    subscriptions = caller.site.services.subscriptions
    for _ in range(TRIES):
        follower, followed = _read_or_begin(caller)
        if caller.site.read_only:
            return FollowerState(follower, followed)
        writer = EventWriter(caller, follower, followed)
        writer.unfollow(unfollow)
        writer.look_at_all(follow)
        now = caller.referee.now()
        if not writer.has_news and now - follower.last_seen < SEEN_EVERY and follower.revision:
            return FollowerState(follower, followed, writer.is_spent)
        after = subscriptions.write_events(follower, writer.written(now), now)
        if after is not None:
            return FollowerState(after, writer.followed_now(), writer.is_spent)
    raise Busy("too many ask for the events of one token at once")


def _read_or_begin(caller: Caller) -> tuple[Follower, dict[str, FollowState]]:
    """Return the caller's token with the tables it follows; its events begin now if it never asked."""
    subscriptions, token = caller.site.services.subscriptions, caller.token.id
    stored = subscriptions.follower(token)
    if stored is None:
        now = caller.referee.now()
        first = int(now) * A_SECOND
        begun = Follower(token=token, language=caller.language.code, number=first, floor=first, last_seen=now)
        if caller.site.read_only:
            return begun, {}
        subscriptions.begin(begun)
        stored = subscriptions.follower(token) or (begun, [])
    follower, followed = stored
    return follower, {each.table: each for each in followed}


class EventWriter:
    """One look at all tables of a token: what is new there, and what is to be stored of it."""

    def __init__(self, caller: Caller, follower: Follower, before: dict[str, FollowState]):
        self.caller = caller
        self.me = caller.player.id
        self.views = EventViews(caller, follower.language)
        self.follower = follower
        self.before = before  # tables as of the last look
        self.events: list[tuple[float, StreamEvent]] = []  # with the seconds since 1970, for their order
        self.followed: dict[str, FollowState] = {}  # tables as of this look, where they differ
        self.dropped: list[str] = []
        self.changes_shown = 0  # folded tables with an event
        self.is_spent = False  # this look has cost as much as one may; the rest is left to the next

    @property
    def begins(self) -> bool:
        """True at the first look: what is there already is no event."""
        return self.follower.revision == 0

    @property
    def has_news(self) -> bool:
        """True if anything is to be stored."""
        return bool(self.followed or self.dropped)

    def unfollow(self, id: str) -> None:
        """Fold the events of a table no more; it is looked at again, for its person may sit there."""
        if id in self.before:
            unfolded = msgspec.structs.replace(self.before[id], revision=-1, packed=None)
            self.before[id] = self.followed[id] = unfolded

    def look_at_all(self, wish: FollowRequest | None) -> None:
        """Look at every table that has changed, at invitations, and at what is wished."""
        revisions = self.caller.site.services.subscriptions.revisions_for(self.follower.token, self.me)
        if wish:
            revisions.setdefault(wish.table, -1)
        inviting = {table.id: table for table in self.views.inviting()}
        began = thread_time()
        # What is wished comes last: a table that is over by now has made room.
        for id in sorted(revisions, key=lambda id: (wish is not None and id == wish.table, id)):
            wished = wish if wish and wish.table == id else None
            changed = id not in self.before or self.before[id].revision != revisions[id]
            if wished or (changed and (self.begins or not self.is_spent)):
                self._try_to_look_at(id, wished, id in inviting)
                # It says nothing of what is left: that could tell of changes the caller may not know of.
                self.is_spent = self.changes_shown >= MOST_SHOWN or thread_time() - began >= MOST_SPENT
        for id, table in inviting.items():
            if id not in revisions and id not in self.before:
                self._challenge(table)
        for id in sorted(self.before.keys() - revisions.keys()):
            self._drop(id)
        self._drop_old(wish)

    def followed_now(self) -> dict[str, FollowState]:
        """Return what the token follows after this look."""
        now = self.before | self.followed
        return {id: each for id, each in now.items() if id not in self.dropped}

    def written(self, now: float) -> WrittenEvents:
        """Return what is to be stored: the new events, numbered in their order, and what they leave."""
        if self.begins:
            self.events.clear()
        self.events.sort(key=lambda each: each[0])
        numbered = []
        for number, (_, event) in enumerate(self.events, self.follower.number + 1):
            event.id = number
            body = msgspec.json.encode(event).decode()
            numbered.append(SentEvent(number=number, at=now, body=body, table=event.table))
        begun = self.followed.keys() - self.before.keys()
        return WrittenEvents(numbered, [*self.followed.values()], self.dropped, begun)

    def _add(self, at: float, event: StreamEvent) -> None:
        self.events.append((at, event))

    # -- invitations, and tables that are gone --------------------------------------

    def _challenge(self, table: Table) -> None:
        by = table.invited[self.me].inviter
        self._add(last_change(table), self.views.event("challenge", table, by=by))
        self.followed[table.id] = FollowState(
            table=table.id, revision=table.revision, facts=EventFacts(invited=True)
        )

    def _drop(self, id: str) -> None:
        """Write that a table is gone: it was deleted, or is none of the caller's any more."""
        self.followed.pop(id, None)
        self.dropped.append(id)
        self._add(self.caller.referee.now(), StreamEvent(id=0, event="gone", table=id))

    def _drop_old(self, wish: FollowRequest | None) -> None:
        """Follow no more what has been over for long, nor more than the newest of what is over."""
        over = [each for each in self.followed_now().values() if each.facts.over]
        over.sort(key=lambda each: each.facts.over, reverse=True)
        long_ago = self.caller.referee.now() - KEPT_FOR
        for nth, each in enumerate(over):
            wished = wish is not None and wish.table == each.table
            if (nth >= MOST_OVER or each.facts.over < long_ago) and not wished:
                self._drop(each.table)

    # -- one table ------------------------------------------------------------------

    def _try_to_look_at(self, id: str, wish: FollowRequest | None, invited: bool) -> None:
        """Look at a table; one that cannot be shown, such as of a game that is left out, has no event yet."""
        events = len(self.events)
        try:
            self._look_at(id, wish, invited)
        except Refused:
            if wish:
                raise
            del self.events[events:]

    def _look_at(self, id: str, wish: FollowRequest | None, invited: bool) -> None:
        """Write what has become of a table."""
        before = self.before.get(id)
        try:
            table = self.caller.referee.store.table(id)
        except Refused:
            if wish:
                raise
            self._drop(id)
            return
        folded = before is not None and before.folded
        if wish and not folded and table.status is not Status.OVER:
            self._must_have_room()
        if table.chairs_of(self.me) or wish or folded:
            as_read = deepcopy(table) if wish else table
            if before is None or before.facts.invited:
                self._note_new_table(table)
            else:
                self._compare(before, table)
            if wish and not (before and before.folded and before.seat == wish.seat):
                self._begin_folding(as_read, wish)
        elif before and before.facts.invited and invited:
            self.followed[id] = msgspec.structs.replace(before, revision=table.revision)
        else:
            self._drop(id)

    def _must_have_room(self) -> None:
        """Raise Refused(TOO_MANY) if the token follows as many tables as it may."""
        folded = [each for each in self.followed_now().values() if each.folded and not each.facts.over]
        if len(folded) >= MOST_FOLLOWED:
            raise Refused(FollowRefusal.TOO_MANY, most=MOST_FOLLOWED)

    def _note_new_table(self, table: Table) -> None:
        """Write the first event of a table."""
        facts = self.views.facts(table, self.views.lines(table))
        if table.chairs_of(self.me):
            kind: Kind = "your_turn" if facts.your_turn else "table"
            self._add(last_change(table), self.views.event(kind, table, facts))
        self.followed[table.id] = FollowState(table=table.id, revision=table.revision, facts=facts)

    def _begin_folding(self, table: Table, wish: FollowRequest) -> None:
        """Store the state of now, from which the events of a table are folded."""
        lines, revision = self.views.lines(table), table.revision
        facts = self.views.facts(table, lines)
        if facts.over:  # long ago, perhaps: it is followed as long as one that is over since now
            facts = msgspec.structs.replace(facts, over=self.caller.referee.now())
        state = packed(self.views.state(table, wish.seat, lines))
        self.followed[table.id] = FollowState(
            table=table.id, revision=revision, seat=wish.seat, facts=facts, packed=state
        )

    def _compare(self, before: FollowState, table: Table) -> None:
        """Write what differs from the last event of a table, if the caller may know of it."""
        lines, revision = self.views.lines(table), table.revision
        facts = self.views.facts(table, lines)
        chatted = self.views.has_news_in_chat(table, lines, before.facts)
        event = self.views.event(kind_of(before.facts, facts, chatted), table, facts)
        state = None
        if before.packed:
            shown = self.views.state(table, before.seat, lines)
            operations = patch(msgspec.json.decode(unpacked(before.packed)), msgspec.json.decode(shown))
            event.patch, state = msgspec.convert(operations, list[Operation]), packed(shown)
        if event.patch or chatted or facts.etag != before.facts.etag:
            self.changes_shown += before.folded
            self._add(last_change(table), event)
        if facts.over and before.facts.over:
            facts = msgspec.structs.replace(facts, over=before.facts.over)
        self.followed[table.id] = msgspec.structs.replace(
            before, revision=revision, facts=facts, packed=state
        )
