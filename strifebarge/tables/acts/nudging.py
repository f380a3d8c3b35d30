"""Remind players that the others wait for them."""

from math import ceil

from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY, HOUR
from strifebarge.tables.model.events import Nudged
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.tables.play.turn import Turn

NUDGE_AFTER = DAY  # seconds a seat must have kept the others waiting; and between two nudges


def nudge(turn: Turn, seat: int) -> None:
    """Tell the players of a seat that the table waits for them.

    Raises Refused: NOT_SEATED, NOT_WAITING; TOO_SOON or NUDGED, with the hours left.
    """
    table, now = turn.table, turn.now
    table.must_sit(turn.player)
    chair = table.chair(seat)
    if chair.player is None or chair.bot or chair.has(turn.player) or not table.has_to_move(chair.player):
        raise Refused(NotificationRefusal.NOT_WAITING)
    waited = now - (table.waits_since(chair) or table.times.changed)
    if waited < NUDGE_AFTER:
        raise Refused(NotificationRefusal.TOO_SOON, hours=_hours(NUDGE_AFTER - waited))
    if chair.nudged is not None and now - chair.nudged < NUDGE_AFTER:
        raise Refused(NotificationRefusal.NUDGED, hours=_hours(chair.nudged + NUDGE_AFTER - now))
    chair.nudged = table.times.nudged = now
    turn.emit(Nudged(at=now, by=turn.by, players=chair.players))


def _hours(seconds: float) -> int:
    return max(1, ceil(seconds / HOUR))
