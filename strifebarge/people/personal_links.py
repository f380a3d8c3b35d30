"""Personal links: one signs in its owner in any browser, until another is made."""

from collections.abc import Callable

from strifebarge.people.models import IdentityRefusal, PersonalLink
from strifebarge.people.ports import LinkRepository
from strifebarge.rules import Refused
from strifebarge.tables.model.player import Player


class PersonalLinks:
    """Makes and ends personal links.  Every method may raise Busy."""

    def __init__(self, repository: LinkRepository, now: Callable[[], float]):
        self.repository = repository
        self.now = now

    def get_for(self, player: str) -> PersonalLink | None:
        """Return the personal link of a person; None if they never had one."""
        return self.repository.link_of(player)

    def renew(self, player: str, form_number: int, ended: bool = False) -> None:
        """Make another personal link, or none, and end the one before.

        `form_number` is the number the form was made for: sent again, it does nothing.  Raises Refused(GONE).
        """
        link = self.get_for(player)
        number = abs(link.number) if link else 0
        if number == form_number:
            # Below 1 there is none; the number goes on, so that no older link ever works again.
            self.repository.keep_link(PersonalLink(player, -number if ended else number + 1, self.now()))

    def end(self, player: str) -> None:
        """End the personal link of a person, if there is one."""
        link = self.get_for(player)
        if link and link.stands:
            self.renew(player, link.number, ended=True)

    def owner_of(self, public: str, number: int) -> Player:
        """Return whose personal link it is.  Raises Refused(DEAD_LINK)."""
        try:
            player = self.repository.player(self.repository.person(public).id)
        except Refused:
            player = None
        link = self.get_for(player.id) if player else None
        if player is None or link is None or not link.stands or link.number != number:
            raise Refused(IdentityRefusal.DEAD_LINK)
        return player

    def note_use(self, player: str) -> None:
        """Note that somebody has come back by their personal link."""
        if link := self.get_for(player):
            link.last_used = self.now()
            self.repository.keep_link(link)
