"""Tables as the caller may see them: what events are made of."""

from collections.abc import Iterable, Iterator

import msgspec

from strifebarge.api.caller import Caller, is_my_move
from strifebarge.api.events import FollowedParts, Kind, StreamEvent
from strifebarge.api.shown import State, state_of
from strifebarge.api.verbs.chat import line_told
from strifebarge.rules import Refused
from strifebarge.tables.acts.talk import heard_by
from strifebarge.tables.clock.presence import TablePresence, table_etag
from strifebarge.tables.library.budget import GameFault, run
from strifebarge.tables.model.chat import ChatMessage
from strifebarge.tables.model.status import Status
from strifebarge.tables.model.subscriptions import EventFacts, FollowState
from strifebarge.tables.model.table import Table
from strifebarge.tables.model.watching import visible_table
from strifebarge.tables.play.stable_view import last_change, show_without_game, stable_view
from strifebarge.tables.view import View

HERE_FOR = 30  # seconds for which somebody is at a table whose program asks for its events


def stable_state(caller: Caller, table: Table, seat: int | None = None) -> State:
    """Return a table as it stood when it last changed, in the eyes of the caller.  Raises Refused."""
    views, me = caller.referee.views, caller.player.id

    def words_of(view: View) -> State:
        return state_of(view, caller.sentences(view))

    view = stable_view(views, me, table, seat)
    try:
        return run(table.id, "showing it to a program", words_of, view)
    except GameFault as fault:
        views.report(fault, view.position.newest)
        return words_of(show_without_game(views, me, table, seat))


def note_presence(caller: Caller, followeds: Iterable[FollowState]) -> None:
    """Note that the caller is at the tables whose events their program folds, where they sit."""
    if caller.site.read_only:
        return
    for each in followeds:
        if each.folded and each.facts.questions and not each.facts.over:
            caller.referee.attendance.record_presence(caller.player.id, each.table, HERE_FOR)


class EventViews:
    """The part of tables that the caller may see."""

    def __init__(self, caller: Caller, language: str):
        # Events are in the language in which they began, whatever a later call asks for.
        asked_for = caller.site.languages.asked_for(language)
        self.caller = Caller(caller.site, caller.token, caller.player, asked_for)
        self.me = caller.player.id
        self._muted: frozenset[str] | None = None

    @property
    def muted(self) -> frozenset[str]:
        """The people whom the caller mutes."""
        if self._muted is None:
            self._muted = self.caller.site.services.conversations.muted_by(self.me)
        return self._muted

    def inviting(self) -> Iterator[Table]:
        """Yield the tables to which the caller is invited by name, as `lobby.invitations` lists them."""
        site = self.caller.site
        for table in site.services.lists.tables_inviting(self.me):
            invited = table.invited[self.me]
            seated = bool(table.chairs_of(self.me))
            installed = table.game in site.services.referee.library.titles
            if installed and table.free() and not seated and invited.by not in self.muted:
                yield table

    def facts(self, table: Table, lines: list[ChatMessage]) -> EventFacts:
        """Return the facts of a table and its chat."""
        visible = visible_table(self.me, table)
        return EventFacts(
            etag=table_etag(visible, TablePresence(last_change(visible)), self.me),
            status=visible.status,
            number=visible.position.number,
            your_turn=is_my_move(visible, self.me),
            questions=[chair.question for chair in visible.chairs_of(self.me)],
            newest_line=max((line.number for line in lines), default=0),
            deleted_lines=[line.number for line in lines if line.deleted],
            over=(visible.times.ended or last_change(visible)) if visible.status is Status.OVER else 0.0,
        )

    def event(self, kind: Kind, table: Table, facts: EventFacts | None = None, by: str = "") -> StreamEvent:
        """Return an event of a table, which has no number yet."""
        old_facts = facts or EventFacts(status=table.status)
        return StreamEvent(
            id=0,
            event=kind,
            table=table.id,
            game=table.game,
            status=old_facts.status,
            number=old_facts.number,
            your_turn=old_facts.your_turn,
            by=by,
        )

    def state(self, table: Table, seat: int | None, lines: list[ChatMessage]) -> bytes:
        """Return what is folded of a table: JSON of a Shown.  Raises Refused."""
        chat = [line_told(each, self.caller) for each in self._readable(table, lines)]
        state = stable_state(self.caller, table, self._open_seat(table, seat))
        return msgspec.json.encode(FollowedParts(state, chat))

    def lines(self, table: Table) -> list[ChatMessage]:
        """Return all lines of a table's chat, also those that the caller may not read."""
        return self.caller.site.services.conversations.lines(table.id)

    def has_news_in_chat(self, table: Table, lines: list[ChatMessage], before: EventFacts) -> bool:
        """Return whether a line that the caller may read has been sent or deleted since."""
        return any(
            line.number > before.newest_line or (line.deleted and line.number not in before.deleted_lines)
            for line in self._readable(table, lines)
        )

    def _readable(self, table: Table, lines: list[ChatMessage]) -> list[ChatMessage]:
        return [line for line in heard_by(self.me, table, lines) if line.player not in self.muted]

    def _open_seat(self, table: Table, seat: int | None) -> int | None:
        """Return the seat that looks, if it is still the caller's and asks for no PIN."""
        if seat not in {chair.seat for chair in table.chairs_of(self.me)}:
            return None
        try:
            self.caller.must_be_open(table.id, seat)
        except Refused:
            return None
        return seat
