"""Take over a seat: by a link its player hands on, or as its substitute."""

from strifebarge.rules import Refused
from strifebarge.tables.acts.forms import form_name, seated_as
from strifebarge.tables.clock.absence import is_absent, is_late
from strifebarge.tables.model.chair import Chair, Person
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.turn import Turn


def claim(turn: Turn, person: Player, seat: int, generation: int, absent: bool = False) -> None:
    """Take over a seat that its player hands on; or that others hand on while its player is `absent`.

    Raises Refused: DEAD_LINK if it has changed hands, LINK_OF_PRESENT if its player is back;
    SEATED_ELSEWHERE, NAME_TAKEN.
    """
    table, chair = turn.table, turn.table.chair(seat)
    if chair.player == person.id:
        return
    if chair.has(person.id) or (table.chair_of(person.id) and not table.settings.shared):
        raise Refused(TableRefusal.SEATED_ELSEWHERE)
    if chair.generation != generation or chair.left:
        raise Refused(TableRefusal.DEAD_LINK)
    if absent and not is_absent(table, chair):
        raise Refused(TableRefusal.LINK_OF_PRESENT)
    hand_over(turn, chair, person.id, person.name, anew=absent)
    heir = seated_as(person, chair)
    turn.write(lambda change: change.save_player(heir))


@form_name("stand_in")
def become_substitute(turn: Turn, person: Player, seat: int, generation: int) -> None:
    """Make a player the substitute for a seat, who may take it when its player stays away or goes.

    Raises Refused: DEAD_LINK, SEATED_ELSEWHERE, NOT_BEGUN, OVER.
    """
    if turn.table.chair_of(person.id):
        raise Refused(TableRefusal.SEATED_ELSEWHERE)
    turn.table.must_be_running()
    chair = chair_of_link(turn.table, seat, generation)
    turn.write(lambda change: change.save_player(person))
    chair.substitute = Person(person.id, person.name)


def take_over(turn: Turn, seat: int) -> None:
    """Take a seat as its substitute, whose player has kept the others waiting for too long.

    Raises Refused: NO_SUBSTITUTE, SEATED_ELSEWHERE, NOT_LATE, OVER, NAME_TAKEN, OTHER_SEAT.
    """
    table, chair, player = turn.table, turn.table.chair(seat), turn.player
    if chair.substitute is None or chair.substitute.player != player:
        raise Refused(TableRefusal.NO_SUBSTITUTE)
    if table.chair_of(player):
        raise Refused(TableRefusal.SEATED_ELSEWHERE)
    table.must_be_running()
    if not is_late(table, chair, turn.present()):
        raise Refused(TableRefusal.NOT_LATE)
    turn.write(lambda change: change.must_be_here(player))
    hand_over(turn, chair, player, chair.substitute.name, anew=True)


def end_links(turn: Turn, player: str) -> None:
    """End all links to a person's seats that were given out until now, and codes that they made as host."""
    table, turn.quiet = turn.table, True
    for chair in table.chairs_of(player):
        plan = table.plan_of(chair.seat)
        chair.generation += 1
        if plan:
            plan.holder = chair.holder
    if table.host == player:
        for chair in table.chairs:
            chair.returning = None


def hand_over(turn: Turn, chair: Chair, player: str, name: str, anew: bool = False) -> None:
    """Give a seat to a player, its clock wound `anew` if they have missed nothing of it.

    Raises Refused(OVER, NAME_TAKEN, OTHER_SEAT).
    """
    table = turn.table
    if table.status is Status.OVER:
        raise Refused(TableRefusal.OVER)
    if not table.may_have(player, chair):
        raise Refused(TableRefusal.OTHER_SEAT)
    name = table.name_for(name, chair, but=chair)
    chair.let_bot_go(table.position.number)
    chair.give(player, name, ready=True)
    table.pass_host_on(chair.seat)
    if anew and table.clock:
        table.clock.anew(chair.seat, turn.now)
    table.ask_newcomer_agreement(chair)


def chair_of_link(table: Table, seat: int, generation: int) -> Chair:
    """Return the chair a link was made for.  Raises Refused(DEAD_LINK) if it has changed hands."""
    chair = table.chair(seat)
    if chair.generation != generation or chair.left or chair.player is None:
        raise Refused(TableRefusal.DEAD_LINK)
    return chair
