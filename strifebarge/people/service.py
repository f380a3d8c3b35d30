"""Do what people want about who they are: guests, accounts, becoming another person, being erased."""

import hmac
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from secrets import token_hex
from typing import Any

from strifebarge.lib import hashing
from strifebarge.lib.busy import Busy
from strifebarge.lib.lookalikes import skeleton
from strifebarge.people import merging, password
from strifebarge.people.devices import Devices
from strifebarge.people.models import (
    SECOND_CLICK,
    Account,
    IdentityRefusal,
    banned,
    new_login,
    tidy_login,
    tidy_password,
)
from strifebarge.people.my_data import DataSources, PlainTextRenderer, data_of
from strifebarge.people.passkeys import Passkeys
from strifebarge.people.personal_links import PersonalLinks
from strifebarge.people.ports import AccountRepository, EndedGames, Notices, TokenRepository
from strifebarge.people.tokens import Tokens
from strifebarge.rules import Refused
from strifebarge.tables.acts import handing_over, renaming
from strifebarge.tables.acts.leaving import leave_for_good
from strifebarge.tables.model.audit import AuditEntry
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import Chair, is_guest_name
from strifebarge.tables.model.names import LONGEST, chosen_name, grouped_code
from strifebarge.tables.model.player import Ban, Player
from strifebarge.tables.model.table import Status, TableRefusal
from strifebarge.tables.play.referee import Referee
from strifebarge.tables.play.turn import Turn

ATTEMPTS = 10  # times somebody may sit down elsewhere while they become another
STILL_THERE = "somebody sits down at tables faster than they can be taken from there"


