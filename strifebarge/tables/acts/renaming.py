"""Give a person a new name at a table where they sit."""

from strifebarge.rules import Refused
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.naming import replace_name
from strifebarge.tables.model.table import Status, Table
from strifebarge.tables.play.turn import Turn


def rename(turn: Turn, player: str, name: str, before: str) -> None:
    """Show a person by a new name from now on, unless the game is over.

    They keep the name that they have here where somebody else at the table goes by the new one.  `before` is
    the name that the person had: of several seats at a shared device, the one with that name is theirs.
    """
    table = turn.table
    chair = _own_chair(table, player, before)
    if table.status is Status.OVER or chair is None:
        return
    old, new = chair.name_of(player), Chair(chair.seat, player, name)
    try:
        table.must_be_unused(name, new)
    except Refused:
        return
    table.number_guest(new)
    if new.called != old:
        _give_name(chair, player, new)
        replace_name(table, old, new.called)
        turn.write(lambda change: change.rename_moves(chair.seat, old, new.called))
        table.version += 1  # when something last happened stays: nothing has


def _own_chair(table: Table, player: str, before: str) -> Chair | None:
    own_chairs = table.chairs_of(player)
    if len(own_chairs) == 1:
        return own_chairs[0]
    return next((chair for chair in own_chairs if chair.name == before), None)


def _give_name(chair: Chair, player: str, new: Chair) -> None:
    if chair.player == player:
        chair.name = new.name
    for each in chair.coplayers:
        if each.player == player:
            each.name = new.called
    if player in chair.sat:
        chair.sat[player] = new.called
