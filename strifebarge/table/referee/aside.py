"""A running game is put aside, and gone on with or ended when all agree."""

from strifebarge.rules import Refused

from .. import aside
from ..table import No
from .desk import Slip
from .matches import Matches


class PuttingAside(Matches):
    """Suspending a game; agreeing is done as before the game, by `ready`."""

    def suspend(self, player: str, id: str, slip: Slip) -> None:
        """Put a running game aside, until all who play are ready to go on."""
        with self._acting(player, id, "suspend", slip) as act:
            if not act.done:
                aside.suspend(act.table, player, self.now(), slip.seat)

    def propose_end(self, player: str, id: str, end: bool, slip: Slip) -> None:
        """Propose to end a suspended game without a result; it ends when all who are there are ready."""
        with self._acting(player, id, "propose_end", slip) as act:
            if not act.done:
                self._notice_trouble(act)
                aside.propose_end(act.table, player, end, slip.seat)

    def propose_back(self, player: str, id: str, back: bool, slip: Slip) -> None:
        """Propose to go back to the start of a stage, where the rules have changed and lead elsewhere now.

        The game goes on from there when all who play are ready.  Raises Refused: NOTHING_TO_MEND,
        NO_WAY_BACK, NOT_SUSPENDED.
        """
        with self._acting(player, id, "propose_back", slip) as act:
            if act.done:
                return
            act.table.seated(player, slip.seat)
            self._notice_trouble(act)
            act.table.must_be_suspended()
            if back and self._agrees(act.change, act.table):
                raise Refused(No.NOTHING_TO_MEND)
            if back and self._agreeing(act.change, act.table) is None:
                raise Refused(No.NO_WAY_BACK)
            aside.propose_back(act.table, player, back, slip.seat)