class Accounts:
    """The people of one site, with their devices, personal links and passkeys.

    Every method may raise Busy.
    """

    def __init__(
        self,
        repository: AccountRepository,
        tokens: TokenRepository,
        referee: Referee,
        results: EndedGames,
        notifications: Notices,
        secret_keys: Sequence[str] = (),
    ):
        self.repository = repository
        self.referee = referee
        self.results = results
        self.notifications = notifications
        self.secret_keys = secret_keys or ("",)
        self.devices = Devices(repository, self.now, referee.entropy)
        self.links = PersonalLinks(repository, self.now)
        self.passkeys = Passkeys(repository, secret_keys, self.now)
        self.tokens = Tokens(tokens, self.secret_keys, self.now)

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return self.referee.now()

    # -- people --------------------------------------------------------------------

    def newcomer(self, key: str = "") -> Player:
        """Return a new guest, who is kept when they first sit down.

        The id of a guest whom a form makes follows from the form's `key`, so that the same form sent twice,
        both times without a cookie, makes one guest.  Raises Refused(KEY_REUSED) if the form was accepted for
        somebody else, too long ago, or for a guest who has more than that form by now.
        """
        if not key:
            return Player(token_hex(16), created=self.now())
        guest = Player(_guest_id(self.secret_keys[-1], key), created=self.now())
        player = self.player(guest.id)  # before the receipt: both are written at once
        receipt = self.referee.receipt(key)
        if receipt is None and player is None:
            return guest
        if receipt is None or self.now() - receipt.at > SECOND_CLICK:
            raise Refused(TableRefusal.KEY_REUSED)
        guest_ids = [_guest_id(secret, key) for secret in self.secret_keys]
        if receipt.player not in guest_ids or not self._has_only(receipt.player, receipt.table):
            raise Refused(TableRefusal.KEY_REUSED)
        return self.player(receipt.player) or guest

    def _has_only(self, player: str, table: str) -> bool:
        """Return whether a guest is known at one table only, and by nothing by which they could sign in."""
        tables = {*self.repository.traces(player)}
        return tables <= {table} and self.is_guest(player) and self.links.get_for(player) is None

    def player(self, id: str) -> Player | None:
        """Return a person by their secret id; None if they were erased or became another."""
        return self.repository.player(id)

    def person(self, public: str) -> Player:
        """Return a person by the id of their page.  Raises Refused(NO_PERSON)."""
        return self.repository.person(public)

    def is_guest(self, player: str) -> bool:
        """Return whether somebody has neither password nor passkey."""
        return self.account_of(player) is None and not self.passkeys.list_for(player)

    def ban_of(self, player: Player) -> Ban | None:
        """Return the ban that keeps a person out now, if any does."""
        return player.ban if player.ban and player.ban.is_active(self.now()) else None

    def is_banned(self, id: str) -> bool:
        """Return whether the person with a secret id is banned now."""
        player = self.player(id)
        return player is not None and self.ban_of(player) is not None

    def must_not_be_banned(self, player: Player) -> None:
        """Require that a person is not banned.  Raises Refused: BANNED, BANNED_UNTIL."""
        if ban := self.ban_of(player):
            raise banned(ban)

    def rename(self, player: Player, name: str, at: str | None = None) -> None:
        """Give a person another name, also at the tables where they sit and the game is not over.

        A guest who chooses no name keeps the one they have.  Each table is a transaction of its own, and the
        person goes last: after an interruption the same call goes on where it stopped.
        Raises Refused: WRONG_NAME, RESERVED_NAME, GONE; NOT_SEATED or NAME_TAKEN at the table `at`.
        """
        before, given = player.name, player.name if is_guest_name(player.name) else ""
        chosen = chosen_name(name, before) or given
        if at:
            table = self.referee.views.status(at)
            own_chair = table.must_sit(player.id)[0]
            table.must_be_unused(chosen, Chair(own_chair.seat, player.id))
        player.name = chosen
        for id in self.repository.unfinished(player.id):
            with suppress(Refused):  # it was deleted since
                self.referee.change(id, renaming.rename, player.id, player.name, before)
        self.repository.save_player(player)

    def prefer(self, player: str, what: str, chosen: str) -> None:
        """Keep what somebody prefers in every browser; "" takes it back.  Raises Refused(GONE)."""
        self.repository.prefer(player, what, chosen)

    # -- accounts ------------------------------------------------------------------

    def account_of(self, player: str) -> Account | None:
        """Return what somebody signs in with; None for a person without a password."""
        return self.repository.account_of(player)

    def sign_up(self, player: Player, login: str, secret: str) -> None:
        """Give somebody a name and a password to sign in with; the same once more changes nothing.

        Who has chosen no name yet is called by this one.
        Raises Refused: WRONG_LOGIN, RESERVED_NAME, WEAK, COMMON, TOO_LONG, LOGIN_TAKEN, HAS_ACCOUNT.
        """
        login, secret = new_login(login), tidy_password(secret)
        password.must_be_good(secret, login)
        if existing := self.account_of(player.id):
            if existing.login == login and hashing.verify_secret(secret, existing.password):
                return
            raise Refused(IdentityRefusal.HAS_ACCOUNT)
        now = self.now()
        account = Account(player.id, login, hashing.hashed(secret), now, now, skeleton(login))
        self.repository.open_account(account, player)
        if not player.name or is_guest_name(player.name):
            with suppress(Refused):  # a part of the username may be a reserved name
                self.rename(player, login[:LONGEST])

    def sign_in(self, login: str, secret: str) -> Player:
        """Return who has this name and password.  Raises Refused(WRONG_SIGN_IN), whichever was wrong."""
        try:
            account = self.repository.account(tidy_login(login))
        except Refused:
            account = None
        secret = tidy_password(secret)
        if not hashing.verify_secret(secret, account.password if account else None) or account is None:
            raise Refused(IdentityRefusal.WRONG_SIGN_IN)
        if hashing.outdated(account.password):
            renewed = hashing.hashed(secret)
            self.repository.set_password(account.player, account.password, renewed, account.changed)
        player = self.player(account.player)
        if player is None:
            raise Refused(IdentityRefusal.WRONG_SIGN_IN)
        return player

    def must_know(self, player: str, secret: str) -> Account:
        """Return a person's account if this is its password.  Raises Refused: NO_ACCOUNT, WRONG_PASSWORD."""
        account = self.account_of(player)
        if account is None:
            raise Refused(IdentityRefusal.NO_ACCOUNT)
        if not hashing.verify_secret(tidy_password(secret), account.password):
            raise Refused(IdentityRefusal.WRONG_PASSWORD)
        return account

    def change_password(self, player: str, before: str, after: str, device: str) -> None:
        """Set another password, sign out all other devices and end the person's links.

        The same form once more is known by its new password; only soon, since that is another guess.
        Raises Refused: NO_ACCOUNT, WRONG_PASSWORD, WEAK, COMMON, TOO_LONG.
        """
        account, after = self.account_of(player), tidy_password(after)
        is_recent = account is not None and self.now() - account.changed < SECOND_CLICK
        if not account or not is_recent or not hashing.verify_secret(after, account.password):
            account = self.must_know(player, before)
            password.must_be_good(after, account.login)
            hashed = hashing.hashed(after)
            if not self.repository.set_password(player, account.password, hashed, self.now()):
                raise Refused(IdentityRefusal.WRONG_PASSWORD)
        # Also for the same form once more, which may have got no further.
        self.sign_out_everywhere(player, but=device)

    def sign_out_everywhere(self, player: str, but: str | None = None) -> None:
        """Sign out all devices of a person, or all but one; end all that a stolen session has seen or made.

        What needed a proof and is listed stays: passkeys, mail addresses and webhooks.
        """
        self.devices.sign_out_all(player, but)
        self.links.end(player)
        self.tokens.revoke_all(player)
        self.notifications.end_access(player, unproved=self.is_guest(player))
        self.end_seat_links(player)

    def end_seat_links(self, player: str) -> None:
        """End all links to a person's seats; each table is a transaction of its own."""
        for id in self.repository.unfinished(player):
            with suppress(Refused):  # it was deleted since
                self.referee.change(id, handing_over.end_links, player)

    # -- becoming another ------------------------------------------------------------

    def merge_guest(self, guest: Player, person: Player) -> None:
        """Give all that a guest has played and plays to the person they turned out to be.

        Each table is a transaction of its own: after an interruption the same call goes on where it stopped.
        Raises Refused(TWICE), before anything is done wherever that can be known.
        """
        _must_be_people(guest, person)
        self._must_not_meet(guest.id, person.id)
        for _ in range(ATTEMPTS):
            for id in self.repository.traces(guest.id):
                self.referee.change(id, _hand_over, guest, person)
            self.results.hand_ratings_on(guest.id, person.id)
            if self.repository.retire(guest.id, person.id):
                self.devices.sign_out_all(guest.id)  # their open pages are told nothing more
                return
        raise Busy(STILL_THERE)

    def _must_not_meet(self, one: str, other: str) -> None:
        both = sorted({*self.repository.traces(one)} & {*self.repository.traces(other)})
        tables = [id for id in both if merging.would_meet(self.referee.store.table(id), one, other)]
        if tables:
            raise Refused(IdentityRefusal.TWICE, tables=", ".join(map(grouped_code, tables[:3])))

    # -- being erased ----------------------------------------------------------------

    def erase(self, player: Player, entry: AuditEntry | None = None) -> None:
        """Forget a person.  Their running games count as left; games of others stay whole.

        Each table is a transaction of its own, and the person goes last, so that an interrupted erasure can
        be gone on with.  `entry` is added to the audit log as the person goes.
        """
        _must_be_people(player)
        # Made from the secret, so that two erasures at once lead to the same former player.
        former = Player(sha256(f"former {player.id}".encode()).hexdigest()[:32], gone="former")
        for _ in range(ATTEMPTS):
            for id in self.repository.traces(player.id):
                self.referee.change(id, _leave_and_forget, player.id, former)
            self.results.hand_ratings_on(player.id, former.id)
            if self.repository.retire(player.id, None, entry):
                self.devices.sign_out_all(player.id)  # their open pages are told nothing more
                return
        raise Busy(STILL_THERE)

    # -- what is kept of somebody ------------------------------------------------------

    def data_of(self, player: Player, plain_text: PlainTextRenderer) -> dict[str, Any]:
        """Return all that is kept of a person, ready for JSON; `plain_text` tells a line of a log to them."""
        sources = DataSources(self.repository, self.tokens, self.referee, self.results, self.notifications)
        return data_of(sources, player, plain_text)


