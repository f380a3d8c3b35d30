"""Beside the tables: accounts, second devices, one person becoming another, and being erased."""

from hashlib import sha256

from strifebarge.rules import Refused
from strifebarge.rules.course import Diverged

from .. import bookkeeper, handover, password
from ..names import code_of, spoken, tidy_code
from ..person import (
    CODE_LASTS,
    Account,
    Device,
    Link,
    Player,
    Who,
    device_name,
    tidy_login,
    tidy_password,
)
from ..ports import Busy
from ..table import RUNNING, Chair, Status
from .desk import Act
from .matches import Matches

TRIES = 10  # times somebody may sit down elsewhere while they become another
STILL_THERE = "somebody sits down at tables faster than they can be taken from there"


class People(Matches):
    """Who somebody is, and until when."""

    def new_device(self, player: Player, agent: str) -> Device:
        """One more browser that is this person.  Raises Refused(GONE)."""
        now = self.now()
        device = Device(self.entropy(16).hex(), player.id, device_name(agent), now, now)
        self.store.add_device(device, player)
        return device

    # -- accounts ------------------------------------------------------------------

    def sign_up(self, player: Player, login: str, secret: str) -> None:
        """A name and a password to sign in with anywhere.  The same once more is done already.

        Raises Refused: WRONG_LOGIN, WEAK, COMMON, TOO_LONG, LOGIN_TAKEN, HAS_ACCOUNT.
        """
        login, secret = tidy_login(login), tidy_password(secret)
        password.must_be_good(secret, login)
        if mine := self.store.account_of(player.id):
            if mine.login == login and password.holds(secret, mine.password):
                return
            raise Refused(Who.HAS_ACCOUNT)
        now = self.now()
        self.store.open_account(Account(player.id, login, password.hashed(secret), now, now), player)

    def sign_in(self, login: str, secret: str) -> Player:
        """Who has this name and password.  Raises Refused(WRONG_SIGN_IN), whichever was wrong."""
        try:
            account = self.store.account(tidy_login(login))
        except Refused:
            account = None
        secret = tidy_password(secret)
        if not password.holds(secret, account.password if account else None) or account is None:
            raise Refused(Who.WRONG_SIGN_IN)
        if password.outdated(account.password):
            self.store.set_password(
                account.player, account.password, password.hashed(secret), account.changed
            )
        player = self.store.player(account.player)
        if player is None:
            raise Refused(Who.WRONG_SIGN_IN)
        return player

    def must_know(self, player: str, secret: str) -> Account:
        """Raises Refused: NO_ACCOUNT, WRONG_PASSWORD."""
        account = self.store.account_of(player)
        if account is None:
            raise Refused(Who.NO_ACCOUNT)
        if not password.holds(tidy_password(secret), account.password):
            raise Refused(Who.WRONG_PASSWORD)
        return account

    def change_password(self, player: str, before: str, after: str, device: str) -> None:
        """Another password, all other devices signed out, and the links to oneself ended.

        Raises Refused: NO_ACCOUNT, WRONG_PASSWORD, WEAK, COMMON, TOO_LONG.
        """
        account, after = self.store.account_of(player), tidy_password(after)
        if not account or not password.holds(after, account.password):
            account = self.must_know(player, before)
            password.must_be_good(after, account.login)
            if not self.store.set_password(player, account.password, password.hashed(after), self.now()):
                raise Refused(Who.WRONG_PASSWORD)
        # Also for the same form once more, which may have got no further.
        self.store.end_devices(player, but=device)
        self.end_links(player)

    # -- a second device -------------------------------------------------------------

    def give_code(self, player: str) -> str:
        """A code that makes another device this person: once, and for ten minutes."""
        code = code_of(self.entropy(5))
        self.store.give_code(_hashed(code), player, self.now() + CODE_LASTS, self.now())
        return code

    def take_code(self, raw: str, key: str) -> Player:
        """Whom the code makes; the same form again gets the same.  Raises Refused(WRONG_CODE)."""
        try:
            code = tidy_code(raw)
        except Refused as no:
            raise Refused(Who.WRONG_CODE) from no
        id = self.store.spend_code(_hashed(code), key, self.now())
        player = self.store.player(id) if id else None
        if player is None:
            raise Refused(Who.WRONG_CODE)
        return player

    # -- a link to oneself -------------------------------------------------------------

    def renew_link(self, player: str, seen: int, ended: bool = False) -> None:
        """Another personal link, or none; the one before is dead.  `seen`: the number the form was made for.

        The same form once more does nothing.  Raises Refused(GONE).
        """
        kept = self.store.link_of(player)
        number = abs(kept.number) if kept else 0
        if number == seen:
            # Below 1 there is none; the number goes on, so that no older link ever comes to life again.
            self.store.keep_link(Link(player, -number if ended else number + 1, self.now()))

    def end_links(self, player: str) -> None:
        """Whoever has the personal link is nobody by it any more, nor plays by one that was in a letter."""
        kept = self.store.link_of(player)
        if kept and kept.stands:
            self.renew_link(player, kept.number, ended=True)
        if reader := self.store.outbox.reader(player):
            reader.end_answers()
            self.store.outbox.keep_reader(reader)

    def by_link(self, public: str, number: int) -> Player:
        """Whose personal link it is.  Raises Refused(DEAD_LINK)."""
        try:
            player = self.store.player(self.store.person(public).id)
        except Refused:
            player = None
        link = self.store.link_of(player.id) if player else None
        if player is None or link is None or not link.stands or link.number != number:
            raise Refused(Who.DEAD_LINK)
        return player

    def used_link(self, player: str) -> None:
        """Somebody has come back by it."""
        if kept := self.store.link_of(player):
            kept.used = self.now()
            self.store.keep_link(kept)

    # -- one person becomes another ------------------------------------------------------

    def take_along(self, guest: Player, person: Player) -> None:
        """What a guest has played and plays is another person's, who they turned out to be.

        Table by table, each in a transaction of its own: what was done stays done, and whoever tries again
        goes on where it stopped.  Raises Refused: TWICE, before anything is done wherever that can be known.
        """
        self._must_not_meet(guest.id, person.id)
        for _ in range(TRIES):
            for id in self.store.traces(guest.id):
                self._pass_on(guest.id, person.id, id)
            self._hand_ratings_on(guest.id, person.id)
            if self.store.retire(guest.id, person.id):
                return
        raise Busy(STILL_THERE)

    def _must_not_meet(self, one: str, other: str) -> None:
        both = sorted({*self.store.traces(one)} & {*self.store.traces(other)})
        tables = [id for id in both if handover.would_meet(self.store.table(id), one, other)]
        if tables:
            raise Refused(Who.TWICE, tables=", ".join(map(spoken, tables[:3])))

    def _pass_on(self, old: str, new: str, id: str) -> None:
        with self.store.change(id) as change:
            change.must_be_here(new)
            if handover.would_meet(change.table, old, new):  # since we looked
                raise Refused(Who.TWICE, tables=spoken(id))
            handover.pass_on(change.table, old, new)
            change.pass_on(old, new)

    def _hand_ratings_on(self, old: str, new: str) -> None:
        for game in self.store.rated_games(old):
            with self.store.ladder(game) as ladder:
                bookkeeper.hand_on(ladder, old, new)

    # -- nobody any more -------------------------------------------------------------------

    def erase(self, player: Player) -> None:
        """Forget a person.  Games they play are left by their rules; those of others stay whole.

        Table by table, so that one who is interrupted can go on with it: the person themselves goes last.
        """
        # Made from the secret, so that one who erases themselves twice at once is the same former player.
        former = Player(sha256(f"former {player.id}".encode()).hexdigest()[:32], gone="former")
        for _ in range(TRIES):
            for id in self.store.traces(player.id):
                self._let_go(player.id, former, id)
            self._hand_ratings_on(player.id, former.id)
            if self.store.retire(player.id, None):
                return
        raise Busy(STILL_THERE)

    def _let_go(self, player: str, former: Player, id: str) -> None:
        with self.store.change(id) as change:
            act = Act(change, self.now())
            self._leave(act, player)
            handover.let_go(change.table, player, former.id)
            change.forget(player, former)
            change.table.version += 1
            if change.table.status is not Status.OVER:
                change.table.changed = self.now()
        if act.laid:
            self.shelf.put(id, act.table.revision, act.laid)

    def _leave(self, act: Act, player: str) -> None:
        """Stand up, or leave a running game for good; one that is put aside is left to another."""
        table = act.table
        if table.status is Status.OPEN and table.chair_of(player):
            table.stand(player)
        for chair in table.chairs_of(player):
            if table.status in RUNNING and not chair.left:
                self._leave_seat(act, chair, player)

    def _leave_seat(self, act: Act, chair: Chair, player: str) -> None:
        table = act.table
        if chair.beside:  # the others in the seat play on
            chair.go(player)
            table.somebody_went()
            table.pass_host_on(chair.seat)
            return
        try:
            laid = self._playing(act)
        except (Refused, Diverged):  # put aside, by people or for its rules' sake
            chair.give(None)
            table.unready()
            table.pass_host_on(chair.seat)
            return
        moves = laid.match.leave(chair.seat)
        chair.left = True
        table.pass_host_on(chair.seat)
        self._write(act, laid, moves)


def _hashed(code: str) -> str:
    return sha256(f"device code {code}".encode()).hexdigest()
