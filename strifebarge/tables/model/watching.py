"""A running game as spectators know it, where they may not see all at once.  Pure.

Somebody without a seat at a table, or who has left its game for good, watches.  A table may let them see it
some moves later than its players, or not before it is over.  All they are shown, and all that their pages
ask, is then made of a `SpectatorTable` table and of nothing else, so that nothing newer can be in it.
"""

from hashlib import sha256

from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.clock import Clock
from strifebarge.tables.model.parts import Position, Series, TableSettings, Times
from strifebarge.tables.model.status import EVERYBODY, NOBODY, RUNNING, Status
from strifebarge.tables.model.table import Table

# Of the table itself they are told how it was set up; what is not named here, they are not told.
PUBLIC_FIELDS = ("id", "game", "seed", "rules_version", "chat_closed", "imported")
PUBLIC_SETTINGS = (
    *("options", "set_by", "begins", "seating", "watching", "patience", "remedy"),
    *("afterwards", "language", "shared", "listed"),
)


class SpectatorTable(Table, kw_only=True):
    """A running table as those know it who watch: with no move after `number`, or nothing of its game."""

    @property
    def excluded(self) -> bool:
        """True if they see nothing at all."""
        return self.settings.watching == NOBODY

    @property
    def delay(self) -> int:
        """The moves by which they see it later."""
        return max(0, self.settings.watching)

    @property
    def news(self) -> str:
        # Its own kind, or else it might be taken for the version of a table that nobody need watch.
        seats = [(chair.called, chair.player is None) for chair in self.chairs]
        return f"w{self.position.number}.{sha256(repr(seats).encode()).hexdigest()[:8]}"

    @property
    def shows_presence(self) -> bool:
        return False

    def plays(self, player: str | None) -> bool:
        return False


def visible_table(player: str | None, table: Table) -> Table:
    """Return what somebody may be told of a table: all there is, or as much as spectators may know."""
    if (
        isinstance(table, SpectatorTable)
        or table.settings.watching == EVERYBODY
        or table.status not in RUNNING
    ):
        return table
    return table if table.plays(player) else _watched(table)


def _watched(table: Table) -> SpectatorTable:
    """Return a table as spectators know it: its people as they are now, its game as it stood some moves ago.

    Moves count by their public numbers.  No clock runs in the past, so of that there is but how it was wound.
    """
    visible_number = (
        0 if table.settings.watching == NOBODY else max(0, table.position.number - table.settings.watching)
    )
    return SpectatorTable(
        **{name: getattr(table, name) for name in PUBLIC_FIELDS},
        chairs=[_as_told(chair) for chair in table.chairs],
        settings=TableSettings(**{name: getattr(table.settings, name) for name in PUBLIC_SETTINGS}),
        status=Status.PLAYING,
        clock=Clock.of(table.clock.pace, len(table.chairs)) if table.clock else None,
        position=Position(number=visible_number),
        version=visible_number,
        series=Series(parent=table.series.parent, first=table.series.first),
        times=Times(
            created=table.times.created,
            started=table.times.started,
            changed=table.times.started or table.times.created,
        ),
    )


def _as_told(chair: Chair) -> Chair:
    """Return a chair as spectators know it: its people, and not whether they have left the game."""
    return Chair(chair.seat, chair.player, chair.name, gone=chair.gone, coplayers=chair.coplayers)
