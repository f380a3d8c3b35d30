"""Play a seat together with its player."""

from strifebarge.tables.acts.forms import form_name, seated_as
from strifebarge.tables.acts.handing_over import chair_of_link
from strifebarge.tables.model.player import Player
from strifebarge.tables.play.turn import Turn


@form_name("sit_beside")
def join_seat(turn: Turn, person: Player, seat: int, generation: int) -> None:
    """Play a seat together with its player: from before the game on, or while it is suspended.

    Raises Refused: DEAD_LINK, SEATED_ELSEWHERE, BEGUN, OVER, NAME_TAKEN, CROWDED, OTHER_SEAT.
    """
    chair_of_link(turn.table, seat, generation)
    coplayer = seated_as(person, turn.table.join_seat(person.id, person.name, seat))
    turn.write(lambda change: change.save_player(coplayer))
