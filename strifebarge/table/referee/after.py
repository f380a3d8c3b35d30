"""After the game: once more."""

from strifebarge.rules import Refused

from ..chairs import Pin
from ..clock import Clock
from ..names import code_of
from ..table import Chair, No, Person, Status, Table
from .before import BeforeTheGame
from .desk import Slip
from .matches import options_at


class AfterTheGame(BeforeTheGame):
    """What those who sat at a table whose game is over may do together."""

    def rematch(self, player: str, id: str, slip: Slip) -> str:
        """The same people, options and game once more, the next seat first; one table, whoever asks.

        Whoever asks is ready, unless somebody has chosen otherwise there by now; it begins when all are.
        Returns the new table's id.
        """
        with self.store.change(id) as change:
            table = change.table
            if not table.chair_of(player):
                raise Refused(No.NOT_SEATED)
            if table.status is not Status.OVER:
                raise Refused(No.NOT_OVER)
            if table.rematch is None:
                again = self._again(table, player)
                table.rematch = again.id
                table.version += 1
                change.add(again)
            new = table.rematch
        table = self.store.table(new)
        if not table.set_by:
            self.ready(player, new, slip, table.at_issue)
        return new

    def _version(self, table: Table) -> int:
        """By which rules they play again: by those of today, if these know the options."""
        title = self.library[table.game]
        try:
            options_at(table, title.rules)
        except Refused:
            title = self.library.of(table)
        return title.version

    def _again(self, table: Table, host: str) -> Table:
        turned = [*table.chairs[1:], *table.chairs[:1]]
        return Table(
            id=code_of(self.entropy(5)),
            game=table.game,
            options=table.options,
            seed=self.entropy(32).hex(),
            chairs=[_again_in(chair, seat) for seat, chair in enumerate(turned)],
            rules_version=self._version(table),
            host=host,
            parent=table.id,
            series=table.series or table.id,
            afterwards=table.afterwards,
            clock=Clock.of(table.clock.pace, 0) if table.clock else None,
            shared=table.shared,
            language=table.language,
            begins=table.begins,
            seating=table.seating,
            watching=table.watching,
            patience=table.patience,
            remedy=table.remedy,
            created=self.now(),
            changed=self.now(),
        )


def _again_in(chair: Chair, seat: int) -> Chair:
    """The same people in a seat of the next game, not yet agreed to it; not those who are nobody any more."""
    beside = [Person(each.player, each.name) for each in chair.beside if not each.gone]
    if not chair.gone:
        pin = Pin(chair.pin.hash) if chair.pin else None
        return Chair(seat, chair.player, chair.name, beside=beside, pin=pin)
    if not beside:
        return Chair(seat)
    first, *rest = beside
    return Chair(seat, first.player, first.name, beside=rest)
