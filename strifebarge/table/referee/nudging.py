"""Reminding somebody that the others wait for them."""

from math import ceil

from strifebarge.rules import Refused

from .. import letters
from ..letters import PATIENCE
from ..reasons import NotTold
from .desk import Desk, Slip


class Nudging(Desk):
    """What can be done about somebody who keeps a table waiting."""

    def nudge(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """Tell whoever sits there that they are waited for, if they have been for a day.

        Nobody is nudged more than once a day, whoever does it and at whatever table.
        Raises Refused: NOT_SEATED, NOT_WAITING, TOO_SOON, NUDGED.
        """
        with self._acting(player, id, "nudge", slip) as act:
            if act.done:
                return
            table, now = act.table, self.now()
            table.must_sit(player)
            other = table.chair(seat)
            if other.player is None or other.has(player) or not letters.has_to_move(table, str(other.player)):
                raise Refused(NotTold.NOT_WAITING)
            waited = now - (table.waits_since(table.chair(seat)) or table.changed)
            if waited < PATIENCE:
                raise Refused(NotTold.TOO_SOON, hours=_hours(PATIENCE - waited))
            last = act.change.note_nudge(str(other.player), now, now - PATIENCE)
            if last is not None:
                raise Refused(NotTold.NUDGED, hours=_hours(last + PATIENCE - now))
            for each, _ in other.people:
                letters.nudge(act.change, each, now, self.entropy)
            table.nudged = now


def _hours(seconds: float) -> int:
    return max(1, ceil(seconds / 3600))
