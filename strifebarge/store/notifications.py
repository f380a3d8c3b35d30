"""The repository of notifications: subscribers, their channels, and what is on its way to them.

A notification is written in the transaction of what it tells of (`SqlChange`); all else is here.  A process
that sends has a channel to itself for a while; should it die, another takes the channel after that.
"""

from typing import Any

import msgspec
from sqlalchemy import (
    BindParameter,
    Connection,
    bindparam,
    case,
    delete,
    func,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.engine import Row

from strifebarge.notifications.models import (
    Channel,
    ChannelKind,
    ChannelState,
    Notification,
    NotificationKind,
    Subscriber,
)
from strifebarge.store.db.engine import PREFETCHED
from strifebarge.store.db.repository import AutoTransaction
from strifebarge.store.db.statements import OF, DialectStatement, json, upsert
from strifebarge.store.schema import (
    channels,
    deliveries,
    devices,
    notifications,
    nudges,
    page_visits,
    subscribers,
)

WHO = bindparam("who", type_=subscribers.c.player.type)
NOW = bindparam("now", type_=notifications.c.due.type)
THESE: BindParameter[list[str]] = bindparam("these", expanding=True)

SUBSCRIBERS = select(subscribers.c.body).where(subscribers.c.player.in_(bindparam("people", expanding=True)))
KEEP_SUBSCRIBER = upsert(subscribers)

NOTIFICATIONS = select(notifications)
NOTIFICATIONS_OF_TABLE = NOTIFICATIONS.where(notifications.c.table_id == OF)
SENT_TO = (
    NOTIFICATIONS.where(
        notifications.c.player == WHO,
        notifications.c.sent.is_not(None),
        notifications.c.table_id.is_not(None),
    )
    .order_by(notifications.c.sent.desc(), notifications.c.id)
    .limit(bindparam("most"))
)
ALL_FOR = NOTIFICATIONS.where(notifications.c.player == WHO).order_by(
    notifications.c.created, notifications.c.id
)
DUE = (
    NOTIFICATIONS.where(notifications.c.sent.is_(None), notifications.c.due <= NOW)
    .order_by(notifications.c.due, notifications.c.id)
    .limit(bindparam("most"))
)
# When it is to go to a channel, or to go there again.
NEXT = case((channels.c.retry > deliveries.c.due, channels.c.retry), else_=deliveries.c.due)
LATE = union_all(
    select(notifications.c.due).where(notifications.c.sent.is_(None), notifications.c.due <= NOW),
    select(NEXT.label("due"))
    .join_from(deliveries, channels, channels.c.id == deliveries.c.channel_id)
    .where(NEXT <= NOW),
).subquery()
WAITING = select(func.count(), func.min(LATE.c.due)).select_from(LATE)
KEEP_NOTIFICATION = upsert(notifications)
ADD_NOTIFICATION = DialectStatement(notifications, lambda insert: insert.on_conflict_do_nothing())
DROP_NOTIFICATIONS = delete(notifications).where(notifications.c.id.in_(THESE))
PUT_OFF = (
    update(notifications)
    .where(notifications.c.id == OF, notifications.c.sent.is_(None))
    .values(due=bindparam("until"))
)
DISPATCH = (
    update(notifications).where(notifications.c.id == OF, notifications.c.sent.is_(None)).values(sent=NOW)
)
PURGE_NOTIFICATIONS = delete(notifications).where(notifications.c.sent < bindparam("before"))

CHANNEL = select(channels).where(channels.c.id == OF)
CHANNELS = select(channels).where(channels.c.player == WHO).order_by(channels.c.created, channels.c.id)
ADD_CHANNEL = DialectStatement(
    channels, lambda insert: insert.on_conflict_do_nothing(index_elements=["player", "kind", "address"])
)
SAME_CHANNEL = CHANNELS.where(channels.c.kind == bindparam("how"), channels.c.address == bindparam("where"))
CONFIRM = (
    update(channels)
    .where(channels.c.id == OF)
    .values(state=ChannelState.WORKING, error="", failures=0, retry=0.0)
)
REMOVE = delete(channels).where(channels.c.id == OF)
UNCONFIRMED = select(func.count()).where(
    channels.c.address == bindparam("where"),
    channels.c.state == ChannelState.NEW,
    channels.c.created > bindparam("since"),
)

# A notification may be answered, or a channel removed, at the same moment: then there is no row.
SEND = DialectStatement(
    deliveries,
    lambda insert: insert.from_select(
        ["notification_id", "channel_id", "due"],
        select(notifications.c.id, channels.c.id, bindparam("from", type_=deliveries.c.due.type))
        .select_from(notifications.join(channels, true()))
        .where(notifications.c.id == OF, channels.c.id == bindparam("to")),
    ).on_conflict_do_nothing(),
)
UNCLAIMED = (channels.c.lease <= NOW, channels.c.retry <= NOW, channels.c.state != ChannelState.FAILING)
READY = (
    select(deliveries.c.channel_id)
    .join(channels, channels.c.id == deliveries.c.channel_id)
    .where(deliveries.c.due <= NOW, *UNCLAIMED)
    .group_by(deliveries.c.channel_id)
    .order_by(func.min(deliveries.c.due), deliveries.c.channel_id)
    .limit(bindparam("most"))
)
CLAIM = update(channels).where(channels.c.id == OF, *UNCLAIMED).values(lease=bindparam("until"))
DUE_THERE = (
    NOTIFICATIONS.join(deliveries, deliveries.c.notification_id == notifications.c.id)
    .where(deliveries.c.channel_id == OF, deliveries.c.due <= NOW)
    .order_by(notifications.c.created, notifications.c.id)
)
MINE = (channels.c.id == OF, channels.c.lease == bindparam("until"))
DELIVERED = delete(deliveries).where(deliveries.c.channel_id == OF, deliveries.c.notification_id.in_(THESE))
RELEASE = update(channels).where(*MINE).values(lease=0.0, failures=0, error="", retry=0.0)
NOTE_FAILURE = (
    update(channels)
    .where(*MINE)
    .values(
        lease=0.0,
        failures=channels.c.failures + 1,
        error=bindparam("why"),
        retry=bindparam("later"),
        state=bindparam("how"),
    )
)
GIVE_UP = delete(deliveries).where(deliveries.c.channel_id == OF)

LOOK = upsert(page_visits)
LOOKED = select(page_visits.c.at).where(page_visits.c.table_id == OF, page_visits.c.player == WHO)
PURGE_LOOKS = delete(page_visits).where(page_visits.c.at < bindparam("before"))

NUDGE = DialectStatement(
    nudges,
    lambda insert: insert.on_conflict_do_update(
        index_elements=["player"],
        set_={"at": insert.excluded.at},
        where=nudges.c.at <= bindparam("since"),
    ).returning(nudges.c.at),
)
NUDGED = select(nudges.c.at).where(nudges.c.player == WHO)

# A device that was signed out is told nothing any more.
DROP_PUSHES = delete(channels).where(
    channels.c.player == WHO,
    channels.c.device != "",
    channels.c.device.not_in(select(devices.c.id).where(devices.c.player == WHO)),
)

FORGET = [
    delete(kind).where(kind.c.player == WHO)
    for kind in (subscribers, channels, notifications, page_visits, nudges)
]


# -- as part of a change of a table --------------------------------------------------


def subscribers_among(connection: Connection, players: list[str]) -> dict[str, Subscriber]:
    """Return the subscribers among some people by their secret ids."""
    bodies = connection.scalars(SUBSCRIBERS, {"people": players})
    subscribers = [msgspec.json.decode(body, type=Subscriber) for body in bodies]
    return {each.player: each for each in subscribers}


def end_links(connection: Connection, player: str) -> None:
    """End the links sent to a person by which a move can be made, and the addresses of feed and calendar."""
    if subscriber := subscribers_among(connection, [player]).get(player):
        subscriber.end_answer_links()
        subscriber.feed_serial = -abs(subscriber.feed_serial)
        connection.execute(KEEP_SUBSCRIBER(connection), {"player": player, "body": json(subscriber)})


def notifications_of(connection: Connection, table: str) -> list[Notification]:
    """Return all notifications of a table that still stand."""
    return [notification_in(row) for row in connection.execute(NOTIFICATIONS_OF_TABLE, {"of": table})]


def keep_notification(connection: Connection, notification: Notification) -> None:
    """Keep a notification, new or changed."""
    connection.execute(KEEP_NOTIFICATION(connection), values_of(notification))


def drop_notifications(connection: Connection, ids: list[str]) -> None:
    """Delete notifications, with what is to be sent of them."""
    if ids:
        connection.execute(DROP_NOTIFICATIONS, {"these": ids})


def note_nudge(connection: Connection, player: str, now: float, since: float) -> float | None:
    """Note a nudge and return None, or return when the last one was if that was after `since`."""
    values = {"player": player, "at": now, "since": since}
    if connection.execute(NUDGE(connection), values).first():
        return None
    return connection.scalar(NUDGED, {"who": player})


def notification_in(row: Row[Any]) -> Notification:
    values = row._asdict()  # public: SQLAlchemy names it as a namedtuple does
    return Notification(table=values.pop("table_id"), kind=NotificationKind(values.pop("kind")), **values)


def values_of(notification: Notification) -> dict[str, Any]:
    values = msgspec.structs.asdict(notification)
    return {**values, "table_id": values.pop("table")}


def channel_in(row: Row[Any]) -> Channel:
    values = row._asdict()  # public: SQLAlchemy names it as a namedtuple does
    return Channel(kind=ChannelKind(values.pop("kind")), state=ChannelState(values.pop("state")), **values)


# -- and by itself -------------------------------------------------------------------


class SqlNotifications(AutoTransaction):
    """Implements `strifebarge.notifications.ports.NotificationRepository` in an SQL database."""

    def subscriber(self, player: str) -> Subscriber | None:
        """Return what somebody wants to be told; None if they never said."""
        prefetched = PREFETCHED.get()
        subscribers = (
            prefetched.subscribers([player])
            if prefetched is not None and prefetched.engine is self.engine
            else None
        )
        if subscribers is not None:
            subscriber: Subscriber | None = subscribers.get(player)
            return subscriber
        with self.reading() as connection:
            return subscribers_among(connection, [player]).get(player)

    def keep_subscriber(self, subscriber: Subscriber) -> None:
        """Keep what somebody wants to be told, instead of what they wanted before."""
        values = {"player": subscriber.player, "body": json(subscriber)}
        with self.writing() as connection:
            connection.execute(KEEP_SUBSCRIBER(connection), values)

    def channels(self, player: str) -> list[Channel]:
        """Return the channels of a person, the oldest first."""
        with self.reading() as connection:
            return [channel_in(row) for row in connection.execute(CHANNELS, {"who": player})]

    def channel(self, id: str) -> Channel | None:
        """Return a channel; None if it was removed."""
        with self.reading() as connection:
            row = connection.execute(CHANNEL, {"of": id}).first()
        return channel_in(row) if row else None

    def keep_channel(self, channel: Channel) -> Channel:
        """Keep a new channel, or return the same one if this person has it already."""
        values = {"who": channel.player, "how": channel.kind, "where": channel.address}
        with self.writing() as connection:
            connection.execute(ADD_CHANNEL(connection), msgspec.to_builtins(channel))
            return channel_in(connection.execute(SAME_CHANNEL, values).one())

    def confirm(self, id: str) -> None:
        """Use a channel from now on, or again."""
        with self.writing() as connection:
            connection.execute(CONFIRM, {"of": id})

    def remove_channel(self, id: str) -> None:
        """Delete a channel and what waits for it."""
        with self.writing() as connection:
            connection.execute(REMOVE, {"of": id})

    def unconfirmed(self, address: str, since: float) -> int:
        """Count the people who have entered a mail address since then and not confirmed it."""
        with self.reading() as connection:
            return connection.scalar(UNCONFIRMED, {"where": address, "since": since}) or 0

    def forget(self, player: str) -> None:
        """Delete all that is kept here about a person."""
        with self.writing() as connection:
            for each in FORGET:
                connection.execute(each, {"who": player})

    def look(self, player: str, table: str, now: float) -> None:
        """Note that a person has a table's page before them."""
        with self.writing() as connection:
            connection.execute(LOOK(connection), {"table_id": table, "player": player, "at": now})

    def looked(self, player: str, table: str) -> float | None:
        """Return when a person last had a table's page before them."""
        with self.reading() as connection:
            return connection.scalar(LOOKED, {"of": table, "who": player})

    def sent_to(self, player: str, most: int) -> list[Notification]:
        """Return the newest notifications that were dispatched to a person and still stand."""
        with self.reading() as connection:
            return [
                notification_in(row) for row in connection.execute(SENT_TO, {"who": player, "most": most})
            ]

    def all_for(self, player: str) -> list[Notification]:
        """Return all notifications to a person that still stand, sent or not; the oldest first."""
        with self.reading() as connection:
            return [notification_in(row) for row in connection.execute(ALL_FOR, {"who": player})]

    # -- dispatching ----------------------------------------------------------------

    def due(self, now: float, most: int) -> list[Notification]:
        """Return notifications that are due and not dispatched yet, the oldest first."""
        with self.reading() as connection:
            return [notification_in(row) for row in connection.execute(DUE, {"now": now, "most": most})]

    def waiting(self, now: float) -> tuple[int, float | None]:
        """Count what is due and not dispatched, or not sent yet; return also since when the oldest is due.

        What has failed is due when it is to be sent again.
        """
        with self.reading() as connection:
            number, oldest = connection.execute(WAITING, {"now": now}).one()
            return number, oldest

    def put_off(self, notification: str, until: float) -> None:
        """Make a notification due later."""
        with self.writing() as connection:
            connection.execute(PUT_OFF, {"of": notification, "until": until})

    def drop(self, notifications: list[str]) -> None:
        """Delete notifications and what is to be sent of them."""
        with self.writing() as connection:
            drop_notifications(connection, notifications)

    def dispatch(self, notification: Notification, now: float, to: dict[str, float]) -> bool:
        """Let a notification go to channels, to each from its moment on.

        Returns False if it was dispatched already, or answered meanwhile.
        """
        with self.writing() as connection:
            if connection.execute(DISPATCH, {"of": notification.id, "now": now}).rowcount != 1:
                return False
            send(connection, notification.id, to)
            return True

    def send_now(self, notification: Notification, channel: str) -> None:
        """Keep a new notification and let it go to one channel; the same id again changes nothing."""
        with self.writing() as connection:
            if connection.execute(ADD_NOTIFICATION(connection), values_of(notification)).rowcount == 1:
                send(connection, notification.id, {channel: notification.due})

    def ready(self, now: float, most: int) -> list[str]:
        """Return the channels for which something is due and that no process has to itself."""
        return self.scalars(READY, now=now, most=most)

    def claim(self, channel: str, now: float, until: float) -> tuple[Channel, list[Notification]] | None:
        """Take a channel for this process alone until then, and return all that is due there.

        Returns None if another process has it.
        """
        values = {"of": channel, "now": now}
        with self.writing() as connection:
            if connection.execute(CLAIM, {**values, "until": until}).rowcount != 1:
                return None
            claimed = channel_in(connection.execute(CHANNEL, values).one())
            return claimed, [notification_in(row) for row in connection.execute(DUE_THERE, values)]

    def delivered(self, channel: Channel, notifications: list[str]) -> None:
        """Note that these have arrived, or need not arrive any more."""
        values = {"of": channel.id, "until": channel.lease}
        with self.writing() as connection:
            if notifications:
                connection.execute(DELIVERED, {"of": channel.id, "these": notifications})
            connection.execute(RELEASE, values)

    def failed(self, channel: Channel, trouble: str, retry: float | None) -> None:
        """Note that sending failed, to be tried again at `retry`; without it the channel is given up."""
        state = ChannelState.FAILING if retry is None else channel.state
        values = {"why": trouble, "later": retry or 0.0, "how": state, "until": channel.lease}
        with self.writing() as connection:
            updated = connection.execute(NOTE_FAILURE, {"of": channel.id, **values}).rowcount == 1
            if updated and retry is None:
                connection.execute(GIVE_UP, {"of": channel.id})

    def purge(self, before: float) -> None:
        """Delete notifications dispatched, and looks, before that moment."""
        with self.writing() as connection:
            for each in (PURGE_NOTIFICATIONS, PURGE_LOOKS):
                connection.execute(each, {"before": before})


def send(connection: Connection, notification: str, to: dict[str, float]) -> None:
    """Let a notification go to channels, to each from its moment on."""
    for channel, due in to.items():
        connection.execute(SEND(connection), {"of": notification, "to": channel, "from": due})
