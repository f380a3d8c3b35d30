"""Do what pages and commands want about notifications: who is told what, and through which channels."""

from collections.abc import Callable
from hashlib import sha256
from secrets import token_hex
from typing import Any

import msgspec
from msgspec import Struct

from strifebarge.notifications.models import (
    MOST_CHANNELS,
    Channel,
    ChannelKind,
    ChannelState,
    Notification,
    NotificationKind,
    Subscriber,
)
from strifebarge.notifications.ports import NotificationRepository
from strifebarge.notifications.push import PushSubscription, new_key
from strifebarge.notifications.relevance import is_still_true
from strifebarge.rules import Refused
from strifebarge.rules.pace import DAY
from strifebarge.tables.model.reasons import NotificationRefusal
from strifebarge.tables.model.table import Table
from strifebarge.tables.play.queries import Views

QUESTIONS_A_DAY = 3  # times one mail address may be asked within a day whether it belongs to who entered it
MOST_SILENT = 100  # tables of which one person hears nothing; the one silenced first is forgotten


class NotificationPreferences(Struct, kw_only=True):
    """Choices of the page of notices; times as in `Subscriber`."""

    kinds: tuple[NotificationKind, ...]
    zone: str
    quiet: tuple[int, int] | None
    digest: int | None
    answers: bool
    language: str


