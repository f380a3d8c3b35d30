"""A guest who has lost all that this site knew them by is given their seat back, and everybody can see it."""

from hashlib import sha256

from strifebarge.rules import Refused

from ..chairs import Returning
from ..names import code_of, tidy_code
from ..ports import Player
from ..table import Chair, No, Status, Table
from .attending import Attending
from .desk import Act, Slip

LASTS = 86400  # seconds: the code has to reach somebody who is not here


class GivingBack(Attending):
    """What the host can do for somebody who comes from a browser that nobody knows."""

    def may_return(self, player: str, id: str) -> list[Chair]:
        """The seats that the host may give back.  Raises Refused(NOT_HOST, OVER)."""
        table = self.store.table(id)
        _must_be_hosted(table, player)
        here = self.here(self.store, table)
        return [chair for chair in table.chairs if self._why_not(chair, player, here.any_of(chair)) is None]

    def give_back(self, player: str, id: str, seat: int, slip: Slip) -> str | None:
        """A code by which somebody may have this seat, who says it was theirs; None: it was made before.

        Raises Refused: NOT_HOST, OVER, NOT_SEATED, THEY_ARE_HERE, THEY_SIGN_IN.
        """
        with self._acting(player, id, "give_back", slip) as act:
            if act.done:
                return None
            _must_be_hosted(act.table, player)
            chair = act.table.chair(seat)
            here = self.here(act.change, act.table)
            if why := self._why_not(chair, player, here.any_of(chair)):
                raise Refused(why)
            code = code_of(self.entropy(5))
            chair.returning = Returning(_hashed(id, code), self.now() + LASTS)
            act.quiet = True
            return code

    def _why_not(self, chair: Chair, host: str, here: bool) -> No | None:
        if chair.player is None or chair.left or chair.has(host):
            return No.NOT_SEATED
        if here:
            return No.THEY_ARE_HERE
        return None if self.is_guest(chair.player) else No.THEY_SIGN_IN

    def sit_again(self, player: Player, id: str, raw: str, slip: Slip) -> None:
        """Have one's seat back by the code, once.  Whoever had it has it no longer, and all can see that.

        Raises Refused: WRONG_SEAT_CODE, SEATED_ELSEWHERE, OVER.
        """
        with self._acting(player.id, id, "sit_again", slip) as act:
            if act.done:
                return
            if act.table.chair_of(player.id):
                raise Refused(No.SEATED_ELSEWHERE)
            if act.table.status is Status.OVER:
                raise Refused(No.OVER)
            _give(act, _chair_of_code(act.table, raw, self.now()), player, self.now())


def _give(act: Act, chair: Chair, player: Player, now: float) -> None:
    name, pin = chair.name, chair.pin
    act.change.save_player(player)
    chair.give(player.id, name, ready=chair.ready)
    chair.pin, chair.returned = pin, now
    act.table.pass_host_on(chair.seat)
    act.table.somebody_came(chair)


def _must_be_hosted(table: Table, player: str) -> None:
    table.must_be_hosted_by(player)
    if table.status is Status.OVER:
        raise Refused(No.OVER)


def _chair_of_code(table: Table, raw: str, now: float) -> Chair:
    """Raises Refused(WRONG_SEAT_CODE)."""
    try:
        wanted = _hashed(table.id, tidy_code(raw))
    except Refused as no:
        raise Refused(No.WRONG_SEAT_CODE) from no
    for chair in table.chairs:
        if chair.returning and chair.returning.hash == wanted and now < chair.returning.until:
            return chair
    raise Refused(No.WRONG_SEAT_CODE)


def _hashed(id: str, code: str) -> str:
    return sha256(f"seat code {id} {code}".encode()).hexdigest()
