"""What one viewer may see of a table; nothing changes by it."""

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.course import Diverged
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match

from ..presence import Here, mark, pass_time
from ..table import No, Status, Table
from ..timekeeper import ticks
from ..view import View, look, stands_in
from ..watching import Watched, told_to
from .attending import Attending
from .desk import DIVERGED
from .matches import RECENT, mended, moves_of
from .shelf import Laid
from .timing import Timing, caught_up


class Seeing(Attending, Timing):
    """A table as it is now, as it was, and its whole log."""

    def show(self, player: str | None, id: str, shown: int | None = None) -> View:
        """A table as this player may see it now.  Raises Refused(NO_TABLE).

        `shown` is the one of several at one device who has said that they are looking.
        """
        view = self._show(player, id, shown)
        if view.running and view.watchable:
            view.watchers = self.store.onlookers(id, self.now())
        return view

    def log(self, player: str | None, id: str, shown: int | None = None) -> View:
        """The same, with the whole log.  Raises Refused(NO_TABLE, NOT_WATCHED)."""
        view = self._show(player, id, shown, whole=True)
        if view.veiled:
            raise Refused(No.NOT_WATCHED)
        return view

    def _show(self, player: str | None, id: str, shown: int | None, whole: bool = False) -> View:
        table = self.told(player, id)
        if isinstance(table, Watched):
            return self._show_watched(player, table, whole)
        here, title = self.here(self.store, table), self.library.of(table)
        if table.status is Status.OPEN:
            return look(table, title, player, at=self.now(), shown=shown, here=here)
        pass_time(table, here)
        try:
            laid = self.shelf.take(id, table.revision) or self._take_up(self.store, table)
        except Diverged:
            if table.status is Status.OVER:
                return look(table, title, player, at=self.now(), shown=shown, here=here)
            view = look(_suspended(table), title, player, at=self.now(), shown=shown, here=here)
            agreeing = self.agreeing(table)
            view.back = agreeing.number if agreeing else None
            return view
        mended(table, self.now())
        rows = self._ledger(self.store, table, -1) if whole else laid.rows
        view = look(table, title, player, laid.match, rows, at=self.now(), shown=shown, here=here)
        self.shelf.put(id, table.revision, laid)
        return view

    def _show_watched(self, player: str | None, table: Watched, whole: bool) -> View:
        """As those are shown it who do not play: as it stood some moves ago, or without its game."""
        title, now = self.library.of(table), self.now()
        if table.veiled:
            view = look(table, title, None, at=now)
        else:
            try:
                laid = self._laid_back(table, table.number, whole)
            except Refused:  # the rules have changed under it
                return look(_suspended(table), title, None, at=now)
            view = look(table, title, None, laid.match, laid.rows, at=now)
        if player:  # a substitute has been asked to take a seat over: that they can is for them to know
            now_there = self.store.table(table.id)
            view.stands_in = stands_in(now_there, player, self.here(self.store, now_there))
        return view

    def show_at(
        self, player: str | None, id: str, number: int, as_seen: bool = False, shown: int | None = None
    ) -> View:
        """The position after a move, as this player may see it.

        Raises Refused(NO_TABLE, NO_POSITION, NOT_WATCHED).
        """
        table = told_to(player, self.store.table(id))
        if isinstance(table, Watched) and table.veiled:
            raise Refused(No.NOT_WATCHED)
        if table.status is Status.OPEN or not 0 <= number <= table.number:
            raise Refused(No.NO_POSITION)
        laid = self._laid_back(table, number)
        title = self.library.of(table)
        return look(table, title, player, laid.match, laid.rows, as_seen, back=True, shown=shown)

    def _laid_back(self, table: Table, number: int, whole: bool = False) -> Laid:
        """The position after a move, with the rows that led there: the newest, or the `whole` ledger.

        Raises Refused(SUSPENDED, OTHER_RULES).
        """
        title, snapshot = self.library.of(table), self.store.snapshot(table.id, number)
        rows = self.store.rows(table.id, -1 if whole else min(snapshot.number, number - RECENT), number)
        try:
            match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number))
            if rows[-1].fingerprint not in ("", match.fingerprint()):
                raise Diverged(table.id)  # rather nothing than what was never there
        except Exception as broken:  # the rules have changed under it
            why = No.SUSPENDED if table.status is Status.SUSPENDED else No.OTHER_RULES
            raise Refused(why) from broken
        return Laid(match, rows)

    def agrees(self, table: Table) -> bool:
        """Do the rules that are here lead to where this game stands?"""
        return self._agrees(self.store, table)

    def agreeing(self, table: Table) -> Snapshot | None:
        """Where its newest stage began from which they lead to a position that was shown."""
        return self._agreeing(self.store, table)

    def status(self, id: str) -> Table:
        """The table alone, its clock as it is now.  Raises Refused(NO_TABLE)."""
        table = self.store.table(id)
        if table.clock and ticks(table):
            caught_up(self.store, table, table.clock, self.now())
        return table

    def told(self, player: str | None, id: str) -> Table:
        """The same as this player may know it, for those who only wait.  Raises Refused(NO_TABLE)."""
        return told_to(player, self.status(id))

    def mark(self, table: Table, player: str | None) -> str:
        """What differs as soon as this player's page does; at a live table that knows who is there."""
        told = told_to(player, table)
        looked_at = told.live and not isinstance(told, Watched)
        return mark(told, self.here(self.store, told) if looked_at else Here(), player)


def _suspended(table: Table) -> Table:
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=DIVERGED)
