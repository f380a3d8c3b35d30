"""A device is passed round: the PIN by which each who shares it keeps their own page to themselves."""

from math import ceil

from strifebarge.rules import Refused

from .. import password
from ..chairs import Chair, Pin
from ..reasons import Locked
from ..sight import FORGOTTEN, REST, TRIES
from ..table import RUNNING, No, Table
from .desk import Desk, Slip


class Passing(Desk):
    """What can be done about a seat's PIN.  It keeps out the curious, not whoever breaks into the site."""

    def set_pin(self, player: str, id: str, digits: str, slip: Slip, by: str = "") -> None:
        """Ask for these four digits before this seat's page is shown; "" asks for none any more.

        Whoever looks now, and is known `by` that, goes on looking.

        Raises Refused: NOT_SEATED, WHICH_SEAT, NOT_PASSED, FOUR_DIGITS, NOT_BEGUN, OVER, SUSPENDED.
        """
        with self._acting(player, id, "pin", slip) as act:
            if act.done:
                return
            chair = act.table.seated(player, slip.seat)
            act.table.must_be_running()
            if act.table.put_aside:  # nobody has to lift anything, so anybody could be at it
                raise Refused(No.SUSPENDED)
            _must_be_passed(act.table, player)
            if digits and not (len(digits) == 4 and digits.isascii() and digits.isdigit()):
                raise Refused(Locked.FOUR_DIGITS)
            chair.pin = Pin(password.hashed(digits), lifted=by) if digits else None
            act.quiet = True

    def lift(self, player: str, id: str, seat: int, digits: str, slip: Slip, by: str = "") -> None:
        """Somebody wants to see what this seat sees, and is known `by` that from now on.

        Whoever looked before at this device does so no longer.  Each try counts before it is judged.
        Raises Refused: NOT_SEATED, WRONG, REST.
        """
        table = self.store.table(id)
        if not self._is_locked(table, table.seated(player, seat)):
            self.put_down(player, id)
            return
        with self.store.change(id) as change:
            chair = change.table.seated(player, seat)
            if chair.pin is None:
                return
            _count(chair.pin, slip.key, self.now())
            kept = chair.pin.hash
        if not password.holds(digits, kept):
            raise Refused(Locked.WRONG)
        with self.store.change(id) as change:
            pin = change.table.seated(player, seat).pin
            _put_down(change.table, player)
            if pin and pin.hash == kept:  # who knows it has not forgotten it
                pin.wrong, pin.rest, pin.ends, pin.last, pin.lifted = 0, 0, None, "", by

    def put_down(self, player: str, id: str) -> None:
        """Nobody looks any longer at a device.  Raises Refused(NOT_SEATED)."""
        mine = self.store.table(id).must_sit(player)
        if any(chair.pin and chair.pin.lifted for chair in mine):
            with self.store.change(id) as change:
                _put_down(change.table, player)

    def looks(self, id: str, seat: int, by: str) -> bool:
        """Whether somebody who is known `by` that may look at a seat's page, as they once might."""
        try:
            table = self.store.table(id)
        except Refused:
            return False
        if seat >= len(table.chairs) or not self._is_locked(table, table.chairs[seat]):
            return True
        pin = table.chairs[seat].pin
        return pin is not None and bool(by) and pin.lifted == by

    def forget_pin(self, player: str, id: str, seat: int, slip: Slip) -> None:
        """Somebody says that a PIN is forgotten: in a day it is not asked for any more, unless it is known.

        Raises Refused: NOT_SEATED, NO_PIN.
        """
        with self._acting(player, id, "forget_pin", slip) as act:
            if act.done:
                return
            chair = act.table.seated(player, seat)
            if chair.pin is None or not self._is_locked(act.table, chair):
                raise Refused(Locked.NO_PIN)
            if chair.pin.ends is None:
                chair.pin.ends = self.now() + FORGOTTEN

    def must_be_lifted(self, id: str, seat: int, shown: int | None) -> None:
        """Raises Refused(COVERED) if a form is of a seat with a PIN, and its page is not the one shown."""
        table = self.store.table(id)
        if seat != shown and 0 <= seat < len(table.chairs) and self._is_locked(table, table.chairs[seat]):
            raise Refused(Locked.COVERED)

    def _is_locked(self, table: Table, chair: Chair) -> bool:
        return table.status in RUNNING and not table.put_aside and chair.locked(self.now())


def _put_down(table: Table, player: str) -> None:
    for chair in table.chairs_of(player):
        if chair.pin:
            chair.pin.lifted = ""


def _must_be_passed(table: Table, player: str) -> None:
    if len(table.chairs_of(player)) < 2:
        raise Refused(Locked.NOT_PASSED)


def _count(pin: Pin, key: str, now: float) -> None:
    """One more try.  Raises Refused(REST), and then it is none."""
    if now < pin.rest:
        raise Refused(Locked.REST, minutes=max(1, ceil((pin.rest - now) / 60)))
    if key != pin.last:
        pin.wrong, pin.last = pin.wrong + 1, key
    if pin.wrong >= TRIES:
        pin.wrong, pin.last, pin.rest = 0, "", now + REST
