"""What one viewer may see of a table; nothing changes by it."""

from collections.abc import Callable

import msgspec

from strifebarge.rules import Refused
from strifebarge.rules.match import Diverged, Match

from ..ports import Row
from ..presence import Here, mark, pass_time
from ..table import No, Status, Table
from ..view import View, look
from .attending import Attending
from .desk import DIVERGED
from .matches import RECENT, mended, moves_of
from .shelf import Laid


class Seeing(Attending):
    """A table as it is now, as it was, and its whole log."""

    def show(self, player: str | None, id: str) -> View:
        """A table as this player may see it now.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, lambda laid: laid.rows)

    def log(self, player: str | None, id: str) -> View:
        """The same, with the whole log.  Raises Refused(NO_TABLE)."""
        return self._show(player, id, lambda laid: self.store.rows(id, -1, laid.match.number))

    def _show(self, player: str | None, id: str, rows: Callable[[Laid], list[Row]]) -> View:
        table = self.store.table(id)
        title = self.library[table.game]
        if table.status is Status.OPEN:
            return look(table, title, player, here=self.here(self.store, table))
        here = self.here(self.store, table)
        pass_time(table, here)
        try:
            laid = self.shelf.take(id, table.revision) or self._take_up(self.store, table)
        except Diverged:
            return look(table if table.status is Status.OVER else _suspended(table), title, player, here=here)
        mended(table)
        view = look(table, title, player, laid.match, rows(laid), here=here)
        self.shelf.put(id, table.revision, laid)
        return view

    def show_at(self, player: str | None, id: str, number: int, as_seen: bool = False) -> View:
        """The position after a move, as this player may see it.  Raises Refused(NO_TABLE, NO_POSITION)."""
        table = self.store.table(id)
        if table.status is Status.OPEN or not 0 <= number <= table.number:
            raise Refused(No.NO_POSITION)
        title = self.library[table.game]
        snapshot = self.store.snapshot(id, number)
        rows = self.store.rows(id, min(snapshot.number, number - RECENT), number)
        try:
            match = Match(title.rules, snapshot, moves_of(rows, title, snapshot.number))
        except Exception as broken:  # the rules have changed under it
            raise Refused(No.SUSPENDED) from broken
        return look(table, title, player, match, rows, as_seen, back=True)

    def status(self, id: str) -> Table:
        """The table alone, for those who only wait.  Raises Refused(NO_TABLE)."""
        return self.store.table(id)

    def mark(self, table: Table) -> str:
        """What differs as soon as a table's page does; at a live table that knows who is there."""
        return mark(table, self.here(self.store, table) if table.live else Here())


def _suspended(table: Table) -> Table:
    return msgspec.structs.replace(table, status=Status.SUSPENDED, trouble=DIVERGED)