def _must_be_people(*players: Player) -> None:
    """Raise Refused(GONE) if one of these is a bot: nobody can become one, or erase it."""
    if any(is_bot(player.id) for player in players):
        raise Refused(IdentityRefusal.GONE)


def _hand_over(turn: Turn, guest: Player, person: Player) -> None:
    """Let all that a guest has at a table be a person's, who has their own name there, if they have one.

    Raises Refused: TWICE, GONE.
    """
    old, new = guest.id, person.id
    if merging.would_meet(turn.table, old, new):  # since we looked
        raise Refused(IdentityRefusal.TWICE, tables=grouped_code(turn.table.id))
    merging.hand_over(turn.table, old, new)
    turn.write(lambda change: change.must_be_here(new))
    turn.write(lambda change: change.hand_over(old, new))
    if person.name:
        renaming.rename(turn, new, person.name, guest.name)


def _leave_and_forget(turn: Turn, player: str, former: Player) -> None:
    """Let a person leave a table, and nothing there tell of them; what must stay is the former player's.

    The results of a game that ends by it still have to know who that was, and so they are written first.
    """
    table = turn.table
    was_over = table.status is Status.OVER

    def forget(change: Any) -> None:
        merging.anonymise(table, player, former.id)
        change.forget(player, former)

    leave_for_good(turn, player)
    turn.write_last(forget)
    turn.cached = None  # its rows may have the name
    if was_over:
        table.version += 1
    else:
        turn.quiet = False
        turn.conclude()


def _guest_id(secret: str, key: str) -> str:
    """Return the id of the guest whom a form makes: 128 bits that nobody can tell who knows the key alone."""
    return hmac.digest(secret.encode(), f"guest {key}".encode(), "sha256").hex()[:32]
