"""Give a person a new name at a table where they sit."""

from strifebarge.rules import Refused
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.naming import replace_name
from strifebarge.tables.model.table import Status, Table
from strifebarge.tables.play.turn import Turn


def rename(turn: Turn, player: str, name: str, before: str) -> None:
    """Show a person by a new name from now on, unless the game is over.

    They keep the name that they have here where somebody else at the table goes by the new one.  `before` is
    the name that the person had: of several seats at a shared device, those with that name are theirs.
    """
    table = turn.table
    chairs = _own_chairs(table, player, before)
    if table.status is Status.OVER or not chairs:
        return
    old, own = chairs[0].name_of(player), Chair(chairs[0].seat, player)
    try:
        table.must_be_unused(name, own)
    except Refused:
        return
    new = table.name_for(name, own, own)
    if new == old:
        return
    for chair in chairs:
        _give_name(turn, chair, player, new)
    replace_name(table, old, new)
    table.version += 1  # when something last happened stays: nothing has


def _own_chairs(table: Table, player: str, before: str) -> list[Chair]:
    own_chairs = table.chairs_of(player)
    if len(own_chairs) == 1:
        return own_chairs
    return [chair for chair in own_chairs if chair.name == before]


def _give_name(turn: Turn, chair: Chair, player: str, name: str) -> None:
    old = chair.name_of(player)
    if chair.player == player:
        chair.name = name
    for each in chair.coplayers:
        if each.player == player:
            each.name = name
    if player in chair.sat:
        chair.sat[player] = name
    turn.write(lambda change: change.rename_moves(chair.seat, old, name))
