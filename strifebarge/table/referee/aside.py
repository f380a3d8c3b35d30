"""A running game is put aside, and gone on with or ended when all agree."""

from .desk import Slip
from .matches import Matches


class PuttingAside(Matches):
    """Suspending a game; agreeing is done as before the game, by `ready`."""

    def suspend(self, player: str, id: str, slip: Slip) -> None:
        """Put a running game aside, until all who play are ready to go on."""
        with self._acting(player, id, "suspend", slip) as act:
            if not act.done:
                act.table.suspend(player, self.now())

    def propose_end(self, player: str, id: str, end: bool, slip: Slip) -> None:
        """Propose to end a suspended game without a result; it ends when all who are there are ready."""
        with self._acting(player, id, "propose_end", slip) as act:
            if not act.done:
                act.table.propose_end(player, end)
