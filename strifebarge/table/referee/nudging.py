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

        Nobody is sent more than one nudge a day, from whatever table; of those from other tables nobody
        learns here.  Raises Refused: NOT_SEATED, NOT_WAITING, TOO_SOON, NUDGED.
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
            if other.nudged is not None and now - other.nudged < PATIENCE:
                raise Refused(NotTold.NUDGED, hours=_hours(other.nudged + PATIENCE - now))
            for each, _ in other.people:
                if act.change.note_nudge(each, now, now - PATIENCE) is None:
                    letters.nudge(act.change, each, now, self.entropy)
            other.nudged = table.nudged = now


def _hours(seconds: float) -> int:
    return max(1, ceil(seconds / 3600))
