"""What one viewer may see of a table; nothing changes by it."""

from collections.abc import Callable

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.match import Diverged, Match, Snapshot

from ..ports import Row
from ..table import No, Status, Table
from ..view import View, look
from .desk import DIVERGED
from .matches import RECENT, Matches, mended, moves_of
from .shelf import Laid


class Seeing(Matches):
    """A table as it is now, as it was, and its whole log."""

    def show(self, player: str | None, id: str) -> View:
        """A table as this player may see it now.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, lambda laid: laid.rows)

    def log(self, player: str | None, id: str) -> View:
        """The same, with the whole log.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, lambda laid: self.store.rows(id, -1, laid.match.number))

    def _show(self, player: str | None, id: str, rows: Callable[[Laid], list[Row]]) -> View:
        table = self.store.table(id)
        title = self.library.of(table)
        if table.status is Status.OPEN:
            return look(table, title, player)
        try:
            laid = self.shelf.take(id, table.revision) or self._take_up(self.store, table)
        except Diverged:
            if table.status is Status.OVER:
                return look(table, title, player)
            view = look(_suspended(table), title, player)
            agreeing = self.agreeing(table)
            view.back = agreeing.number if agreeing else None
            return view
        mended(table)
        view = look(table, title, player, laid.match, rows(laid))
        self.shelf.put(id, table.revision, laid)
        return view

    def show_at(self, player: str | None, id: str, number: int, as_seen: bool = False) -> View:
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
        return look(table, title, player, match, rows, as_seen, back=True)

    def agrees(self, table: Table) -> bool:
        """Do the rules that are here lead to where this game stands?"""
        return self._agrees(self.store, table)

    def agreeing(self, table: Table) -> Snapshot | None:
        """Where its newest stage began from which they lead to a position that was shown."""
        return self._agreeing(self.store, table)

    def status(self, id: str) -> Table:
        """The table alone, for those who only wait.  Raises Refused(NO_TABLE)."""
        return self.store.table(id)


def _suspended(table: Table) -> Table:
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=DIVERGED)
