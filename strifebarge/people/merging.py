"""Give what a table knows of one person to another, or to a former player.  Pure."""

from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.naming import replace_name
from strifebarge.tables.model.suspension import drop_proposals
from strifebarge.tables.model.table import FLAGS, Chair, Person, Table


def people_of(table: Table) -> set[str]:
    """Return everybody who sits at a table, or has sat there while it was played."""
    sitting = {player for chair in table.chairs for player in chair.players}
    return sitting.union(*(chair.sat for chair in table.chairs))


def known_to(table: Table) -> set[str]:
    """Return everybody whom a table knows in any way."""
    holders = (
        {who for whose in table.suspension.seat_holders.values() for who in whose}
        if table.suspension
        else set()
    )
    inviters = {each.by for each in table.invited.values()}
    substitutes = {chair.substitute.player for chair in table.chairs if chair.substitute}
    others = holders | inviters | substitutes | table.invited.keys() | {table.host}
    return {each for each in people_of(table) | others if each and not is_bot(each)}


def would_meet(table: Table, one: str, other: str) -> bool:
    """Return whether somebody would be there twice if these two were one person.

    Two ids that are in the same one seat alone are two browsers of one person, who has handed the seat on.
    """
    seats_of_one, seats_of_other = seats_of(table, one), seats_of(table, other)
    return bool(seats_of_one and seats_of_other) and len(seats_of_one | seats_of_other) > 1


def seats_of(table: Table, player: str) -> set[int]:
    """Return the seats where somebody sits, or has sat while it was played."""
    return {chair.seat for chair in table.chairs if chair.has(player) or player in chair.sat}


def hand_over(table: Table, old: str, new: str) -> None:
    """Give all that is one person's to another; no link to a seat ends by it."""
    table.forget_plans()
    for chair in table.chairs:
        if chair.player == old:
            chair.player = new
        for other in chair.coplayers:
            other.player = new if other.player == old else other.player
        chair.coplayers = _once_each(chair)
        if chair.substitute and chair.substitute.player == old:
            chair.substitute = None if chair.has(new) else Person(new, chair.substitute.name)
        chair.sat = {new if player == old else player: name for player, name in chair.sat.items()}
        if old in chair.missed:
            chair.missed[new] = sorted(chair.missed.pop(old) + chair.missed.get(new, []))
    for seat, plan in table.plans.items():
        plan.by, plan.holder = new if plan.by == old else plan.by, table.chairs[seat].holder
    if table.host == old:
        table.host = new
    for each in table.invited.values():
        each.by = new if each.by == old else each.by
    if old in table.invited:
        invited = table.invited.pop(old)
        if table.chair_of(new) is None:
            table.invited.setdefault(new, invited)
    if table.suspension:
        holders = table.suspension.seat_holders
        table.suspension.seat_holders = {
            seat: [new if player == old else player for player in whose] for seat, whose in holders.items()
        }


def _once_each(chair: Chair) -> list[Person]:
    """Return the co-players of a seat's player, without that player and without repetitions."""
    coplayers: dict[str, Person] = {}
    for each in chair.coplayers:
        if each.player != chair.player:
            coplayers.setdefault(each.player, each)
    return list(coplayers.values())


def anonymise(table: Table, old: str, former: str) -> None:
    """Forget a person: their seats become a former player's, who goes by the seats' flags."""
    for chair in table.chairs_of(old):
        table.plans.pop(chair.seat, None)
    for chair in table.chairs:
        if chair.player == old:
            _forget_name(table, chair.called, chair)
            chair.name, chair.gone, chair.pin = table.name_for("", chair, chair), True, None
        for each in chair.coplayers:
            if each.player == old:
                _forget_name(table, each.name, chair)
                each.name, each.gone = table.name_for("", chair, Chair(chair.seat, old)), True
        if chair.substitute and chair.substitute.player == old:
            chair.substitute = None
        chair.missed.pop(old, None)
        if old in chair.sat:
            _forget_name(table, chair.sat[old], chair)
            chair.sat[old] = Chair(chair.seat).called
    table.invited = {
        player: each for player, each in table.invited.items() if player != old and each.by != old
    }
    if table.host == old:
        stay = [chair for chair in table.chairs if not (chair.gone or is_bot(chair.player))]
        others = [chair.player for chair in stay if chair.player]
        table.host = others[0] if others else None
    _forget_strangers(table)
    hand_over(table, old, former)


def _forget_strangers(table: Table) -> None:
    """Drop the names of people who have no seat here and had none in play: one may be that to forget."""
    members = {name for chair in table.chairs for name in (*dict(chair.people).values(), *chair.sat.values())}
    members |= {f"Guest {flag}" for flag in FLAGS.values()}
    table.settings.set_by = {what: who for what, who in table.settings.set_by.items() if who in members}
    suspension = table.suspension
    if suspension and not {suspension.end, suspension.back} <= members | {None}:
        drop_proposals(table)


def _forget_name(table: Table, name: str, chair: Chair) -> None:
    """Replace a name by the seat's flag where the table says who did something."""
    replace_name(table, name, Chair(chair.seat).called)
