"""Protocols of what notifications are kept in; the store implements them.

Every method may raise Busy.
"""

from typing import TYPE_CHECKING, Protocol

from strifebarge.notifications.models import Notification, Subscriber
from strifebarge.tables.model.table import Table

__all__ = ["NotificationRepository", "NotificationsChange"]

if TYPE_CHECKING:
    from strifebarge.store.notifications import SqlNotifications as NotificationRepository
else:  # annotations only
    NotificationRepository = object


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
