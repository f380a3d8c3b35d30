"""Decide who is told of an event at a table, in the transaction of the event.

A notification is written for those subscribers alone who want it.  It is sent later, by `dispatch`, if it is
still true then.  No clock and no network here.
"""

from collections.abc import Iterable
from secrets import token_hex

from strifebarge.notifications.models import REMINDERS, Notification, NotificationKind, Subscriber
from strifebarge.notifications.ports import NotificationsChange
from strifebarge.notifications.relevance import SLOW, deadline_of, must_agree, remind_at, seats_by_player
from strifebarge.tables.acts.nudging import NUDGE_AFTER
from strifebarge.tables.model.clock import RESUME_NOTICE
from strifebarge.tables.model.events import AgreementAsked, DecisionAsked, Event, Moved, Nudged, PauseChanged
from strifebarge.tables.model.table import Status, Table

SOON = 60  # seconds until somebody is told that it is their turn: mostly they are there and move
SOONER = 10  # seconds, at a live table, where minutes count


def notify(change: NotificationsChange, event: Event) -> None:
    """Write the notifications that follow from an event, and drop those it has answered."""
    match event:
        case Moved():
            tell_of_turns(change, event)
        case AgreementAsked():
            tell_of_agreement(change, event)
        case PauseChanged():
            tell_of_pause(change, event)
        case DecisionAsked():
            tell_of_decision(change, event)
        case Nudged():
            tell_of_nudge(change, event)


# -- turns -----------------------------------------------------------------------------


def tell_of_turns(change: NotificationsChange, event: Moved) -> None:
    """Write to the people whose turn it has become, or that the game is over.

    A turn lasts until its player has moved or is not asked any more.  A move that somebody else has only
    undone comes again, and is the same turn: of one turn there is one notification.
    """
    table = change.table
    seats = seats_by_player(table)
    subscribers = change.subscribers(list(seats))
    if not subscribers:
        return
    over = table.status is Status.OVER
    to_move = {player for player in seats if seats[player] & set(table.position.waiting)}
    standing = {(each.player, each.kind): each for each in _drop_answered(change, event, seats, to_move)}
    kind = NotificationKind.OVER if over else NotificationKind.TURN
    for player, subscriber in subscribers.items():
        if player == event.by or event.moved & seats[player] or not (over or player in to_move):
            continue
        notification = standing.get((player, kind))
        if notification is None and subscriber.wants(kind, table.id):
            change.write_notification(new_notification(table, player, kind, event.at))
            _remind(change, subscriber, event.at)
        elif notification and notification.sent is None and not seats[player] & set(event.was):
            notification.created, notification.due = event.at, event.at + soon(table)
            change.write_notification(notification)


def _drop_answered(
    change: NotificationsChange, event: Moved, seats: dict[str, set[int]], to_move: set[str]
) -> list[Notification]:
    """Drop the notifications that a move has answered, and return those that still stand."""
    over = change.table.status is Status.OVER

    def is_answered(each: Notification) -> bool:
        if over or each.kind is NotificationKind.RESUMES:
            return over
        asked_no_more = not (event.undone or each.player in to_move)
        has_moved = bool(event.moved & seats.get(each.player, set()))
        return each.kind in (NotificationKind.AGREE, NotificationKind.DECIDE) or has_moved or asked_no_more

    notifications = change.notifications()
    answered = [each.id for each in notifications if is_answered(each)]
    change.drop_notifications(answered)
    return [each for each in notifications if each.id not in answered]


def _remind(change: NotificationsChange, subscriber: Subscriber, now: float) -> None:
    """Write the reminders of a turn that has a deadline far enough away."""
    table, player = change.table, subscriber.player
    deadline = deadline_of(table, player)
    if deadline is None or deadline.at - now < SLOW:
        return
    for kind in REMINDERS:
        if subscriber.wants(kind, table.id):
            reminder = new_notification(table, player, kind, now)
            reminder.due = remind_at(kind, deadline)
            change.write_notification(reminder)


# -- everything else -------------------------------------------------------------------


def tell_of_agreement(change: NotificationsChange, event: AgreementAsked) -> None:
    """Write to the people who must agree before a table that is not being played goes on."""
    table = change.table
    if table.status not in (Status.OPEN, Status.SUSPENDED):
        return
    subscribers = change.subscribers(list(seats_by_player(table)))
    if not subscribers:
        return
    pending = {each.player: each for each in _standing(change, NotificationKind.AGREE)}
    change.drop_notifications([each.id for each in pending.values() if not must_agree(table, each.player)])
    recipients = [each for each in subscribers if each != event.by and must_agree(table, each)]
    _tell(
        change,
        [subscribers[player] for player in recipients if player not in pending],
        NotificationKind.AGREE,
        event.at,
    )


def tell_of_pause(change: NotificationsChange, event: PauseChanged) -> None:
    """Write to the players when their clocks go on: a day before, or now if somebody ends the pause."""
    table = change.table
    change.drop_notifications([each.id for each in _standing(change, NotificationKind.RESUMES)])
    pause = table.clock.pause if table.clock else None
    if pause is None:
        return
    for player, subscriber in change.subscribers(list(seats_by_player(table))).items():
        if subscriber.wants(NotificationKind.RESUMES, table.id) and not (pause.ended and player == event.by):
            notification = new_notification(table, player, NotificationKind.RESUMES, event.at)
            notification.due = max(event.at, pause.until - RESUME_NOTICE)
            change.write_notification(notification)


def tell_of_decision(change: NotificationsChange, event: DecisionAsked) -> None:
    """Write to the opponents of a seat whose time has run out that they need not wait for it."""
    table = change.table
    change.drop_notifications([each.id for each in _standing(change, NotificationKind.DECIDE)])
    others = [
        player
        for player, seats in seats_by_player(table).items()
        if seats - {event.late, *table.position.out}
    ]
    _tell(change, change.subscribers(others).values(), NotificationKind.DECIDE, event.at)


def tell_of_nudge(change: NotificationsChange, event: Nudged) -> None:
    """Write to players that others wait for them.

    Each is sent at most one nudge a day, from any table; the one who nudges does not learn of other nudges.
    """
    for player in event.players:
        if change.note_nudge(player, event.at, event.at - NUDGE_AFTER) is None:
            nudged_players = [each.player for each in _standing(change, NotificationKind.NUDGE)]
            subscribers = change.subscribers([player] if player not in nudged_players else [])
            _tell(change, subscribers.values(), NotificationKind.NUDGE, event.at)


# -- writing ---------------------------------------------------------------------------


def _standing(change: NotificationsChange, kind: NotificationKind) -> list[Notification]:
    return [each for each in change.notifications() if each.kind is kind]


def _tell(
    change: NotificationsChange, subscribers: Iterable[Subscriber], kind: NotificationKind, now: float
) -> None:
    """Write a notification to each of these subscribers who wants it."""
    for each in subscribers:
        if each.wants(kind, change.table.id):
            change.write_notification(new_notification(change.table, each.player, kind, now))


def new_notification(table: Table, player: str, kind: NotificationKind, now: float) -> Notification:
    """Return a notification of this table that is due soon."""
    due = now + soon(table)
    return Notification(id=token_hex(8), player=player, kind=kind, table=table.id, created=now, due=due)


def soon(table: Table) -> int:
    """Return the seconds for which somebody may answer by themselves before they are told."""
    return SOONER if table.live else SOON
