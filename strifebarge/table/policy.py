"""What a table does about those who stay away: agreed before the game, and no table hangs for ever.  Pure.

Whoever keeps the others waiting longer than the table's patience may be dealt with by them, step by step, as
its remedy says.  Where a clock runs it alone decides; patience is for the rest.  Where nobody is left to do
that, the game ends without a result after half a year.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

from strifebarge.rules import Text
from strifebarge.rules.pace import DAY

from .presence import LIVE_PATIENCE, Here

if TYPE_CHECKING:
    from .chairs import Chair
    from .table import Table

PATIENCE = [DAY, 3 * DAY, 7 * DAY, 30 * DAY]  # seconds, as a table may choose
USUAL_PATIENCE = 7 * DAY
SKIPS = 2  # in a row, before a seat may be taken out of the game
CLOSED_AFTER = 180 * DAY  # seconds in which nothing has happened at a running game


class Remedy(StrEnum):
    """What the others may do about somebody who stays away."""

    SKIP = "skip"  # the game plays for them; after two times in a row they may be taken out of the game
    REPLACE = "replace"  # their seat is free for somebody else; if nobody comes, it may be taken out
    END = "end"  # the game ends without a result
    LOSE = "lose"  # they have left for good, which the game's rules judge


class Step(StrEnum):
    """What the others may do at this moment about one seat."""

    SKIP = "skip"
    GO_ON = "go_on"  # with a game put aside, without waiting for its agreement
    FREE = "free"
    END = "end"
    OUT = "out"  # it counts as having left for good


# Why a game has ended without a result, where nobody agreed to it.
MISSED = Text("Ended without a result: somebody stayed away.").sentence
FORSAKEN = Text("Ended without a result: everybody had gone.").sentence
SILENT = Text("Ended without a result: nothing has happened for half a year.").sentence

STEPS = {Remedy.SKIP: SKIPS + 2, Remedy.REPLACE: 2, Remedy.END: 1, Remedy.LOSE: 1}
"""How many steps it takes at most until nobody waits for a seat any more."""


def usual_remedy(seats: int) -> Remedy:
    """Of two the other has won; of more, the others go on."""
    return Remedy.LOSE if seats == 2 else Remedy.SKIP


def bound(remedy: Remedy, patience: int, seats: int = 1) -> int:
    """Seconds that so many who never come back can keep the others waiting, at most."""
    return STEPS[remedy] * patience * seats


def late(table: "Table", here: Here) -> "list[Chair]":
    """The seats that have kept the others waiting for longer than was agreed."""
    return [chair for chair in table.chairs if is_late(table, chair, here)]


def is_late(table: "Table", chair: "Chair", here: Here) -> bool:
    since = table.waits_since(chair)
    if since is None or table.ticking:
        return False
    if table.live:
        gone = max((here.seen(player) for player, _ in chair.people), default=since)
        since = max(since, gone)
        return here.now - since >= LIVE_PATIENCE and not here.any_of(chair)
    return here.now - since >= table.patience


def step_for(table: "Table", chair: "Chair") -> Step:
    """What may be done about a seat that is late."""
    if table.trouble:
        return Step.END  # nothing else can be done while the rules lead elsewhere
    match table.remedy:
        case Remedy.END:
            return Step.END
        case Remedy.REPLACE if chair.player:
            return Step.FREE
        case Remedy.SKIP if table.put_aside and chair.skipped < SKIPS:
            return Step.GO_ON
        case Remedy.SKIP if chair.skipped < SKIPS:
            return Step.SKIP
    return Step.OUT


def steps(table: "Table", player: str | None, here: Here) -> dict[int, Step]:
    """What this player may do, by seat, about those who are late."""
    own = table.chairs_of(player)
    if all(chair.left for chair in own):
        return {}
    return {chair.seat: step_for(table, chair) for chair in late(table, here) if chair not in own}
