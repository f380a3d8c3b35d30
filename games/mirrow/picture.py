"""The picture of the delta: its areas and links, and whose blocks lie where."""

from typing import NamedTuple

from .delta import AREAS, LINKS, Kind
from .rules import Mirrow

# Where the areas lie, in their order, counted from the top left of a square of 100.
SPOTS = (
    *((50, 9), (50, 26), (16, 16), (82, 20), (91, 38), (24, 41), (50, 50), (76, 59)),
    *((9, 62), (18, 80), (84, 84), (50, 74), (50, 91)),
)
WIDTHS = {Kind.CHANNEL: 3.0, Kind.CUT: 0.8, Kind.SLUICE: 1.8}
BLOCK = 6  # the width of a block
SHOWN = 3  # blocks of a side in an area


class Stroke(NamedTuple):
    """A link, from one point to another."""

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
    ways = [
        Stroke(f"M{a[0]} {a[1]}L{b[0]} {b[1]}", WIDTHS[link.kind])
        for link in LINKS.values()
        for a, b in [(SPOTS[link.a.id], SPOTS[link.b.id])]
    ]
    places = [Spot(*spot, area.worth > 0) for area, spot in zip(AREAS, SPOTS, strict=True)]
    blocks = []
    for area, (x, y) in zip(AREAS, SPOTS, strict=True):
        sides = [side.number for side in game.seats for _ in side.at(area)[:SHOWN]]
        left = x - BLOCK * len(sides) // 2
        blocks += [Lying(left + BLOCK * nth, y - 3, side) for nth, side in enumerate(sides)]
    return Delta(ways, places, blocks)
