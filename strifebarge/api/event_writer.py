"""The events of a token: written when its program asks, from stored changes, as its person may see them.

Nothing of this is done when somebody moves: a followed table is only kept as each change left it.  When a
program asks, every such table is shown to its person by the functions that show them a table at any time, and
an event says what differs from what the program was shown before.  So the events lead to the state by
construction, a change that its person may not see is no event, and numbers tell nothing of it.
"""

from collections import deque
from collections.abc import Iterator
from copy import deepcopy
from time import thread_time
from typing import NamedTuple

import msgspec

from strifebarge.busy import Busy
from strifebarge.rules import Refused
from strifebarge.table.chat import Said
from strifebarge.table.stable_view import last_change
from strifebarge.table.status import Status
from strifebarge.table.subscriptions import (
    A_SECOND,
    CHANGES_AT_ONCE,
    KEPT_FOR,
    MOST_FOLLOWED,
    MOST_OVER,
    Facts,
    Followed,
    Follower,
    NotFollowed,
    TableChange,
    ToldEvent,
    Written,
    packed,
    unpacked,
)
from strifebarge.table.table import Table

from .caller import Caller
from .event_views import EventViews, newest_line
from .events import Kind, Operation, StreamEvent, kind_of
from .patches import patch

TRIES = 10  # times that events are made anew where others have written events of the same token meanwhile
SEEN_EVERY = 3600  # seconds: no more often is it written down that a program still asks
MOST_OF_A_TABLE = 50  # changes that are told one by one; where there are more, the older ones are told as one
MANY = 500  # events, after which each table has but one more
MOST_SHOWN = 100  # changes of folded tables that are shown for one request; the others for the next
MOST_SPENT = 2.0  # seconds of a processor, after which a request leaves the rest to the next


class Wish(NamedTuple):
    """A table that a program wants to fold the events of, or not any more."""

    table: str
    seat: int | None
    follow: bool = True


class Step(NamedTuple):
    """One change of a table, in the caller's eyes."""

    change: TableChange
    at: float  # seconds since 1970; never earlier than the step before
    facts: Facts
    talked: bool  # something was said, or taken away, that the caller may read
    differs: bool  # the caller may know of it, by their page
    newest: bool


class Subscription(NamedTuple):
    """How a token stands after its events were written."""

    follower: Follower
    kept: dict[str, Followed]  # by table
    more: bool = False  # the next request writes more of them


def write_events(caller: Caller, wish: Wish | None = None) -> Subscription:
    """Write the events that the caller has not been told yet, as many as one request may cost.

    Raises Refused: NO_TABLE, COVERED, TOO_MANY for what is wished; Busy.
    """
    subscriptions = caller.site.services.subscriptions
    for _ in range(TRIES):
        follower, kept = _standing(caller)
        if caller.site.read_only:
            return Subscription(follower, kept)
        writer = EventWriter(caller, follower, kept)
        writer.look_at_all(wish)
        now = caller.referee.now()
        if not writer.has_news and now - follower.seen < SEEN_EVERY and follower.turn:
            return Subscription(follower, kept, writer.unfinished)
        after = subscriptions.keep(follower, writer.written(now), now)
        if after is not None:
            subscriptions.purge(now - KEPT_FOR)
            return Subscription(after, writer.kept_now(), writer.unfinished)
    raise Busy("too many ask for the events of one token at once")


def _standing(caller: Caller) -> tuple[Follower, dict[str, Followed]]:
    """Return how the caller's token stands; its events begin now if it never asked."""
    subscriptions, token = caller.site.services.subscriptions, caller.token.id
    found = subscriptions.follower(token)
    if found is None:
        now = caller.referee.now()
        first = int(now) * A_SECOND
        begun = Follower(token=token, language=caller.language.code, number=first, floor=first, seen=now)
        if caller.site.read_only:
            return begun, {}
        subscriptions.begin(begun)
        found = subscriptions.follower(token) or (begun, [])
    follower, kept = found
    return follower, {each.table: each for each in kept}