class Notifications:
    """Subscribers, channels and notifications of one site.  Every method may raise Busy."""

    def __init__(
        self,
        repository: NotificationRepository,
        views: Views,
        now: Callable[[], float],
        push_key: str | None = None,
    ):
        self.repository = repository
        self.views = views
        self.now = now
        self._push_key = push_key

    # -- what, and when ------------------------------------------------------------

    def subscriber(self, player: str) -> Subscriber | None:
        """Return what somebody wants to be told; None if they never said."""
        return self.repository.subscriber(player)

    def subscriber_or_new(self, player: str, language: str) -> Subscriber:
        """Return what somebody wants to be told, or the defaults in this language."""
        return self.subscriber(player) or Subscriber(player=player, language=language)

    def choose(self, player: str, wishes: NotificationPreferences) -> None:
        """Keep what somebody wants to be told, and when."""
        subscriber = self.subscriber_or_new(player, wishes.language)
        if subscriber.answers and not wishes.answers:
            subscriber.end_answer_links()
        subscriber.kinds, subscriber.zone, subscriber.quiet = wishes.kinds, wishes.zone, wishes.quiet
        subscriber.digest, subscriber.answers = wishes.digest, wishes.answers
        subscriber.language = wishes.language
        self.repository.keep_subscriber(subscriber)

    def mute_table(self, player: str, table: str, silent: bool, language: str) -> None:
        """Tell somebody nothing of one table, or tell them again."""
        subscriber = self.subscriber_or_new(player, language)
        others = tuple(each for each in subscriber.silent if each != table)
        subscriber.silent = (*others[1 - MOST_SILENT :], table) if silent else others
        self.repository.keep_subscriber(subscriber)

    def is_silent(self, player: str, table: str) -> bool | None:
        """Return whether somebody wants to hear nothing of a table; None if they have no notices at all."""
        subscriber = self.subscriber(player)
        return table in subscriber.silent if subscriber else None

    def note_look(self, player: str, table: str) -> None:
        """Note that a subscriber has a table's page before them, and needs no notification of it now."""
        if self.subscriber(player):
            self.repository.look(player, table, self.now())

    # -- channels ------------------------------------------------------------------

    def channels(self, player: str) -> list[Channel]:
        """Return the channels of a person, the oldest first."""
        return self.repository.channels(player)

    def is_new(self, player: str, kind: ChannelKind, address: str) -> bool:
        """Return whether a person does not have this channel yet.

        Raises Refused: TOO_MANY, or ASKED_ENOUGH for a mail address that several have entered today.
        """
        channels = self.channels(player)
        if (kind, address) in [(each.kind, each.address) for each in channels]:
            return False
        if len(channels) >= MOST_CHANNELS:
            raise Refused(NotificationRefusal.TOO_MANY, most=MOST_CHANNELS)
        if kind is ChannelKind.MAIL and self._times_asked(address) >= QUESTIONS_A_DAY:
            raise Refused(NotificationRefusal.ASKED_ENOUGH)
        return True

    def _times_asked(self, address: str) -> int:
        return self.repository.unconfirmed(address, self.now() - DAY)

    def add(self, subscriber: Subscriber, kind: ChannelKind, address: str, key: str) -> None:
        """Keep a channel, and ask through a mail address whose it is; `key` is that of the form."""
        state = ChannelState.NEW if kind is ChannelKind.MAIL else ChannelState.WORKING
        channel = self._keep(
            subscriber,
            Channel(
                id=token_hex(8),
                player=subscriber.player,
                kind=kind,
                address=address,
                state=state,
                created=self.now(),
            ),
        )
        if channel.state is ChannelState.NEW:
            self._send(channel, NotificationKind.CONFIRM, key)

    def add_browser(self, subscriber: Subscriber, device: str, browser: PushSubscription) -> None:
        """Keep where the browser of a device is told, instead of where it was told before.

        Raises Refused(TOO_MANY).
        """
        channels, address = self.channels(subscriber.player), str(browser)
        device_channels = [each for each in channels if each.device == device]
        if address in [each.address for each in device_channels]:
            return
        if len(channels) - len(device_channels) >= MOST_CHANNELS:
            raise Refused(NotificationRefusal.TOO_MANY, most=MOST_CHANNELS)
        for each in device_channels:
            self.repository.remove_channel(each.id)
        new = Channel(
            id=token_hex(8), player=subscriber.player, kind=ChannelKind.PUSH, address=address, device=device
        )
        new.state, new.created = ChannelState.WORKING, self.now()
        self._keep(subscriber, new)

    def _keep(self, subscriber: Subscriber, channel: Channel) -> Channel:
        if self.subscriber(subscriber.player) != subscriber:
            self.repository.keep_subscriber(subscriber)
        return self.repository.keep_channel(channel)

    def own_channel(self, player: str, id: str) -> Channel:
        """Return a channel of this person.  Raises Refused(NO_ADDRESS)."""
        channel = self.repository.channel(id)
        if channel is None or channel.player != player:
            raise Refused(NotificationRefusal.NO_ADDRESS)
        return channel

    def own_confirmed_channel(self, player: str, id: str) -> Channel:
        """Return a channel of this person that is not new.  Raises Refused(NO_ADDRESS, NOT_CONFIRMED)."""
        channel = self.own_channel(player, id)
        if channel.state is ChannelState.NEW:
            raise Refused(NotificationRefusal.NOT_CONFIRMED)
        return channel

    def test(self, channel: Channel, key: str) -> None:
        """Send a test now, also where a channel was given up or waits to be tried again.

        `key` is that of the form.
        """
        if channel.error:
            self.repository.confirm(channel.id)
        self._send(channel, NotificationKind.TEST, key)

    def _send(self, channel: Channel, kind: NotificationKind, key: str) -> None:
        """Send a notification through this channel alone; the same form again sends no other."""
        now = self.now()
        id = sha256(f"{kind} {channel.id} {key}".encode()).hexdigest()[:16]
        notification = Notification(id=id, player=channel.player, kind=kind, created=now, due=now, sent=now)
        self.repository.send_now(notification, channel.id)

    def remove(self, player: str, id: str) -> None:
        """Delete a channel of this person.  Raises Refused(NO_ADDRESS)."""
        self.repository.remove_channel(self.own_channel(player, id).id)

    # -- links in notifications ----------------------------------------------------

    def linked_channel(self, id: str) -> Channel:
        """Return the channel that a signed link names.  Raises Refused(DEAD_LINK)."""
        channel = self.repository.channel(id)
        if channel is None:
            raise Refused(NotificationRefusal.DEAD_LINK)
        return channel

    def confirm(self, channel: Channel) -> None:
        """Use a new channel from now on."""
        if channel.state is ChannelState.NEW:
            self.repository.confirm(channel.id)

    def remove_linked(self, id: str) -> None:
        """Delete the channel that a signed link names; nothing happens if it was deleted already."""
        self.repository.remove_channel(id)

    def accepts_answers(self, player: str, serial: int) -> bool:
        """Return whether links with this serial may still make a person's move."""
        subscriber = self.subscriber(player)
        return subscriber is not None and subscriber.answers and subscriber.link_serial == serial

    def end_access(self, player: str, unproved: bool) -> None:
        """End what a stolen session may have seen or made: links that move, the feed's address, pushes.

        All channels of somebody `unproved` end, who had to prove nothing to add them.
        """
        if subscriber := self.subscriber(player):
            subscriber.end_answer_links()
            subscriber.renew_feed()
            self.repository.keep_subscriber(subscriber)
        for channel in self.channels(player):
            if unproved or channel.kind is ChannelKind.PUSH:
                self.repository.remove_channel(channel.id)

    # -- feed and calendar ---------------------------------------------------------

    def renew_feed(self, player: str, form_serial: int, ended: bool, language: str) -> None:
        """Make a new secret address for feed and calendar, which ends the one before, or only end that.

        `form_serial` is the serial the form was made for: the same form again does nothing.
        """
        subscriber = self.subscriber_or_new(player, language)
        serial = abs(subscriber.feed_serial)
        if form_serial == serial:
            # Up to zero there is none; the number goes on, so that no older address ever works again.
            subscriber.feed_serial = -serial if ended else serial + 1
            self.repository.keep_subscriber(subscriber)

    def of_feed(self, player: str, serial: object) -> Subscriber | None:
        """Return whose feed has this serial; None if it was ended."""
        subscriber = self.subscriber(player)
        alive = subscriber is not None and 0 < subscriber.feed_serial == serial
        return subscriber if alive else None

    def sent_to(self, player: str, most: int) -> list[tuple[Notification, Table]]:
        """Return what somebody has been told of tables and is still true, the newest first."""
        now, pairs = self.now(), []
        for each in self.repository.sent_to(player, most):
            try:
                table = self.views.status(str(each.table))
            except Refused:
                continue
            if is_still_true(each, table, now):
                pairs.append((each, table))
        return pairs

    # -- what is kept of somebody ----------------------------------------------------

    def data_of(self, player: str) -> dict[str, Any]:
        """Return what is kept of a subscriber, ready for JSON and without secrets."""
        return {
            "wanted": _without_secrets(self.subscriber(player)),
            "channels": [_without_secrets(each) for each in self.channels(player)],
            "notifications": [_without_secrets(each) for each in self.repository.all_for(player)],
        }

    # -- browsers ------------------------------------------------------------------

    def push_key(self) -> str:
        """Return the private key by which push services know the site: configured, or made once and kept."""
        return self._push_key or self.views.store.secret("push", new_key)


def _without_secrets(struct: Struct | None) -> dict[str, Any] | None:
    """Return what somebody has chosen or is told, without their secret id or that of a channel."""
    return (
        {k: v for k, v in msgspec.to_builtins(struct).items() if k not in ("player", "id")}
        if struct
        else None
    )
