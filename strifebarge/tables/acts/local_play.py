"""Play at one shared device: who else plays there, and the PINs that keep each seat's page to itself.

A PIN keeps out the curious, not somebody who breaks into the site.
"""

from math import ceil
from typing import TYPE_CHECKING

from strifebarge.lib import hashing
from strifebarge.rules import Refused
from strifebarge.tables.acts.forms import form_name
from strifebarge.tables.model.chair import Chair, Pin
from strifebarge.tables.model.names import chosen_name
from strifebarge.tables.model.reasons import SharedDeviceRefusal
from strifebarge.tables.model.table import RUNNING, Table, TableRefusal
from strifebarge.tables.play.game import begin_if_ready
from strifebarge.tables.play.turn import FormToken, Turn
from strifebarge.tables.view.perspective import FORGOTTEN, REST, TRIES

if TYPE_CHECKING:
    from strifebarge.tables.play.referee import Referee


@form_name("beside")
def add_local_player(turn: Turn, name: str) -> None:
    """Add somebody who plays at the same device.

    Raises Refused: ONE_SEAT, NOT_SEATED, FULL, BEGUN, OVER, NAME_TAKEN, WRONG_NAME, RESERVED_NAME.
    """
    turn.table.seat_another(turn.player, chosen_name(name))
    begin_if_ready(turn)


@form_name("pin")
def set_pin(turn: Turn, digits: str, by: str = "") -> None:
    """Ask for these four digits before a seat's page is shown; "" asks for none any more.

    A player who looks just now, and is known `by` that word, goes on looking.

    Raises Refused: NOT_SEATED, WHICH_SEAT, NOT_PASSED, FOUR_DIGITS, NOT_BEGUN, OVER, SUSPENDED.
    """
    chair = turn.table.seated(turn.player, turn.seat)
    turn.table.must_be_running()
    if turn.table.suspended:  # nobody has to lift anything, so anybody could be at it
        raise Refused(TableRefusal.SUSPENDED)
    if len(turn.table.chairs_of(turn.player)) < 2:
        raise Refused(SharedDeviceRefusal.NOT_PASSED)
    if digits and not (len(digits) == 4 and digits.isascii() and digits.isdigit()):
        raise Refused(SharedDeviceRefusal.FOUR_DIGITS)
    chair.pin = Pin(hashing.hashed(digits), lifted=by) if digits else None
    turn.quiet = True


def forget_pin(turn: Turn, seat: int) -> None:
    """Say that a PIN is forgotten: it is asked for one day longer, and then no more, unless it is typed.

    Raises Refused: NOT_SEATED, NO_PIN.
    """
    chair = turn.table.seated(turn.player, seat)
    if chair.pin is None or not _is_locked(turn.table, chair, turn.now):
        raise Refused(SharedDeviceRefusal.NO_PIN)
    if chair.pin.ends is None:
        chair.pin.ends = turn.now + FORGOTTEN


# -- the curtain ------------------------------------------------------------------------


def lift_curtain(
    referee: "Referee", player: str, id: str, seat: int, digits: str, form: FormToken, by: str = ""
) -> None:
    """Show what a seat sees, to somebody at its device who is known `by` that word from now on.

    The one who looked before looks no longer.  Each try counts before it is judged.
    Raises Refused: NOT_SEATED, WRONG, REST.
    """
    table = referee.store.table(id)
    if not _is_locked(table, table.seated(player, seat), referee.now()):
        lower_curtain(referee, player, id)
        return
    pin_hash = referee.change(id, _count_try, player, seat, form.key)
    if pin_hash is None:
        return
    if not hashing.verify_secret(digits, pin_hash):
        raise Refused(SharedDeviceRefusal.WRONG)
    referee.change(id, _lift_curtain, player, seat, pin_hash, by)


def lower_curtain(referee: "Referee", player: str, id: str) -> None:
    """Let nobody look any longer at a device.  Raises Refused(NOT_SEATED)."""
    own_chairs = referee.store.table(id).must_sit(player)
    if any(chair.pin and chair.pin.lifted for chair in own_chairs):
        referee.change(id, _lower, player)


def is_looking(referee: "Referee", id: str, seat: int, by: str) -> bool:
    """Return whether somebody who is known `by` that word may look at a seat's page, as they once might."""
    try:
        table = referee.store.table(id)
    except Refused:
        return False
    if seat >= len(table.chairs) or not _is_locked(table, table.chairs[seat], referee.now()):
        return True
    pin = table.chairs[seat].pin
    return pin is not None and bool(by) and pin.lifted == by


def must_be_lifted(referee: "Referee", id: str, seat: int, viewer_seat: int | None) -> None:
    """Raise Refused(COVERED) if a form is of a seat with a PIN, and its page is not the one shown."""
    table = referee.store.table(id)
    is_other_seat = seat != viewer_seat and 0 <= seat < len(table.chairs)
    if is_other_seat and _is_locked(table, table.chairs[seat], referee.now()):
        raise Refused(SharedDeviceRefusal.COVERED)


def _count_try(turn: Turn, player: str, seat: int, key: str) -> str | None:
    """Count one more try, and return the PIN's hash; None if there is none now.  Raises Refused(REST)."""
    pin = turn.table.seated(player, seat).pin
    if pin is None:
        return None
    if turn.now < pin.rest:
        raise Refused(SharedDeviceRefusal.REST, minutes=max(1, ceil((pin.rest - turn.now) / 60)))
    if key != pin.last:
        pin.wrong, pin.last = pin.wrong + 1, key
    if pin.wrong >= TRIES:
        pin.wrong, pin.last, pin.rest = 0, "", turn.now + REST
    return pin.hash


def _lift_curtain(turn: Turn, player: str, seat: int, pin_hash: str, by: str) -> None:
    pin = turn.table.seated(player, seat).pin
    _lower(turn, player)
    if pin and pin.hash == pin_hash:  # somebody who types it has not forgotten it
        pin.wrong, pin.rest, pin.ends, pin.last, pin.lifted = 0, 0, None, "", by


def _lower(turn: Turn, player: str) -> None:
    for chair in turn.table.chairs_of(player):
        if chair.pin:
            chair.pin.lifted = ""


def _is_locked(table: Table, chair: Chair, now: float) -> bool:
    return table.status in RUNNING and not table.suspended and chair.locked(now)
