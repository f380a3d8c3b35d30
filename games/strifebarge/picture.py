"""The picture of a sea."""

from typing import NamedTuple

from .rules import StrifeBarge


class Wreck(NamedTuple):
    """A ship that was sunk: its drawing, where it begins, and how many squares it takes."""

    drawing: str
    x: int
    y: int
    width: int
    height: int


class Chart(NamedTuple):
    """The squares that were fired at, by column and row, and the ships that lie on the ground."""

    side: int
    wrecks: list[Wreck]
    water: list[tuple[int, int]]
    hits: list[tuple[int, int]]


def picture(game: StrifeBarge) -> Chart:
    """Return what everybody knows of the sea."""
    fleets = [ship for captain in game.seats for ship in captain.fleet.visible if game.sunk(ship)]
    wrecks = []
    for ship in fleets:
        x, y = min(game.places[at] for at in ship.squares)
        upright, length = len({game.places[at][0] for at in ship.squares}) == 1, len(ship.squares)
        size = (1, length) if upright else (length, 1)
        wrecks.append(Wreck(ship.kind + ("-v" if upright else ""), x, y, *size))
    return Chart(
        side=game.side,
        wrecks=wrecks,
        water=[game.places[at] for at, struck in game.shots.items() if not struck],
        hits=[game.places[at] for at, struck in game.shots.items() if struck],
    )
