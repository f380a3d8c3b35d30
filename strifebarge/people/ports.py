"""Protocols of what accounts are kept in, and of what they ask the other services.

Every method may raise Busy.
"""

from typing import TYPE_CHECKING, Any, Protocol

__all__ = [
    "AccountRepository",
    "DeviceRepository",
    "EndedGames",
    "LinkRepository",
    "Notices",
    "PasskeyRepository",
    "PeopleRepository",
    "TokenRepository",
]

if TYPE_CHECKING:
    from strifebarge.store.accounts import SqlAccounts as AccountRepository
    from strifebarge.store.accounts import SqlAccounts as DeviceRepository
    from strifebarge.store.accounts import SqlAccounts as LinkRepository
    from strifebarge.store.accounts import SqlAccounts as PasskeyRepository
    from strifebarge.store.people import SqlPeople as PeopleRepository
    from strifebarge.store.tokens import SqlTokens as TokenRepository
else:  # annotations only
    DeviceRepository = PasskeyRepository = LinkRepository = AccountRepository = TokenRepository = (
        PeopleRepository
    ) = object


class EndedGames(Protocol):
    """The results of games, as accounts need them."""

    def hand_ratings_on(self, old: str, new: str) -> None:
        """Give one person's ratings to another, to whom their games have gone already."""

    def data_of(self, player: str) -> list[dict[str, Any]]:
        """Return a person's ratings, ready for JSON."""

    def record_data(self, table: str) -> dict[str, Any]:
        """Return the record of an ended game, ready for JSON.  Raises Refused(NO_TABLE, NOT_OVER)."""


class Notices(Protocol):
    """Notifications, as accounts need them."""

    def end_access(self, player: str, unproved: bool) -> None:
        """End what a stolen session may have seen or made; all channels of somebody `unproved`."""

    def data_of(self, player: str) -> dict[str, Any]:
        """Return what is kept of a subscriber, ready for JSON and without secrets."""
