"""The sea as one captain sees it: its squares, the ships in sight, the captain's own fleet, and a map."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import product
from math import ceil
from typing import Any, NamedTuple

from strifebarge.rules.board import BoardView, Line, Squares

from .rules import FLEET, Captain, Ship, StrifeBarge, rows, squares

View = BoardView[StrifeBarge, Captain]

WIDE = 15  # squares across: a wider sea may have to be scrolled, and has an overview
QUARTER = 16  # squares across, at most
ROOM = 29  # squares across: in a wider sea no button has words of its own
CUES = {
    "{seat:You} hit {owner:your|’s} {ship:ship} at {square}!": "hit",
    "{seat:You} hit {ship:a ship} at {square}!": "hit",
    "{seat:You} sank {owner:your|’s} {ship} at {square}!": "sunk",
}


class Hull(NamedTuple):
    """A ship in sight, which is drawn from its first square on."""

    kind: str
    length: int
    upright: bool
    sunk: bool
    captain: int


class Mark(NamedTuple):
    """The facts of a square that was fired at or holds a ship in sight."""

    water: bool = False  # fired at, and no ship was there
    struck: bool = False  # fired at, and a ship was there
    sunk: bool = False  # the whole ship
    new: bool = False  # fired at since the viewer's own last shot; or by the latest one
    newest: bool = False  # fired at by the latest move
    by: int | None = None  # who fired, where that was noted
    by_me: bool = False
    ship: str = ""  # its kind; "" where it is not known
    captain: int | None = None  # whose ship it is, where that is known
    mine: bool = False
    hull: Hull | None = None  # drawn from here


@lru_cache(10_000)
def _ship(**facts: Any) -> Mark:
    """Return the mark of a square with a ship in sight: for the same facts the same one, as it was drawn."""
    return Mark(**facts)


@cache
def _shot(hit: bool, by: int | None, by_me: bool, new: bool, newest: bool) -> Mark:
    """Return the mark of a shot where no ship is in sight: many squares share one."""
    return Mark(water=not hit, struck=hit, new=new, newest=newest, by=by, by_me=by_me)


class Quarter(NamedTuple):
    """A part of a wide sea in the overview: its first and last square, and where it lies."""

    first: str
    last: str
    x: int
    y: int
    width: int
    height: int


class Overview(NamedTuple):
    """A small picture of a wide sea: squares by their names."""

    side: int
    ships: list[str]
    struck: list[str]
    missed: list[str]

    def path(self, squares: list[str], short: bool = False) -> str:
        """Return squares as strokes of the drawing."""
        return "".join(map(_strokes(self.side, short).__getitem__, squares))


class Berth(NamedTuple):
    """A ship and how it fares."""

    kind: str
    length: int
    first: str
    last: str
    struck: list[str]  # its squares that were hit
    sunk: bool


class Sea(NamedTuple):
    """The things that `board.html` shows."""

    side: int
    squares: Squares
    marks: dict[str, Mark]  # of squares that were fired at, but for those of ships in sight
    ships: dict[str, Mark]  # of the squares of ships in sight
    letters: list[str]  # of the captains' flags, by seat
    ticked: list[str]  # squares of a salvo that was refused
    firsts: list[str]  # the first squares of quarters, to which the overview leads
    overview: Overview | None  # of a wide sea
    fired: int  # the number of shots
    firing: bool  # the viewer names one square
    typed: str  # the square of a shot that was refused
    aiming: bool  # the viewer ticks the squares of a salvo
    planning: bool  # what the viewer names or ticks is a plan
    planned: list[str]  # squares of the viewer's plan, which is one shot after the other
    shots: int  # of that salvo
    spoken: bool  # each button has words of its own
    since: bool  # what is marked as new came since the viewer's own last shot
    fleet: list[Berth] | None  # the viewer's own


def board(view: View) -> Sea:
    """Return the sea as the viewer knows it."""
    game, salvo = view.game, view.game.options.salvo
    side = game.side
    planning = view.planning and view.picked == "plan" and view.you is not None
    aiming = (view.mine or planning) and salvo
    marks, ships = _marks(view)
    return Sea(
        side=side,
        squares=_squares(side),
        marks=marks,
        ships=ships,
        letters=[place.letter for place in view.places],
        ticked=[at for at in view.filled.get("squares", ()) if at in squares(side)] if aiming else [],
        firsts=[quarter.first for quarter in quarters_of(side)] if side > WIDE else [],
        overview=_overview(game) if side > WIDE else None,
        fired=len(game.fired_by),
        firing=view.mine and not salvo,
        typed="" if salvo else next(iter(view.filled.get("square", ())), ""),
        aiming=aiming,
        planning=planning,
        planned=[at for at in _planned(view) if at in squares(side) and at not in game.shots],
        shots=game.shots_of(view.you) if aiming and view.you else 0,
        spoken=side <= ROOM,
        since=bool(view.news),
        fleet=_fleet(game, view.you) if view.you else None,
    )


# -- squares -----------------------------------------------------------------------


def _planned(view: View) -> list[str]:
    """Return the squares that the shots of the viewer's plan name, one by one."""
    return [words.removeprefix("fire ") for words in view.planned if words.startswith("fire ")]


