"""A running game as it is told to those who only watch, where they may not see all at once.  Pure.

Whoever has no seat at a table, or has left its game for good, watches.  A table may let them see it some
moves later than those who play, or not before it is over.  All they are shown, and all that their pages ask,
is then made of a `Watched` table and of nothing else, so that nothing newer can be in it.
"""

from hashlib import sha256

from .chairs import Chair
from .clock import Clock
from .status import EVERYBODY, NOBODY, RUNNING, Status
from .table import Table

# Of the table itself they are told how it was set up; what is not named here, they are not told.
TOLD = (
    *("id", "game", "options", "set_by", "seed", "rules_version", "begins", "seating", "patience", "remedy"),
    *("watching", "parent", "series", "afterwards", "shared", "listed", "language", "hushed", "imported"),
    *("created", "started"),
)


class Watched(Table, kw_only=True):
    """A running table as those know it who watch: with no move after `number`, or nothing of its game."""

    @property
    def veiled(self) -> bool:
        """Whether they see nothing at all."""
        return self.watching == NOBODY

    @property
    def behind(self) -> int:
        """So many moves later they see it."""
        return max(0, self.watching)

    @property
    def news(self) -> str:
        # Its own kind, or else it might be taken for the version of a table that nobody need watch.
        seats = [(chair.called, chair.player is None) for chair in self.chairs]
        return f"w{self.number}.{sha256(repr(seats).encode()).hexdigest()[:8]}"

    def plays(self, player: str | None) -> bool:
        return False


def told_to(player: str | None, table: Table) -> Table:
    """What somebody may be told of a table: all there is, or as much as it lets those know who watch."""
    if isinstance(table, Watched) or table.watching == EVERYBODY or table.status not in RUNNING:
        return table
    return table if table.plays(player) else _watched(table)


def _watched(table: Table) -> Watched:
    """Who sits there is as it is now, for a free seat may be taken; the game is as it stood some moves ago.

    Moves count by their public numbers.  No clock runs in the past, so of that there is but how it was wound.
    """
    shown = 0 if table.watching == NOBODY else max(0, table.number - table.watching)
    return Watched(
        **{name: getattr(table, name) for name in TOLD},
        chairs=[_as_told(chair) for chair in table.chairs],
        status=Status.PLAYING,
        clock=Clock.of(table.clock.pace, len(table.chairs)) if table.clock else None,
        number=shown,
        version=shown,
        changed=table.started or table.created,
    )


def _as_told(chair: Chair) -> Chair:
    """Who has a seat, and what they are called; whether they have left the game is of the game."""
    return Chair(chair.seat, chair.player, chair.name, gone=chair.gone, beside=chair.beside)
