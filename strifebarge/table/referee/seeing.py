"""What one viewer may see of a table; nothing changes by it."""

from collections.abc import Callable

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.course import Diverged
from strifebarge.rules.ledger import Snapshot
from strifebarge.rules.match import Match

from ..ports import Row
from ..presence import Here, mark, pass_time
from ..table import No, Status, Table
from ..timekeeper import ticks
from ..view import View, look
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
        return self._show(player, id, shown, lambda _, laid: laid.rows)

    def log(self, player: str | None, id: str, shown: int | None = None) -> View:
        """The same, with the whole log.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, shown, lambda table, _: self._ledger(self.store, table, -1))

    def _show(
        self, player: str | None, id: str, shown: int | None, rows: Callable[[Table, Laid], list[Row]]
    ) -> View:
        table = self.status(id)
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
        view = look(
            table, title, player, laid.match, rows(table, laid), at=self.now(), shown=shown, here=here
        )
        self.shelf.put(id, table.revision, laid)
        return view

    def show_at(
        self, player: str | None, id: str, number: int, as_seen: bool = False, shown: int | None = None
    ) -> View:
        """The position after a move, as this player may see it.  Raises Refused(NO_TABLE, NO_POSITION)."""
        table = self.store.table(id)
        if table.status is Status.OPEN or not 0 <= number <= table.number:
            raise Refused(No.NO_POSITION)
        title = self.library.of(table)
        snapshot = self.store.snapshot(id, number)
        rows = self.store.rows(id, min(snapshot.number, number - RECENT), number)
        try:
            match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number))
            if rows[-1].fingerprint not in ("", match.fingerprint()):
                raise Diverged(id)  # rather nothing than what was never there
        except Exception as broken:  # the rules have changed under it
            why = No.SUSPENDED if table.status is Status.SUSPENDED else No.OTHER_RULES
            raise Refused(why) from broken
        return look(table, title, player, match, rows, as_seen, back=True, shown=shown)

    def agrees(self, table: Table) -> bool:
        """Do the rules that are here lead to where this game stands?"""
        return self._agrees(self.store, table)

    def agreeing(self, table: Table) -> Snapshot | None:
        """Where its newest stage began from which they lead to a position that was shown."""
        return self._agreeing(self.store, table)

    def status(self, id: str) -> Table:
        """The table alone, for those who only wait, its clock as it is now.  Raises Refused(NO_TABLE)."""
        table = self.store.table(id)
        if table.clock and ticks(table):
            caught_up(self.store, table, table.clock, self.now())
        return table

    def mark(self, table: Table, player: str | None) -> str:
        """What differs as soon as this player's page does; at a live table that knows who is there."""
        return mark(table, self.here(self.store, table) if table.live else Here(), player)


def _suspended(table: Table) -> Table:
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=DIVERGED)
