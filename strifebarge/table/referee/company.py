"""Company in a seat: those who play it together, and who stands in when its player stays away."""

from strifebarge.rules import Refused

from ..chairs import Person
from ..policy import is_late
from ..ports import Player
from ..table import Chair, No, Table
from .attending import Attending
from .desk import Slip, named
from .playing import hand_over


class Company(Attending):
    """What somebody may do who was sent a link to a seat that stays another's."""

    def sit_beside(self, player: Player, id: str, seat: int, generation: int, name: str, slip: Slip) -> None:
        """Play a seat together with who has it: before the game, or while it is put aside.

        Raises Refused: DEAD_LINK, SEATED_ELSEWHERE, BEGUN, OVER, NAME_TAKEN, CROWDED, OTHER_SEAT.
        """
        player = named(player, name)
        with self._acting(player.id, id, "sit_beside", slip) as act:
            if not act.done:
                _must_be_its_own(act.table, seat, generation)
                act.change.save_player(player)
                act.table.sit_beside(player.id, player.name, seat)

    def stand_in(self, player: Player, id: str, seat: int, generation: int, name: str, slip: Slip) -> None:
        """Be the substitute for a seat, who may take it when its player stays away or goes.

        Raises Refused: DEAD_LINK, SEATED_ELSEWHERE, OVER.
        """
        player = named(player, name)
        with self._acting(player.id, id, "stand_in", slip) as act:
            if act.done:
                return
            if act.table.chair_of(player.id):
                raise Refused(No.SEATED_ELSEWHERE)
            act.table.must_be_running()
            chair = _must_be_its_own(act.table, seat, generation)
            act.change.save_player(player)
            chair.substitute = Person(player.id, player.name)

    def take_over(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """The substitute takes the seat, whose player has kept the others waiting for too long.

        Raises Refused: NO_SUBSTITUTE, SEATED_ELSEWHERE, NOT_LATE, OVER, NAME_TAKEN, OTHER_SEAT.
        """
        with self._acting(player, id, "take_over", slip) as act:
            if act.done:
                return
            table, chair = act.table, act.table.chair(seat)
            if chair.substitute is None or chair.substitute.player != player:
                raise Refused(No.NO_SUBSTITUTE)
            if table.chair_of(player):
                raise Refused(No.SEATED_ELSEWHERE)
            table.must_be_running()
            if not is_late(table, chair, self.here(act.change, table)):
                raise Refused(No.NOT_LATE)
            act.change.must_be_here(player)
            hand_over(act, chair, player, chair.substitute.name, anew=True)


def _must_be_its_own(table: Table, seat: int, generation: int) -> Chair:
    """The chair a link was made for.  Raises Refused(DEAD_LINK) if it has changed hands."""
    chair = table.chair(seat)
    if chair.generation != generation or chair.left or chair.player is None:
        raise Refused(No.DEAD_LINK)
    return chair