@cache
def _squares(side: int) -> Squares:
    return Squares(enumerate(rows(side), 1))


def _marks(view: View) -> tuple[dict[str, Mark], dict[str, Mark]]:
    """Return all that is known of squares, by their names: of shots, and of ships in sight."""
    game, new, newest = view.game, latest(view), set(_fired_at(_of_last_move(view)))
    me = view.you.number if view.you else None
    fired_by = game.fired_by
    shots, ships = _all_shots(game, me, new, newest), {}
    for captain, ship in in_sight(game):
        sunk = game.sunk(ship)
        for nth, at in enumerate(ship.squares):
            ships[at] = _ship(
                struck=shots.pop(at, None) is not None,
                sunk=sunk,
                new=at in new,
                newest=at in newest,
                by=(by := fired_by.get(at)),
                by_me=by is not None and by == me,
                ship=ship.kind,
                captain=captain.number,
                mine=captain is view.you,
                hull=None if nth else _hull(captain, ship, sunk),
            )
    return shots, ships


def _all_shots(game: StrifeBarge, me: int | None, new: set[str], newest: set[str]) -> dict[str, Mark]:
    """Return the marks of all shots; most of them are old, and alike."""
    fired_by = game.fired_by

    def mark(hit: bool, by: int | None, new: bool = False, newest: bool = False) -> Mark:
        return _shot(hit, by, by is not None and by == me, new, newest)

    old = {(hit, by): mark(hit, by) for hit in (True, False) for by in (None, *range(len(game.seats)))}
    marks = {at: old[hit, fired_by.get(at)] for at, hit in game.shots.items()}
    for at in (new | newest) & marks.keys():
        marks[at] = mark(game.shots[at], fired_by.get(at), at in new, at in newest)
    return marks


def in_sight(game: StrifeBarge) -> Iterator[tuple[Captain, Ship]]:
    """Yield the ships that the viewer sees, with their captains."""
    for captain in game.seats:
        for ship in _seen(captain):
            yield captain, ship


def _seen(captain: Captain) -> list[Ship]:
    fleet: list[Ship | None] = [*captain.fleet]  # None: out of sight
    return [ship for ship in fleet if ship]


def _hull(captain: Captain, ship: Ship, sunk: bool) -> Hull:
    upright = _row(ship.squares[0]) != _row(ship.squares[-1])
    return Hull(ship.kind, len(ship.squares), upright, sunk, captain.number)


def _row(at: str) -> str:
    return at.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def latest(view: View) -> set[str]:
    """Return the squares fired at since the viewer's own last move; if there are none, in the last move."""
    return set(_fired_at(view.news or _of_last_move(view)))


def _of_last_move(view: View) -> list[Line]:
    return [line for line in view.lines if line.number == view.number]


