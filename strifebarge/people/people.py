"""Do what hosts of the site want about people: find, ban, revoke, erase; the audit log tells of each."""

import re
from typing import Any

from strifebarge.people.models import FoundPerson, IdentityRefusal, new_ban
from strifebarge.people.my_data import PlainTextRenderer
from strifebarge.people.ports import PeopleRepository
from strifebarge.people.service import Accounts
from strifebarge.rules import Refused
from strifebarge.tables.model.audit import AuditEntry
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import TableRefusal

PUBLIC = re.compile("[0-9a-f]{16}")  # a public id, which a username may look like


class People:
    """The people of one site, for its hosts.  Every method may raise Busy.

    `by` is who runs the command.  With `dry_run` everything is checked, and nothing changed.
    """

    def __init__(self, repository: PeopleRepository, accounts: Accounts):
        self.repository = repository
        self.accounts = accounts

    def find(self, text: str, most: int) -> list[FoundPerson]:
        """Return the people whose name or username has these words, or whose public id it is."""
        return self.repository.find(text.replace("\0", ""), most)

    def banned(self) -> list[FoundPerson]:
        """Return the people who are banned now."""
        now = self.accounts.now()
        return [
            each for each in self.repository.with_ban() if each.player.ban and each.player.ban.is_active(now)
        ]

    def person(self, id: str) -> Player:
        """Return a person by their public id or username; never by a name, which anybody may take.

        Raises Refused(NO_PERSON).
        """
        typed = id.strip().casefold().replace("\0", "")
        account = None if PUBLIC.fullmatch(typed) else self.accounts.repository.account(typed)
        player = self.accounts.player(account.player) if account else self.accounts.person(typed)
        if player is None or player.gone:
            raise Refused(TableRefusal.NO_PERSON)
        return player

    def ban(
        self, player: Player, by: str, reason: str, until: float | None = None, dry_run: bool = False
    ) -> None:
        """Keep a person out of the site, until a moment (seconds since 1970) or until it is lifted.

        A ban that there is already is replaced.  Raises Refused: NO_REASON, NOT_LATER, GONE.
        """
        ban = new_ban(reason, self.accounts.now(), until)
        if dry_run:
            return
        self.repository.set_ban(
            player.id, ban, self._entry(by, "ban", player, reason=ban.reason, until=until)
        )
        self.accounts.devices.end_streams(player.id)

    def unban(self, player: Player, by: str, dry_run: bool = False) -> None:
        """Let a banned person in again.  Raises Refused: NOT_BANNED, GONE."""
        if self.accounts.ban_of(player) is None:
            raise Refused(IdentityRefusal.NOT_BANNED)
        if not dry_run:
            self.repository.set_ban(player.id, None, self._entry(by, "unban", player))

    def revoke(self, player: Player, by: str, dry_run: bool = False) -> None:
        """Sign out all devices of a person; end their codes, links and tokens.  Raises Refused(GONE)."""
        if dry_run:
            return
        self.accounts.end_seat_links(player.id)
        self.repository.revoke(player.id, self.accounts.now(), self._entry(by, "revoke", player))
        self.accounts.devices.end_streams(player.id)

    def erase(self, player: Player, by: str, dry_run: bool = False) -> None:
        """Forget a person, as they may themselves."""
        if not dry_run:
            self.accounts.erase(player, self._entry(by, "erase", player))

    def data_of(self, player: Player, by: str, plain_text: PlainTextRenderer) -> dict[str, Any]:
        """Return all that is kept of a person, ready for JSON; the audit log tells that it was read."""
        result = self.accounts.data_of(player, plain_text)
        self.repository.add_to_audit_log(self._entry(by, "export", player))
        return result

    def _entry(self, by: str, act: str, player: Player, **details: Any) -> AuditEntry:
        return AuditEntry(self.accounts.now(), by, act, player.public, details)
