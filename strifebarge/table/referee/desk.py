"""One transaction for one form: accepted once, answered again; what is refused leaves no trace."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from secrets import token_bytes, token_hex
from time import time

import msgspec
from msgspec import Struct

from strifebarge.rules import Refused, Standard
from strifebarge.rules.course import Diverged

from .. import letters
from ..library import Library
from ..names import tidy_name
from ..ports import Change, Player, Receipt, Store
from ..presence import GRACE, Here
from ..table import No, Table
from .shelf import Laid, Shelf

DIVERGED = "The rules of this game have changed under it: its moves lead to another position now."
KEY = re.compile(r"[0-9A-Za-z._-]{16,64}")


class Slip(Struct, frozen=True):
    """What a form carries beside the move: its one-use key, the question it answers, all it says.

    And for which seat it was made, where somebody has several.
    """

    key: str
    content: str = ""
    asked: int | None = None
    seat: int | None = None

    def digest(self, act: str, player: str, table: str) -> str:
        return sha256("\0".join([act, player, table, str(self.asked), self.content]).encode()).hexdigest()


class Act:
    """One form being carried out: the transaction, the match laid out, an earlier receipt."""

    def __init__(self, change: Change, at: float, done: Receipt | None = None, by: str | None = None):
        self.change = change
        self.at = at  # when the form came; it may have had to wait for the table
        self.done = done
        self.by = by  # whose form it is
        self.laid: Laid | None = None
        self.written = False  # whether the match has gone on from where it was taken up
        self.quiet = False  # nobody else may know that anything happened

    @property
    def table(self) -> Table:
        return self.change.table


class Desk:
    """Where forms are brought: the store, the games, the clock, and the matches laid out."""

    def __init__(
        self,
        store: Store,
        library: Library,
        now: Callable[[], float] = time,
        entropy: Callable[[int], bytes] = token_bytes,
    ):
        self.store = store
        self.library = library
        self.now = now
        self.entropy = entropy
        self.shelf = Shelf()
        self.tended = 0.0  # when it was last looked what time has decided
        # When it was kept that somebody is there, and until when.
        self.noted: dict[tuple[str, str], tuple[float, float]] = {}

    def newcomer(self) -> Player:
        """A new guest, who is kept when they first sit down."""
        return Player(token_hex(16), created=self.now())

    def is_guest(self, player: str) -> bool:
        """Who has neither password nor passkey."""
        return self.store.account_of(player) is None and not self.store.passkeys(player)

    def rename(self, player: Player, name: str) -> None:
        """Raises Refused(WRONG_NAME)."""
        player.name = tidy_name(name)
        self.store.save_player(player)

    @contextmanager
    def _acting(self, player: str, id: str, name: str, slip: Slip) -> Iterator["Act"]:
        """One transaction for one form, which may have been accepted before."""
        receipt = self._receipt(slip, name, player, id)
        act: Act | None = None
        came, open_ = self.now(), True
        try:
            while open_:
                with self.store.change(id) as change:
                    act = Act(change, came, change.receipt(slip.key), player)
                    if act.done and act.done.digest != receipt.digest:
                        # A move from a page that a browser kept: its question has been answered.
                        raise Refused(No.KEY_REUSED if slip.asked is None else Standard.STALE)
                    # What happens at a deadline is kept by itself, whatever then becomes of the form.
                    if act.done or self._is_on_time(act, player):
                        open_ = False
                        yield act
                        if not act.done:
                            self._give_receipt(act, receipt)
                if act.laid:
                    self.shelf.put(id, act.table.revision, act.laid)
        except Diverged as diverged:
            self._suspend_diverged(id)
            raise Refused(No.SUSPENDED) from diverged
        except Refused as no:
            if act and act.laid and not act.written:  # its match stands as it stood
                self.shelf.put(id, act.table.revision, act.laid)
            over_by = (Standard.STALE, Standard.NOT_YOUR_TURN, Standard.GAME_OVER)
            if slip.asked is not None and no.why in over_by and act and act.table.has_missed(player):
                raise Refused(Standard.TOO_LATE) from no
            raise

    def here(self, kept: Store | Change, table: Table) -> Here:
        """Who is at a table."""
        until = kept.present(table.id)
        if table.live:  # while the site was away nobody could be there
            back = max((each.began for each in kept.stretches(0) if each.number > 1), default=0) + GRACE
            until = {player: max(each, back) for player, each in until.items()}
        return Here(self.now(), until)

    def _is_on_time(self, act: "Act", player: str | None = None) -> bool:
        """Whether no deadline has passed; where a clock runs, `Timing` knows."""
        return True

    def _give_receipt(self, act: "Act", receipt: Receipt) -> None:
        act.table.wait_from(self.now())
        if not act.quiet:
            act.table.version += 1
            act.table.changed = self.now()
            letters.tell_who_must_agree(act.change, act.by, self.now(), self.entropy)
        act.change.give_receipt(msgspec.structs.replace(receipt, number=act.table.number))

    def _suspend_diverged(self, id: str) -> None:
        with self.store.change(id) as change:
            change.table.stall(self.now(), DIVERGED)

    def _receipt(self, slip: Slip, act: str, player: str, table: str) -> Receipt:
        if not KEY.fullmatch(slip.key):
            raise Refused(No.NO_KEY)
        return Receipt(slip.key, player, table, slip.digest(act, player, table), at=self.now())


def named(player: Player, name: str) -> Player:
    """The same person under the name given, if one is.  Raises Refused(WRONG_NAME)."""
    return msgspec.structs.replace(player, name=tidy_name(name) or player.name)
