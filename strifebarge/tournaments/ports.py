"""Protocols of what tournaments are kept in; `strifebarge/store/tournaments.py` implements them.

Every method may raise Busy.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from strifebarge.table.player import Player
from strifebarge.table.ports import Receipt
from strifebarge.table.table import Table
from strifebarge.table.turn import Turn

from .models import Outcome, Tournament


class TournamentChange(Protocol):
    """One transaction on one tournament, which is locked until it ends.

    `tournament` may be changed freely.  It is written, with its revision raised by one, when the block ends
    without an exception and `written` is True.
    """

    tournament: Tournament
    written: bool

    def open_table(self, turn: Turn) -> None:
        """Keep a new table with all that its first turn has to write."""

    def save_player(self, player: Player) -> None:
        """Keep a person, new or under a new name.  Raises Refused(GONE)."""

    def count_with_bots(self) -> tuple[int, int]:
        """Count the other tournaments with bots that are not over: those of its organiser, and all."""

    def delete(self) -> None:
        """Delete this tournament and all that is kept of it."""


class TournamentRepository(Protocol):
    """Where tournaments are kept."""

    told: Callable[[str], object] | None  # called with the id of each changed tournament, after the commit

    def tournament(self, id: str) -> Tournament:
        """Return a tournament.  Raises Refused(NO_TOURNAMENT)."""

    def add(self, tournament: Tournament, organiser: Player, receipt: Receipt) -> str:
        """Keep a new tournament, and return its id; or that of the one this form has opened before.

        Raises Refused: KEY_REUSED, GONE.
        """

    def change(
        self, id: str, receipt: Receipt | None = None
    ) -> AbstractContextManager[TournamentChange | None]:
        """Yield the change of a tournament, locked until the end of the block.

        Yields None where the form was accepted before; its receipt is kept with the change.  Raises Refused:
        NO_TOURNAMENT, KEY_REUSED.
        """

    def accepted(self, key: str) -> bool:
        """Return whether a form of this key was accepted."""

    def versions(self, ids: list[str]) -> dict[str, int]:
        """Return the versions of the tournaments among these that there are."""

    def listed(self, most: int) -> list[Tournament]:
        """Return the listed tournaments, those changed last first."""

    def of_player(self, player: str) -> list[Tournament]:
        """Return the tournaments that somebody plays in or organises, those changed last first."""

    def due(self) -> list[str]:
        """Return the ids of the tournaments that are to go on: no game is running."""

    def open_since(self, since: float) -> list[str]:
        """Return the tournaments that have not started, and where nothing has happened since a moment."""


class GameChange(Protocol):
    """The open change of a table, as far as tournaments need it."""

    table: Table

    def end_tournament_game(self, outcome: Outcome, places: list[int]) -> Any:
        """Keep how the game of this table has ended, if it has not ended before."""
