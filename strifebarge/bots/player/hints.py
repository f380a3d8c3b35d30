"""Hints: what a medium bot would play in a person's own seat, from what that seat sees."""

from collections.abc import Sequence
from pathlib import Path

from strifebarge.bots.player.mover import SECONDS, Mover
from strifebarge.bots.player.task import BotTask, SightingData
from strifebarge.bots.player.thinker import Thinker, ThinkingFailed
from strifebarge.lib.costly import COSTLY
from strifebarge.rules import Refused
from strifebarge.tables.library.budget import OutsideBudget
from strifebarge.tables.model.bots import WaitingQuestion
from strifebarge.tables.model.table import TableRefusal
from strifebarge.tables.play.referee import Referee

LEVEL = "medium"
HANGS = 30.0  # seconds beside those of thinking, after which nobody waits any longer for a hint


class Hints:
    """Hints of one process: a thinking process is started for each, one at a time, and ended after it."""

    def __init__(self, referee: Referee, folders: Sequence[Path] = (), thinker: Thinker | None = None):
        self.mover = Mover(referee)
        self.thinker = thinker or Thinker(folders, HANGS)

    def hint(self, table: str, seat: int, player: str, address: str) -> str:
        """Return what a medium bot would play for a player in a seat, in words; nothing is written.

        It follows from what the seat sees and from what everybody may know.  `address` is where the request
        came from.  Raises Refused(NO_HINT); Busy, Diverged, GameFault where the table cannot be played at
        now.
        """
        turn = self.mover.turn(WaitingQuestion(table, seat, player, 0))
        if turn is None:
            raise Refused(TableRefusal.NO_HINT)
        task = BotTask(SightingData.of(turn.sighting), LEVEL, f"a hint for {table} {seat}", SECONDS[LEVEL])
        with OutsideBudget(), COSTLY.place(address):
            try:
                return self.thinker.think(task).move
            except ThinkingFailed:
                raise Refused(TableRefusal.NO_HINT) from None
            finally:
                self.thinker.end()
