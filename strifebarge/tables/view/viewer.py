"""The viewer of a table: their seat, and what they may do beside moving."""

from collections.abc import Collection

from msgspec import Struct

from strifebarge.tables.clock.absence import AbsenceStep, late_chairs, steps
from strifebarge.tables.clock.presence import TablePresence
from strifebarge.tables.library.library import Title
from strifebarge.tables.model.chair import Chair
from strifebarge.tables.model.status import RUNNING
from strifebarge.tables.model.table import Table
from strifebarge.tables.view.perspective import Perspective, secret


class Viewer(Struct, kw_only=True):
    """The one who looks at a table."""

    seat: int | None  # their own
    eyes: int | None  # whose secrets they may be told; None for a newcomer at a suspended table
    curtain: tuple[int, ...]  # at a shared device: the seats whose players may uncover the page
    secret: bool  # at a shared device: one of its seats may not see what another does
    host: bool
    ready: bool  # they have agreed to the settings
    can_hand_over: bool  # they may give their seat away
    can_delete: bool  # they may delete the table
    may_resign: bool  # they may give the game up, also while others are to move
    steps: dict[int, list[AbsenceStep]]  # what they may do about absent players, by seat
    substitute_for: int | None  # the seat that they may take over now

    @property
    def cache_identity(self) -> int | None:
        """Their eyes, to keep things by: nothing that is shown may depend on it."""
        return self.eyes

    def is_one_of(self, seats: Collection[int]) -> bool:
        """Return whether their eyes are those of one of these seats."""
        return self.eyes is not None and self.eyes in seats


def viewer_of(
    table: Table, title: Title, player: str | None, viewpoint: Perspective, presence: TablePresence
) -> Viewer:
    """Return what a player is at a table, and may do there; None is a stranger."""
    own_chairs = table.chairs_of(player)
    return Viewer(
        seat=viewpoint.seat,
        eyes=viewpoint.eyes,
        curtain=viewpoint.curtain,
        secret=secret(table, title, [each.seat for each in own_chairs]),
        host=player is not None and table.host == player,
        ready=bool(player and own_chairs) and all(each.is_ready(str(player)) for each in own_chairs),
        can_hand_over=viewpoint.seat is not None and table.chairs[viewpoint.seat].player == player,
        can_delete=table.why_not_delete(player) is None,
        may_resign=viewpoint.seat is not None and _may_resign(table, table.chairs[viewpoint.seat]),
        steps=steps(table, player, presence),
        substitute_for=substitute_for(table, player, presence),
    )


def _may_resign(table: Table, chair: Chair) -> bool:
    in_play = table.status in RUNNING and chair in table.in_play()
    return in_play and not (table.suspended or table.analysis)


def substitute_for(table: Table, player: str | None, presence: TablePresence) -> int | None:
    """Return the seat that a player may take over as its substitute, because its own player stays away."""
    if player is None or table.chair_of(player) or table.status not in RUNNING:
        return None
    for chair in late_chairs(table, presence):
        if chair.substitute and chair.substitute.player == player:
            return chair.seat
    return None
