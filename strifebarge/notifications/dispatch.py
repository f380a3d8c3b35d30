"""Take what is due out of the outbox and send it.

Any number of processes may do so: a notification is dispatched once, and a channel is one process's alone for
a while.  Should that process die between taking and sending, another sends it after that while; should it die
between sending and noting it, the same goes out a second time, and never earlier.
"""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Protocol

import msgspec

from strifebarge.notifications.message import NotificationMessage
from strifebarge.notifications.models import Channel, ChannelKind, ChannelState, Notification
from strifebarge.notifications.ports import NotificationRepository
from strifebarge.notifications.relevance import held_until, is_still_true, put_off_until
from strifebarge.ops.logs import LogEvent
from strifebarge.ops.metrics import count
from strifebarge.rules import Refused
from strifebarge.rules.text import pack
from strifebarge.tables.model.ports import Busy
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.queries import Views

__all__ = ["LEASE", "Carrier", "Dispatcher", "NotificationMessage"]

LEASE = 120.0  # seconds for which a channel is one process's alone
AT_ONCE = 8  # channels that are written to at the same time
ROUND = 10.0  # seconds after which no further channel is begun with
MANY = 500  # notifications and channels of one round
SWEEP_EVERY = 3600  # seconds between two deletions of what is old
KEPT_FOR = 30 * 86400  # seconds for which notifications are listed after they were dispatched

log = logging.getLogger("strifebarge.post")


class Carrier(Protocol):
    """Sends messages through one kind of channel."""

    tries: tuple[float, ...]  # seconds until it is tried again, each time it fails; then it is given up

    def send(self, channel: Channel, message: NotificationMessage) -> None:
        """Send a message.  Raises Refused where it did not arrive."""


Wording = Callable[[Channel, list[Notification], dict[str, Table]], NotificationMessage]


class Dispatcher:
    """Sends the notifications of one site.  To call it is one round, which takes a few seconds at most."""

    def __init__(
        self,
        repository: NotificationRepository,
        views: Views,
        carriers: Mapping[ChannelKind, Carrier],
        wording: Wording,
    ):
        self.repository = repository
        self.views = views
        self.carriers = carriers
        self.wording = wording
        self.is_banned: Callable[[str], bool] = lambda player: False
        self.swept = 0.0

    def __call__(self, now: float) -> None:
        """Judge the notifications that are due, and send what is to be sent."""
        self.judge(now)
        self.deliver(now)
        if now - self.swept > SWEEP_EVERY:
            self.repository.purge(now - KEPT_FOR)
            self.swept = now

    # -- judging -------------------------------------------------------------------

    def judge(self, now: float) -> None:
        """Dispatch the notifications that are due, if they are still true; put them off, or drop them."""
        for each in self.repository.due(now, MANY):
            self._judge(each, now)

    def _judge(self, notification: Notification, now: float) -> None:
        table = self._table(notification)
        if not self._is_wanted(notification, table, now):
            self.repository.drop([notification.id])
            return
        player = notification.player
        looked = self.repository.looked(player, notification.table) if notification.table else None
        until = put_off_until(notification, table, now) or held_until(notification, looked, now)
        if until is not None:
            self.repository.put_off(notification.id, until)
            return
        subscriber = self.repository.subscriber(player)
        due = subscriber.next_allowed(notification.kind, now) if subscriber else now
        channels = self.repository.channels(player)
        to = [each.id for each in channels if each.state is ChannelState.WORKING]
        self.repository.dispatch(notification, now, dict.fromkeys(to, due))

    def _is_wanted(self, notification: Notification, table: Table | None, now: float) -> bool:
        """Return whether a notification is still true, and for somebody who is not banned."""
        return is_still_true(notification, table, now) and not self.is_banned(notification.player)

    def _table(self, notification: Notification) -> Table | None:
        try:
            return self.views.status(notification.table) if notification.table else None
        except Refused:
            return None

    # -- sending -------------------------------------------------------------------

    def deliver(self, now: float) -> None:
        """Send all that is due, through several channels at once, so that one that hangs delays no other."""
        waiting, begun = self.repository.ready(now, MANY), monotonic()

        def each(channel: str) -> None:
            if monotonic() - begun < ROUND:
                self._send_all(channel, now)

        with ThreadPoolExecutor(min(AT_ONCE, len(waiting)) or 1, "notify") as several:
            list(several.map(each, waiting))

    def _send_all(self, id: str, now: float) -> None:
        """Send all that is due through one channel as one message."""
        claimed = self.repository.claim(id, now, now + LEASE)
        if claimed is None:
            return
        channel, notifications = claimed
        tables = {each.id: self._table(each) for each in notifications}
        stale = [each.id for each in notifications if not self._is_wanted(each, tables[each.id], now)]
        notifications = [each for each in notifications if each.id not in stale]
        if stale:
            self.repository.drop(stale)
        if notifications:
            tables_by_id = {str(table.id): table for table in tables.values() if table}
            self._send(channel, notifications, tables_by_id, now)
        else:
            self.repository.delivered(channel, [])

    def _send(
        self, channel: Channel, notifications: list[Notification], tables: dict[str, Table], now: float
    ) -> None:
        carrier = self.carriers.get(channel.kind)
        if carrier is None:  # the host does not offer this kind any more: nothing is to wait for that
            self.repository.delivered(channel, [each.id for each in notifications])
            return
        try:
            carrier.send(channel, self.wording(channel, notifications, tables))
        except Busy:
            raise
        except Exception as wrong:  # a fault of ours too: one notification must not keep the others
            self._note_failure(channel, carrier.tries, wrong, now)
        else:
            count.messages.labels(channel.kind, "sent").inc()
            self.repository.delivered(channel, [each.id for each in notifications])

    def _note_failure(self, channel: Channel, tries: tuple[float, ...], wrong: Exception, now: float) -> None:
        """Note a failure: the message is tried again later, or its channel given up."""
        refused = wrong if isinstance(wrong, Refused) else Refused(NotificationRefusal.FAULT)
        if refused.why is NotificationRefusal.NO_BROWSER:
            self.repository.remove_channel(channel.id)
            return
        count.messages.labels(channel.kind, "failed").inc()
        answer = _answer(refused)
        log_event = LogEvent(
            "notification_failed",
            " ".join(filter(None, (f"{channel.kind} {channel.id}: {refused}", answer))),
            kind=channel.kind,
            channel=channel.id,
            why=refused.token,
            answer=answer or None,
            failures=channel.failures + 1,
        )
        log.warning(log_event, exc_info=None if refused is wrong else wrong)
        retry = now + tries[channel.failures] if channel.failures < len(tries) else None
        self.repository.failed(channel, msgspec.json.encode(pack(refused.text)).decode(), retry)


def _answer(refused: Refused) -> str:
    """Return what a service or the way to it said, for the log; of a mail server the code, without its words.

    These may hold the address of a person.
    """
    message = str(refused.args_told.get("answer", refused.args_told.get("problem", "")))
    return message.partition(" ")[0] if refused.why is NotificationRefusal.NO_MAIL else message
