"""The perspective of a page at a shared device: that of one seat, or covered by a curtain."""

from typing import NamedTuple

from strifebarge.rules.match import Match
from strifebarge.rules.pace import DAY
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.table import Chair, Status, Table

TRIES = 5  # wrong PINs in a row, after which nobody may try for a while
REST = 600  # seconds
FORGOTTEN = DAY  # from when somebody says that a PIN is forgotten until it is asked for no more


class Perspective(NamedTuple):
    """As which seat a page is shown, whose secrets it may hold, and who may lift the curtain that is down."""

    seat: int | None
    eyes: int | None
    curtain: tuple[int, ...] = ()


def perspective(
    table: Table, title: Title, player: str | None, viewer_seat: int | None = None
) -> Perspective:
    """Return what a player may see of a table; `viewer_seat` is the seat whose player has lifted the curtain.

    Who has one seat needs no curtain.  Nor do several in a game without secrets: there it is the page of the
    one of them who is to move.
    """
    own_chairs = table.chairs_of(player)
    if len(own_chairs) < 2:
        chair = own_chairs[0] if own_chairs else None
        return Perspective(
            chair.seat if chair else None, chair.seat if chair and table.may_look(chair, player) else None
        )
    seats = [chair.seat for chair in own_chairs]
    chosen = viewer_seat if viewer_seat in seats else seats[0]
    if table.status in (Status.OPEN, Status.OVER):
        return Perspective(chosen, chosen)
    if table.status is Status.SUSPENDED:  # nobody moves, so nobody needs to see
        return Perspective(chosen, None)
    due = [seat for seat in seats if seat in table.position.waiting]
    if not secret(table, title, seats):
        seat = due[0] if due else chosen
        return Perspective(seat, seat)
    if viewer_seat in seats and (viewer_seat in due or not due):
        return Perspective(viewer_seat, viewer_seat)
    return Perspective(
        None, None, tuple(due) or tuple(chair.seat for chair in own_chairs if _plays(table, chair))
    )


def secret(table: Table, title: Title, seats: list[int]) -> bool:
    """Return whether one of these may not see what another does: hidden things, or the same question."""
    if table.analysis:
        return False
    answering = {*table.position.waiting, *table.position.pending} & set(seats)
    return title.has_secrets or len(answering) > 1


def lower_curtains(table: Table) -> None:
    """Lower the curtains of seats whose device is to be passed on: their PIN is asked for anew."""
    for chair in table.chairs:
        due = [each for each in table.chairs_of(chair.player) if each.seat in table.position.waiting]
        if chair.pin and due and chair not in due:
            chair.pin.lifted = ""


def seat_that_can_undo(table: Table, player: str | None, match: Match) -> int | None:
    """Return the seat whose move a shared device may undo, although its next seat is asked already.

    Where a clock runs or somebody elsewhere is asked, what was done is done.
    """
    own_seats = {chair.seat for chair in table.chairs_of(player) if not chair.left}
    prompted = {*match.waiting_for()}
    if len(own_seats) < 2 or table.clock or not prompted <= own_seats or not match.moves:
        return None
    last = match.moves[-1].seat
    return last if last in own_seats - prompted and match.can_undo_across_turns(last) else None


def _plays(table: Table, chair: Chair) -> bool:
    return not chair.left and chair.seat not in table.position.out