class EventWriter:
    """One look at all tables of a token: what is new there, and what is to be kept of it."""

    def __init__(self, caller: Caller, follower: Follower, kept: dict[str, Followed]):
        self.caller = caller
        self.me = caller.player.id
        self.views = EventViews(caller, follower.language)
        self.follower = follower
        self.kept = kept
        self.events: list[tuple[float, StreamEvent]] = []
        self.followed: list[Followed] = []
        self.dropped: list[str] = []
        self.began = thread_time()
        self.shown = 0  # changes of tables that are folded
        self.cut_short = False  # the rest is left to the next request

    @property
    def is_late(self) -> bool:
        """True if this request has taken as much time as one may."""
        return thread_time() - self.began >= MOST_SPENT

    @property
    def is_spent(self) -> bool:
        """True if this request has cost as much as one may."""
        return self.shown >= MOST_SHOWN or self.is_late

    @property
    def unfinished(self) -> bool:
        """True if there may be more for the next request.

        It is always true after as many changes as one request may show: whether others are left could tell of
        changes that the caller may not know of.
        """
        return self.cut_short or self.shown >= MOST_SHOWN

    @property
    def begins(self) -> bool:
        """True at the first look: what is there already is no event."""
        return self.follower.turn == 0

    @property
    def has_news(self) -> bool:
        """True if anything is to be kept."""
        return bool(self.followed or self.dropped)

    def look_at_all(self, wish: Wish | None) -> None:
        """Look at every table that has changed, at invitations, and at what is wished."""
        if wish and not wish.follow and wish.table in self.kept:
            self.kept[wish.table] = msgspec.structs.replace(self.kept[wish.table], packed=None)
        here = self.caller.site.services.subscriptions.revisions_for(self.follower.token, self.me)
        if wish and wish.follow and wish.table not in here:
            here[wish.table] = -1
        inviting = {table.id: table for table in self.views.inviting()}
        looked = False  # at one table at least, however little a request may cost
        # What is wished comes last: a table that is over by now has made room.
        for id in sorted(here, key=lambda id: (wish is not None and id == wish.table, id)):
            wished = wish if wish and wish.follow and wish.table == id else None
            asked = wish is not None and wish.table == id
            if asked or id not in self.kept or self.kept[id].revision != here[id]:
                if looked and self.is_spent and not asked and not self.begins:
                    self.cut_short = True
                    continue
                looked, before = True, len(self.events)
                try:
                    self._look_at(id, wished, id in inviting)
                except Refused:
                    if wished:
                        raise
                    # Such as a game that is left out: the others are told, and it is looked at again.
                    del self.events[before:]
        for id, table in inviting.items():
            if id not in here and id not in self.kept:
                self._challenged(table)
        for id in sorted(self.kept.keys() - here.keys()):
            self._lose(id)
        self._let_go(wish)

    def kept_now(self) -> dict[str, Followed]:
        """Return what the token follows after this look."""
        left = {id: each for id, each in self.kept.items() if id not in self.dropped}
        return left | {each.table: each for each in self.followed}

    def written(self, now: float) -> Written:
        """Return what is to be kept: the new events, numbered in their order, and what they leave."""
        if self.begins:
            self.events.clear()
        self.events.sort(key=lambda each: each[0])
        told = []
        for number, (_, event) in enumerate(self.events, self.follower.number + 1):
            event.id = number
            body = msgspec.json.encode(event).decode()
            told.append(ToldEvent(number=number, at=now, body=body, table=event.table))
        begun = {each.table for each in self.followed} - self.kept.keys()
        return Written(told, self.followed, self.dropped, begun)

    # -- invitations, and tables that are gone --------------------------------------

    def _challenged(self, table: Table) -> None:
        by = table.invited[self.me].inviter
        self._tell(last_change(table), self.views.event("challenge", table, by=by))
        self.followed.append(Followed(table=table.id, revision=table.revision, facts=Facts(invited=True)))

    def _lose(self, id: str) -> None:
        """Tell that a table is gone: it was deleted, or is none of the caller's any more."""
        self.dropped.append(id)
        self._tell(self.caller.referee.now(), StreamEvent(id=0, event="gone", table=id))

    def _let_go(self, wish: Wish | None) -> None:
        """Follow no more what has been over for long, nor more than the newest of what is over."""
        over = [each for each in self.kept_now().values() if each.facts.over]
        over.sort(key=lambda each: each.facts.over, reverse=True)
        long_ago = self.caller.referee.now() - KEPT_FOR
        for nth, each in enumerate(over):
            wished = wish is not None and wish.follow and wish.table == each.table
            if (nth >= MOST_OVER or each.facts.over < long_ago) and not wished:
                self.followed = [other for other in self.followed if other.table != each.table]
                self._lose(each.table)

    # -- one table ------------------------------------------------------------------

    def _look_at(self, id: str, wish: Wish | None, invited: bool) -> None:
        """Tell what has become of a table, change by change."""
        kept, store = self.kept.get(id), self.caller.referee.store
        try:
            table = store.table(id)
        except Refused:
            if wish:
                raise
            self._lose(id)
            return
        if wish and table.status is not Status.OVER and (kept is None or not kept.folded):
            self._must_have_room()
        seated, follows = bool(table.chairs_of(self.me)), bool(wish or (kept and kept.folded))
        if not seated and not follows:
            if kept and kept.facts.invited and invited:
                self.followed.append(msgspec.structs.replace(kept, revision=table.revision))
            else:
                self._lose(id)
            return
        as_read = deepcopy(table) if wish else table
        if kept is None or kept.facts.invited:
            self._meet(table)
        else:
            self._go_through(kept, table)
        if wish and (kept is None or not kept.folded or kept.seat != wish.seat):
            self._begin_folding(as_read, wish)

    def _must_have_room(self) -> None:
        """Raise Refused(TOO_MANY) if the token follows as many tables as it may."""
        folded = [each for each in self.kept_now().values() if each.folded and not each.facts.over]
        if len(folded) >= MOST_FOLLOWED:
            raise Refused(NotFollowed.TOO_MANY, most=MOST_FOLLOWED)

    def _meet(self, table: Table) -> None:
        """Tell of a table for the first time."""
        facts = self.views.facts(table, newest_line(self.views.lines(table)))
        if table.chairs_of(self.me):
            kind: Kind = "your_turn" if facts.your_turn else "table"
            self._tell(last_change(table), self.views.event(kind, table, facts))
        self.followed.append(Followed(table=table.id, revision=table.revision, facts=facts))

    def _begin_folding(self, table: Table, wish: Wish) -> None:
        """Keep the state of now, from which the events of a table are folded."""
        lines = self.views.lines(table)
        facts, revision = self.views.facts(table, newest_line(lines)), table.revision
        if facts.over:  # long ago, perhaps: it is followed as long as one that is over since now
            facts = msgspec.structs.replace(facts, over=self.caller.referee.now())
        state = self.views.state(table, wish.seat, lines, newest=True)
        self.followed = [each for each in self.followed if each.table != table.id]
        begun = Followed(table=table.id, revision=revision, seat=wish.seat, facts=facts, packed=packed(state))
        self.followed.append(begun)

    def _changes(self, kept: Followed, table: Table) -> Iterator[TableChange]:
        """Yield what a table became since it was last looked at, at last what it is now."""
        subscriptions, after, said = self.caller.site.services.subscriptions, kept.revision, None
        while passed := subscriptions.changes(table.id, after, table.revision):
            after = passed[-1].table.revision
            for each in passed:
                if after == table.revision and each is passed[-1]:
                    said = each.said
                else:
                    yield each
            if len(passed) < CHANGES_AT_ONCE:
                break
            if self.is_late:
                self.cut_short = True
                return
        yield TableChange(table=table, at=last_change(table), said=said)

    def _go_through(self, kept: Followed, table: Table) -> None:
        """Tell each change that can be seen; one that cannot be shown any more is told with the next."""
        facts, lines, revision = kept.facts, self.views.lines(table), kept.revision
        state = unpacked(kept.packed) if kept.packed else None
        before = msgspec.json.decode(state) if state else None
        steps, read = self._steps(kept, table, lines)
        for step in steps:
            was, operations = step.change.table, None
            event = self.views.event(kind_of(facts, step.facts, step.talked), was, step.facts)
            if before is not None:
                upto = lines if step.newest else [line for line in lines if line.number <= step.facts.said]
                try:
                    state = self.views.state(was, kept.seat, upto, step.newest)
                except Exception:
                    if step.newest:
                        raise
                    continue
                self.shown += step.differs
                shown = msgspec.json.decode(state)
                operations, before = patch(before, shown), shown
                event.patch = msgspec.convert(operations, list[Operation])
            if step.differs or operations:
                self._tell(step.at, event)
            facts, revision = step.facts, was.revision
            if before is not None and self.is_spent and step is not steps[-1]:
                self.cut_short = True
                break
        else:
            revision = read
        if facts.over and kept.facts.over:
            facts = msgspec.structs.replace(facts, over=kept.facts.over)
        now = packed(state) if state is not None else None
        self.followed.append(msgspec.structs.replace(kept, revision=revision, facts=facts, packed=now))

    def _steps(self, kept: Followed, table: Table, lines: list[Said]) -> tuple[list[Step], int]:
        """Return the newest of the changes that the caller may know of, and in any case the last one read.

        With them comes the revision of that one.
        """
        # Counted are those that can be seen: of the others nobody may learn how many there were.
        room = MOST_OF_A_TABLE if len(self.events) < MANY else 1
        seen: deque[Step] = deque(maxlen=room)
        at, said, word = 0.0, kept.facts.said, kept.facts.word
        for each in self._changes(kept, table):
            at = max(at, each.at)  # a form may have come before one that was carried out first
            newest = each.table is table
            said = newest_line(lines) if newest else max(said, each.said or 0)
            after, talked = self.views.facts(each.table, said), self.views.hears(each.table, each.said, lines)
            last = Step(each, at, after, talked, talked or after.word != word, newest)
            word = after.word
            if last.differs:
                seen.append(last)
        return list(seen) if last.differs else [*seen, last], last.change.table.revision

    def _tell(self, at: float, event: StreamEvent) -> None:
        self.events.append((at, event))
