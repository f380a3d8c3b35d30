"""Decide whether a notification is still true when it is due, and how long it is held back."""

from math import inf
from typing import NamedTuple

from strifebarge.notifications.models import REMINDERS, Notification, NotificationKind
from strifebarge.tables.clock.absence import in_grace
from strifebarge.tables.model.table import RUNNING, Status, Table

HELD = 600  # seconds after which a notification goes out although its person has the game before them
HERE = 45  # seconds for which a page that says it is looked at is believed
SLOW = 12 * 3600  # seconds: with less for a move there are no reminders
LATE = 2 * 3600  # seconds before a deadline at which the last reminder goes out at the latest


def is_still_true(notification: Notification, table: Table | None, now: float) -> bool:
    """Return whether a notification still tells the truth; `table` is None where its table is gone."""
    if notification.table is None:
        return True
    if table is None or notification.player not in seats_by_player(table):
        return False
    match notification.kind:
        case NotificationKind.OVER:
            return table.status is Status.OVER
        case NotificationKind.AGREE:
            return must_agree(table, notification.player)
        case NotificationKind.DECIDE:
            others = [chair for chair in table.in_play() if not chair.has(notification.player)]
            return any(in_grace(table, chair) for chair in others)
        case NotificationKind.RESUMES:
            stands = table.clock is not None and table.clock.stands(now)
            return stands and table.status in RUNNING - {Status.SUSPENDED}
        case _:
            return table.has_to_move(notification.player)


def must_agree(table: Table, player: str) -> bool:
    """Return whether a table that is not being played waits for this player to agree to something."""
    own_chairs = [chair for chair in table.in_play() if chair.has(player) and not chair.is_ready(player)]
    return bool(own_chairs) and table.status in (Status.OPEN, Status.SUSPENDED)


def seats_by_player(table: Table) -> dict[str, set[int]]:
    """Return the seats of each person who still plays."""
    seats: dict[str, set[int]] = {}
    for chair in table.chairs:
        for player in chair.players if not chair.left else ():
            seats.setdefault(player, set()).add(chair.seat)
    return seats


# -- deadlines -------------------------------------------------------------------------


class Deadline(NamedTuple):
    """Until when somebody must have moved."""

    at: float  # seconds since 1970
    time: float  # seconds that they had when their clock last started to run


def deadline_of(table: Table, player: str) -> Deadline | None:
    """Return the first deadline of a player; None where no clock runs."""
    clock = table.clock if table.ticking else None
    seats = {chair.seat for chair in table.chairs_of(player)}
    own_clocks = [each for seat, each in enumerate(clock.seat_clocks) if seat in seats] if clock else []
    return min((Deadline(each.due, each.left) for each in own_clocks if each.due is not None), default=None)


def remind_at(kind: NotificationKind, deadline: Deadline) -> float:
    """Return when to remind somebody of a deadline."""
    left = deadline.time / 2 if kind is NotificationKind.HALF else max(deadline.time / 4, LATE)
    return deadline.at - left


def put_off_until(notification: Notification, table: Table | None, now: float) -> float | None:
    """Return until when a reminder is put off because its deadline has moved; None: not at all."""
    if notification.kind not in REMINDERS or table is None:
        return None
    deadline = deadline_of(table, notification.player)
    moment = remind_at(notification.kind, deadline) if deadline else inf
    return min(moment, now + SLOW) if moment > now else None  # by then the deadline may move again


def held_until(notification: Notification, looked: float | None, now: float) -> float | None:
    """Return until when a notification is held back because its person looks at the game; None: not at all.

    `looked` is when they last said so.
    """
    if notification.kind in REMINDERS:
        return None
    if notification.table is None or looked is None or now >= notification.created + HELD:
        return None
    return notification.created + HELD if looked >= notification.created or now - looked < HERE else None