def _fired_at(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        if square := line.text.get("args", {}).get("square"):
            yield square


# -- the overview ------------------------------------------------------------------


def _overview(game: StrifeBarge) -> Overview:
    return Overview(
        side=game.side,
        ships=[at for _, ship in in_sight(game) for at in ship.squares],
        struck=[at for at, hit in game.shots.items() if hit],
        missed=[at for at, hit in game.shots.items() if not hit],
    )


@cache
def _strokes(side: int, short: bool) -> dict[str, str]:
    """Return a stroke through each square, as long as the square is wide or half of that."""
    inset, length = (".25", ".5") if short else ("", "1")
    return {at: f"M{x}{inset} {y}.5h{length}" for at, (x, y) in squares(side).items()}


@cache
def quarters_of(side: int) -> list[Quarter]:
    """Return the parts of a sea in its overview, row by row: as few as can be, and about as large."""
    sea, width = rows(side), ceil(side / ceil(side / QUARTER))
    return [
        Quarter(
            first=sea[y][x],
            last=sea[min(y + width, side) - 1][min(x + width, side) - 1],
            x=x,
            y=y,
            width=min(width, side - x),
            height=min(width, side - y),
        )
        for y, x in product(range(0, side, width), repeat=2)
    ]


CELLS = {"quarters_of": quarters_of, "rows": rows}  # what cells.html is given


# -- fleets ------------------------------------------------------------------------


def _fleet(game: StrifeBarge, captain: Captain) -> list[Berth]:
    """Return the ships of a captain that the viewer sees."""
    return [_berth(game, ship) for ship in _seen(captain)]


def _berth(game: StrifeBarge, ship: Ship) -> Berth:
    struck = [at for at in ship.squares if at in game.shots]
    first, last = ship.squares[0], ship.squares[-1]
    return Berth(ship.kind, len(ship.squares), first, last, struck, game.sunk(ship))


# -- plates ------------------------------------------------------------------------


class Listed(NamedTuple):
    """A ship on a captain's plate."""

    kind: str
    length: int
    struck: int  # its squares that were hit, as far as the viewer knows
    sunk: bool


class Plate(NamedTuple):
    """The things that a captain's plate tells: what `plate` in `cells.html` is given."""

    ships: list[Listed]
    afloat: int
    hits: int  # by the captain's shots
    sank: int  # ships


def plates(view: View) -> dict[int, Plate]:
    """Return what the viewer knows of each captain's fleet, by seat."""
    return {captain.number: _plate(view, captain) for captain in view.game.seats}


def _plate(view: View, captain: Captain) -> Plate:
    game, seen = view.game, {ship.kind: ship for ship in _seen(captain)}
    kinds = [*seen, *[kind for kind in FLEET if kind not in seen][: len(captain.fleet) - len(seen)]]
    ships = [
        _listed(game, seen[kind]) if kind in seen else Listed(kind, FLEET[kind], 0, False) for kind in kinds
    ]
    ships.sort(key=lambda ship: -ship.length)
    return Plate(ships, sum(not ship.sunk for ship in ships), captain.hits, captain.sank)


def _listed(game: StrifeBarge, ship: Ship) -> Listed:
    struck = len(game.shots.keys() & ship.squares)
    return Listed(ship.kind, len(ship.squares), struck, game.sunk(ship))


# -- in words ----------------------------------------------------------------------


class Fleet(NamedTuple):
    """A captain's ships that the viewer sees, and the number of the others."""

    captain: Captain
    ships: list[Berth]
    unseen: int


class Shot(NamedTuple):
    """A square that was fired at, and what is known of it."""

    at: str
    mark: Mark


class Row(NamedTuple):
    """The shots in a row of the sea, from left to right."""

    number: int
    shots: list[Shot]


class Report(NamedTuple):
    """The things that `text.html` tells."""

    side: int
    own: Fleet | None  # the viewer's
    others: list[Fleet]
    fired: int  # the number of shots
    rows: list[Row]  # those that were fired at
    map: list[str]  # the sea in letters, below the names of its columns


def text(view: View) -> Report:
    """Return the fleets, the shots row by row, and the map."""
    game, (shots, ships) = view.game, _marks(view)
    marks = {**shots, **ships}
    return Report(
        side=game.side,
        own=_in_words(game, view.you) if view.you else None,
        others=[_in_words(game, captain) for captain in game.seats if captain is not view.you],
        fired=len(game.fired_by),
        rows=[*_shots(game, marks)],
        map=_map(game, marks),
    )


def _in_words(game: StrifeBarge, captain: Captain) -> Fleet:
    ships = _fleet(game, captain)
    return Fleet(captain, ships, len(captain.fleet) - len(ships))


def _shots(game: StrifeBarge, marks: dict[str, Mark]) -> Iterator[Row]:
    for number, row in enumerate(rows(game.side), 1):
        if shots := [Shot(at, marks[at]) for at in row if at in game.shots]:
            yield Row(number, shots)


def _map(game: StrifeBarge, marks: dict[str, Mark]) -> list[str]:
    wide = 3 if game.side > 26 else 2
    sea = rows(game.side)
    names = "".join(at[:-1].ljust(wide) for at in sea[0])
    lines = ("".join(_letter(marks.get(at)).ljust(wide) for at in row) for row in sea)
    return [f"   {names}", *(f"{number:2} {line}" for number, line in enumerate(lines, 1))]


def _letter(mark: Mark | None) -> str:
    if mark is None:
        return "."
    return "o" if mark.water else "X" if mark.struck else "S"
