"""Protocols of what notifications are kept in; the store implements them.

Every method may raise Busy.
"""

from collections.abc import Callable
from typing import Protocol

from strifebarge.table.table import Table

from .models import Channel, Notification, Subscriber


class Tables(Protocol):
    """Tables and the site itself, as far as notifications need them."""

    def table(self, id: str) -> Table:
        """Return a table.  Raises Refused(NO_TABLE)."""

    def secret(self, name: str, make: Callable[[], str]) -> str:
        """Return what the site keeps for itself under a name; `make` is called the first time only."""


class NotificationRepository(Protocol):
    """Where subscribers, their channels, and the notifications on their way are kept."""

    # -- subscribers ---------------------------------------------------------------

    def subscriber(self, player: str) -> Subscriber | None:
        """Return what somebody wants to be told; None if they never said."""

    def keep_subscriber(self, subscriber: Subscriber) -> None:
        """Keep what somebody wants to be told, instead of what they wanted before."""

    def forget(self, player: str) -> None:
        """Delete all that is kept here about a person."""

    # -- channels ------------------------------------------------------------------

    def channels(self, player: str) -> list[Channel]:
        """Return the channels of a person, the oldest first."""

    def channel(self, id: str) -> Channel | None:
        """Return a channel; None if it was removed."""

    def keep_channel(self, channel: Channel) -> Channel:
        """Keep a new channel, or return the same one if this person has it already."""

    def confirm(self, id: str) -> None:
        """Use a channel from now on, or again."""

    def remove_channel(self, id: str) -> None:
        """Delete a channel and what waits for it."""

    def unconfirmed(self, place: str, since: float) -> int:
        """Count the people who have entered a mail address since then and not confirmed it."""

    # -- notifications -------------------------------------------------------------

    def look(self, player: str, table: str, now: float) -> None:
        """Note that a person has a table's page before them."""

    def looked(self, player: str, table: str) -> float | None:
        """Return when a person last had a table's page before them."""

    def told(self, player: str, most: int) -> list[Notification]:
        """Return the newest notifications that were dispatched to a person and still stand."""

    def all_for(self, player: str) -> list[Notification]:
        """Return all notifications to a person that still stand, sent or not; the oldest first."""

    # -- dispatching ---------------------------------------------------------------

    def due(self, now: float, most: int) -> list[Notification]:
        """Return notifications that are due and not dispatched yet, the oldest first."""

    def waiting(self, now: float) -> tuple[int, float | None]:
        """Count what is due and not dispatched, or not sent yet; return also since when the oldest is due.

        What has failed is due when it is to be sent again.
        """

    def put_off(self, notification: str, until: float) -> None:
        """Make a notification due later."""

    def drop(self, notifications: list[str]) -> None:
        """Delete notifications and what is to be sent of them."""

    def dispatch(self, notification: Notification, now: float, to: dict[str, float]) -> bool:
        """Let a notification go to channels, to each from its moment on.

        Returns False if it was dispatched already, or answered meanwhile.
        """

    def send_now(self, notification: Notification, channel: str) -> None:
        """Keep a new notification and let it go to one channel; the same id again changes nothing."""

    def ready(self, now: float, most: int) -> list[str]:
        """Return the channels for which something is due and that no process has to itself."""

    def claim(self, channel: str, now: float, until: float) -> tuple[Channel, list[Notification]] | None:
        """Take a channel for this process alone until then, and return all that is due there.

        Returns None if another process has it.
        """

    def delivered(self, channel: Channel, notifications: list[str]) -> None:
        """Note that these have arrived, or need not arrive any more."""

    def failed(self, channel: Channel, trouble: str, retry: float | None) -> None:
        """Note that sending failed, to be tried again at `retry`; without it the channel is given up."""

    def purge(self, before: float) -> None:
        """Delete notifications dispatched, and looks, before that moment."""


class NotificationsChange(Protocol):
    """The open change of a table, as far as the rules need it; all of it is one transaction."""

    table: Table

    def subscribers(self, players: list[str]) -> dict[str, Subscriber]:
        """Return the subscribers among some people, by their secret ids."""

    def notifications(self) -> list[Notification]:
        """Return all notifications of this table that still stand."""

    def write_notification(self, notification: Notification) -> None:
        """Keep a notification, new or changed."""

    def drop_notifications(self, ids: list[str]) -> None:
        """Delete notifications and what is to be sent of them."""

    def note_nudge(self, player: str, now: float, since: float) -> float | None:
        """Note that a player is nudged and return None, or return when they were nudged after `since`."""
