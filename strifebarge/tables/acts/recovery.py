"""Give a guest their seat back who has lost all that this site knew them by; everybody can see it."""

from collections.abc import Callable
from hashlib import sha256

from strifebarge.rules import Refused
from strifebarge.tables.acts.forms import seated_as
from strifebarge.tables.clock.presence import TablePresence
from strifebarge.tables.model.bots import is_bot
from strifebarge.tables.model.chair import Chair, SeatRecovery
from strifebarge.tables.model.names import tidy_code
from strifebarge.tables.model.player import Player
from strifebarge.tables.model.table import Status, Table, TableRefusal
from strifebarge.tables.play.turn import Turn

CODE_LASTS = 86400  # seconds: the code has to reach somebody who is not here
IsGuest = Callable[[str], bool]  # whether a player has neither password nor passkey


def seats_to_give_back(table: Table, player: str, presence: TablePresence, is_guest: IsGuest) -> list[Chair]:
    """Return the seats that the host may give back.  Raises Refused(NOT_HOST, OVER)."""
    _must_be_hosted(table, player)
    return [chair for chair in table.chairs if _why_not(chair, player, presence, is_guest) is None]


def give_back(turn: Turn, seat: int, code: str, is_guest: IsGuest) -> None:
    """Let somebody have a seat by a code, who says it was theirs.

    Raises Refused: NOT_HOST, OVER, NOT_SEATED, THEY_ARE_HERE, THEY_SIGN_IN.
    """
    _must_be_hosted(turn.table, turn.player)
    chair = turn.table.chair(seat)
    if why := _why_not(chair, turn.player, turn.present(), is_guest):
        raise Refused(why)
    chair.returning = SeatRecovery(_hashed(turn.table.id, code), turn.now + CODE_LASTS)
    turn.quiet = True


def _why_not(chair: Chair, host: str, presence: TablePresence, is_guest: IsGuest) -> TableRefusal | None:
    if chair.player is None or chair.left or chair.has(host):
        return TableRefusal.NOT_SEATED
    if is_bot(chair.player) or presence.people_of(chair):
        return TableRefusal.THEY_ARE_HERE
    return None if is_guest(chair.player) else TableRefusal.THEY_SIGN_IN


def sit_again(turn: Turn, person: Player, raw: str) -> None:
    """Give somebody their seat back by the code, once; all can see that it has changed hands.

    Raises Refused: WRONG_SEAT_CODE, SEATED_ELSEWHERE, OVER.
    """
    table = turn.table
    if table.chair_of(person.id):
        raise Refused(TableRefusal.SEATED_ELSEWHERE)
    if table.status is Status.OVER:
        raise Refused(TableRefusal.OVER)
    chair = _chair_of_code(table, raw, turn.now)
    name, pin = chair.name, chair.pin
    chair.give(person.id, name, ready=chair.ready)
    owner = seated_as(person, chair)
    turn.write(lambda change: change.save_player(owner))
    chair.pin, chair.returned = pin, turn.now
    table.pass_host_on(chair.seat)
    table.ask_newcomer_agreement(chair)


def _must_be_hosted(table: Table, player: str) -> None:
    table.must_be_hosted_by(player)
    if table.status is Status.OVER:
        raise Refused(TableRefusal.OVER)


def _chair_of_code(table: Table, raw: str, now: float) -> Chair:
    """Find the chair that a code is for.  Raises Refused(WRONG_SEAT_CODE)."""
    try:
        code_hash = _hashed(table.id, tidy_code(raw))
    except Refused as no:
        raise Refused(TableRefusal.WRONG_SEAT_CODE) from no
    for chair in table.chairs:
        if chair.returning and chair.returning.hash == code_hash and now < chair.returning.until:
            return chair
    raise Refused(TableRefusal.WRONG_SEAT_CODE)


def _hashed(id: str, code: str) -> str:
    return sha256(f"seat code {id} {code}".encode()).hexdigest()
