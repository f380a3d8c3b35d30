"""The picture of the delta: its areas and links, and whose blocks lie where."""

from typing import NamedTuple

from .board import SPOTS, waters
from .delta import Kind
from .rules import Mirrow

WIDTHS = {Kind.CHANNEL: 3.0, Kind.CUT: 0.8, Kind.SLUICE: 1.8}
BLOCK = 6  # the width of a block
SHOWN = 3  # blocks of a side in an area


class Stroke(NamedTuple):
    """A link as it runs over the chart."""

    d: str
    width: float


class Spot(NamedTuple):
    """An area, and the blocks in it."""

    x: int
    y: int
    valued: bool


class Lying(NamedTuple):
    """A block, face down."""

    x: int
    y: int
    side: int


class Delta(NamedTuple):
    """All that is drawn."""

    ways: list[Stroke]
    places: list[Spot]
    blocks: list[Lying]


def picture(game: Mirrow) -> Delta:
    """Return the delta with the blocks of both sides."""
    ways = [Stroke(water.path, WIDTHS[Kind(water.kind)]) for water in waters()]
    places = [Spot(*spot, area.worth > 0) for area, spot in SPOTS.items()]
    blocks = []
    for area, (x, y) in SPOTS.items():
        sides = [side.number for side in game.seats for _ in side.at(area)[:SHOWN]]
        left = x - BLOCK * len(sides) // 2
        blocks += [Lying(left + BLOCK * nth, y - 3, side) for nth, side in enumerate(sides)]
    return Delta(ways, places, blocks)
