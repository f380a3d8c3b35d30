"""Play once more: the same people, options and game, at a table of their own."""

from typing import TYPE_CHECKING

import msgspec

from strifebarge.rules import Refused
from strifebarge.tables.acts.bots import allow_bots
from strifebarge.tables.acts.seating import ready
from strifebarge.tables.library.settings import options_at
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import Pin
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.names import code_of
from strifebarge.tables.model.parts import Series, Times
from strifebarge.tables.model.table import Chair, Person, Status, Table, TableRefusal
from strifebarge.tables.play.turn import FormToken, Turn

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee


def rematch(referee: "Referee", player: str, id: str, form: FormToken) -> str:
    """Open a table's rematch, or find it, and agree to play there; return the new table's id.

    The player is not made ready if somebody has changed the settings there by now.  Raises Refused:
    NOT_SEATED, NOT_OVER, IN_TOURNAMENT, and what `ready` and `allow_bots` raise.
    """
    new = referee.change(id, open_rematch, player)
    table = referee.store.table(new)
    if not table.settings.set_by:
        referee.carry_out(player, new, form, ready, table.at_issue)
    return new


def open_rematch(turn: Turn, player: str) -> str:
    """Open the one rematch that a table has; return its id.

    Raises Refused: NOT_SEATED, NOT_OVER, IN_TOURNAMENT.
    """
    table = turn.table
    table.must_be_no_tournament()
    if not table.chair_of(player):
        raise Refused(TableRefusal.NOT_SEATED)
    if table.status is not Status.OVER:
        raise Refused(TableRefusal.NOT_OVER)
    if table.series.rematch is None:
        again = _table_for_rematch(turn, player)
        if again.with_bots:
            allow_bots(turn, player)
        table.series.rematch = again.id
        table.version += 1
        turn.write(lambda change: change.add(again))
    return table.series.rematch


def _table_for_rematch(turn: Turn, host: str) -> Table:
    """Return a table of its own for the same people, who have each moved on by one seat."""
    table = turn.table
    turned = [*table.chairs[1:], *table.chairs[:1]]
    return Table(
        id=code_of(turn.referee.entropy(5)),
        game=table.game,
        seed=turn.referee.entropy(32).hex(),
        chairs=[_chair_for_rematch(chair, seat) for seat, chair in enumerate(turned)],
        rules_version=_rules_version(turn),
        host=host,
        standing_in=table.standing_in,
        settings=msgspec.structs.replace(table.settings, set_by={}, listed=False),
        series=Series(parent=table.id, first=table.series.first or table.id),
        clock=Clock.of(table.clock.pace, 0) if table.clock else None,
        times=Times(created=turn.now, changed=turn.now),
    )


def _rules_version(turn: Turn) -> int:
    """Return by which rules they play again: by those of today, if these know the options."""
    title = turn.referee.library[turn.table.game]
    try:
        options_at(turn.table, title.rules)
    except Refused:
        title = turn.title
    return title.version


def _chair_for_rematch(chair: Chair, seat: int) -> Chair:
    """Return a seat for the same people, not yet agreed to it; not for people who were erased.

    Bots play again too, but for one that stood in for the seat's own player.
    """
    again = [each for each in chair.coplayers if not (each.gone or is_bot(each.player))]
    coplayers = [Person(each.player, each.name) for each in again]
    if not chair.gone:
        pin = Pin(chair.pin.hash) if chair.pin else None
        return Chair(seat, chair.player, chair.name, coplayers=coplayers, pin=pin)
    if not coplayers:
        return Chair(seat)
    first, *rest = coplayers
    return Chair(seat, first.player, first.name, coplayers=rest)
