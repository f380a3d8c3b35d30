"""In the game: a seat moves, takes back, leaves, or is taken over."""

from collections.abc import Callable

from strifebarge.rules import Action, Refused, Standard
from strifebarge.rules.match import Match
from strifebarge.rules.notation import Kinds
from strifebarge.rules.schema import actions

from ..policy import is_absent
from ..ports import Player
from ..sight import takes_back
from ..table import Chair, No, Status
from .desk import Act, Slip, named
from .timing import Timing


class Playing(Timing):
    """What those who sit at a table do while its game runs."""

    def move(self, player: str, id: str, read: Callable[[Kinds], Action], slip: Slip) -> int:
        """A seat acts; `read` makes the action of the form, given the game's kinds of action.

        Returns the number of the last move after it.  Raises Refused.
        """
        with self._acting(player, id, "move", slip) as act:
            if act.done:
                return act.done.number
            chair = act.table.seated(player, slip.seat)
            seat, laid = chair.seat, self._playing(act)
            match = laid.match
            match.check_turn(seat)
            _check_question(match, seat, slip)
            moves = match.move(seat, read(actions(match.rules)))
            if chair.beside:
                act.table.chosen_by[seat] = chair.name_of(player)
            self._write(act, laid, moves)
            if not act.quiet:
                chair.skipped, chair.moved, chair.against = 0, True, []
            self._is_back(act, player)
        return act.table.number

    def undo(self, player: str, id: str, slip: Slip) -> None:
        """Take back a seat's last move, where the framework allows it.

        At one device also when the next one there is asked already, if nobody elsewhere is.  Raises Refused.
        """
        with self._acting(player, id, "undo", slip) as act:
            if act.done:
                return
            seat = act.table.seated(player, slip.seat).seat
            laid = self._playing(act)
            match = laid.match
            across = not match.undoable(seat) and takes_back(act.table, player, match) == seat
            if across and slip.asked not in match.asked.values():
                raise Refused(Standard.STALE)
            if match.undoable(seat):
                _check_question(match, seat, slip)
            self._write(act, laid, [match.take_back(seat) if across else match.undo(seat)])

    def quit(self, player: str, id: str, how: str, slip: Slip) -> None:
        """Leave: `resign` for good, by the rules of the game; or leave the seat `free` for another."""
        with self._acting(player, id, "quit", slip) as act:
            if act.done:
                return
            if act.table.status is Status.OPEN:
                act.table.stand(player)
                return
            chair = act.table.seated(player, slip.seat)
            if chair.left:
                raise Refused(No.NOT_SEATED)
            act.table.must_be_running()
            if chair.beside or (how == "free" and act.table.status is Status.SUSPENDED):
                chair.go(player)  # the others in the seat play on
                act.table.somebody_went()
                return
            laid = self._playing(act)
            if how == "free":
                chair.give(None)
                return
            moves = laid.match.leave(chair.seat)
            chair.left = True
            self._write(act, laid, moves)

    def claim(
        self,
        player: Player,
        id: str,
        seat: int,
        generation: int,
        name: str,
        slip: Slip,
        absent: bool = False,
    ) -> None:
        """Take over a seat that its player hands on; or which others hand on while its player is `absent`.

        Raises Refused: DEAD_LINK if it has changed hands or its player is back, SEATED_ELSEWHERE, NAME_TAKEN.
        """
        player = named(player, name)
        with self._acting(player.id, id, "claim", slip) as act:
            table, chair = act.table, act.table.chair(seat)
            if act.done or chair.player == player.id:
                return
            if chair.has(player.id) or (table.chair_of(player.id) and not table.shared):
                raise Refused(No.SEATED_ELSEWHERE)
            if chair.generation != generation or chair.left or (absent and not is_absent(table, chair)):
                raise Refused(No.DEAD_LINK)
            act.change.save_player(player)
            hand_over(act, chair, player.id, player.name, anew=absent)


def hand_over(act: Act, chair: Chair, player: str, name: str, anew: bool = False) -> None:
    """The seat is this player's from now on, its clock wound `anew`.

    Raises Refused(OVER, NAME_TAKEN, OTHER_SEAT).
    """
    table = act.table
    if table.status is Status.OVER:
        raise Refused(No.OVER)
    if not table.may_have(player, chair):
        raise Refused(No.OTHER_SEAT)
    table.must_be_unused(name, but=chair)
    if table.host == chair.player:
        table.host = player
    chair.give(player, name, ready=True)
    if anew and table.clock:
        table.clock.anew(chair.seat, act.at)
    table.somebody_came(chair)


def _check_question(match: Match, seat: int, slip: Slip) -> None:
    if slip.asked is not None and slip.asked != match.asked.get(seat):
        raise Refused(Standard.STALE)
