"""StrifeBarge: battleships for any number of captains on one sea."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import isqrt
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from strifebarge.rules import (
    Action,
    Chance,
    Game,
    Hidden,
    Options,
    Pace,
    Ranking,
    Refusal,
    Refused,
    Seat,
    Text,
    count,
    hidden,
)

FLEET = {"carrier": 5, "cruiser": 3, "destroyer": 2}


class Why(Refusal):
    NO_SUCH_SQUARE = "There is no square {square} on this sea."
    ALREADY_SHOT = "{square} has been shot at already."
    OWN_SHIP = "One of your own ships lies at {square}."
    WRONG_SALVO = "A salvo has one shot for each of your ships afloat: name {ships}."
    TWICE = "{square} is named twice in this salvo."


class Fire(Action):
    """Fire a shot at a square."""

    square: str

    label = "Fire at {square}"

    def __post_init__(self) -> None:
        structs.force_setattr(self, "square", self.square.strip().upper())


class Salvo(Action):
    """Fire one shot for each of your ships afloat."""

    squares: list[str]

    label = "Fire at {squares}"

    def __post_init__(self) -> None:
        structs.force_setattr(self, "squares", [square.strip().upper() for square in self.squares])

    @classmethod
    def sample(cls, game: "StrifeBarge", seat: "Captain", chance: Chance) -> "Salvo":
        return cls(chance.sample(game.targets(seat), game.shots_of(seat)))


class HoldFire(Action):
    """Let the turn pass: only an empty chair does."""


class Waters(Options, frozen=True):
    """The sea and the rules of fire."""

    sea: Annotated[
        Literal["close", "open"],
        Meta(
            title="Sea",
            description="Close: five squares of sea to each square of ship. Open: the wide sea of 2012.",
            extra={"labels": {"close": "close", "open": "open"}},
        ),
    ] = "close"
    salvo: Annotated[
        bool, Meta(title="Salvo", description="As many shots a turn as you have ships afloat.")
    ] = False


class Ship(Struct):
    kind: str
    squares: list[str]


class Captain(Seat):
    fleet: Hidden[Ship] = hidden()


class StrifeBarge(Game[Captain]):
    """Every fleet lies hidden on the same sea.  Fire in turn; the last one afloat wins."""

    title = "StrifeBarge"
    players = range(2, 9)
    length = "15 minutes"
    emblem = "destroyer"
    paces = (Pace.turn(180, misses=3),)
    late = "pass"

    options: Waters = Waters()
    shots: dict[str, bool] = {}  # each square shot at: whether a ship was there

    def setup(self) -> None:
        taken: set[str] = set()
        for captain in self.seats:
            for kind, length in FLEET.items():
                free = [berth for berth in berths(self.side, length) if taken.isdisjoint(berth)]
                berth = self.chance.choice(free)
                taken.update(berth)
                captain.fleet.append(Ship(kind, list(berth)))

    # -- the sequence of play --------------------------------------------------

    async def play(self) -> Any:
        """A round: each captain afloat fires once."""
        for captain in self.round():
            await self.turn(captain)
        return self.play if len(self.still_in) > 1 else self.last_afloat()

    async def turn(self, captain: Captain) -> None:
        if self.options.salvo:
            shots = count("{n} shot", "{n} shots", self.shots_of(captain))
            order: Action = await self.ask(captain, "Fire {shots}.", [Salvo], shots=shots)
        else:
            order = await self.ask(captain, "Pick a square to fire at.", shots_at(self.side))
        # fmt: off
        match order:
            case Fire(square): self.fire(captain, [square])
            case Salvo(named): self.fire(captain, named)
            case _: self.log("{seat} holds fire.", seat=captain)
        # fmt: on

    def fire(self, captain: Captain, named: list[str]) -> None:
        """The shots land in the order named; whoever is out by them is out together."""
        for square in named:
            self.land(captain, square)
        lost = [each for each in self.still_in if not self.afloat(each)]
        for each in lost:
            self.log("{seat} is out.", seat=each)
        if lost:
            self.eliminate(*lost)

    def land(self, captain: Captain, square: str) -> None:
        """A shot: water, a hit, or the hit that sinks."""
        struck = [(owner, ship) for owner in self.seats for ship in owner.fleet if square in ship.squares]
        self.shots[square] = bool(struck)
        outcome = Text("hit" if struck else "water")
        self.log("{seat} fires at {square}: {outcome}.", seat=captain, square=square, outcome=outcome)
        for owner, ship in struck:
            if self.sunk(ship):
                self.sink(owner, ship)

    def sink(self, owner: Captain, ship: Ship) -> None:
        owner.fleet.show(ship)
        self.log("{seat} loses a {ship}.", seat=owner, ship=Text(ship.kind))

    def last_afloat(self) -> Ranking:
        return self.ranking(why=Text("The last one afloat."))

    # -- leaving ---------------------------------------------------------------

    def leave(self, captain: Captain) -> None:
        """Scuttle: every ship is sunk and shown."""
        for ship in self.afloat(captain):
            self.shots.update(dict.fromkeys(ship.squares, True))
            self.sink(captain, ship)
        super().leave(captain)

    def absent(self, captain: Captain, offers: list[Action]) -> Action:
        return HoldFire()

    # -- what may be fired at --------------------------------------------------

    def refuse(self, captain: Captain, action: Action) -> Refused | None:
        match action:
            case Fire(square):
                return self.refuse_square(captain, square)
            case Salvo(named):
                if len(named) != self.shots_of(captain):
                    return Why.WRONG_SALVO(ships=self.shots_of(captain))
                twice = (Why.TWICE(square=square) for square in named if named.count(square) > 1)
                wrong = (self.refuse_square(captain, square) for square in named)
                return next(filter(None, wrong), None) or next(twice, None)
        return None

    def refuse_square(self, captain: Captain, square: str) -> Refused | None:
        if square not in squares(self.side):
            return Why.NO_SUCH_SQUARE(square=square[:8])
        if square in self.shots:
            return Why.ALREADY_SHOT(square=square)
        if any(square in ship.squares for ship in captain.fleet):
            return Why.OWN_SHIP(square=square)
        return None

    def targets(self, captain: Captain) -> list[str]:
        closed = self.shots.keys() | {square for ship in captain.fleet for square in ship.squares}
        return [square for square in squares(self.side) if square not in closed]

    def shots_of(self, captain: Captain) -> int:
        """How many shots a salvo has: one for each ship afloat, while there are so many targets."""
        mine = {square for ship in captain.fleet for square in ship.squares}
        targets = self.side**2 - len(mine | self.shots.keys())
        return min(len(self.afloat(captain)), targets)

    # -- the sea ---------------------------------------------------------------

    @property
    def side(self) -> int:
        """How many squares the sea is wide and high."""
        return side(self.options.sea, len(self.seats))

    @property
    def places(self) -> dict[str, tuple[int, int]]:
        """Every square of the sea, with its column and row counted from 0."""
        return squares(self.side)

    @property
    def rows(self) -> list[list[str]]:
        """The squares of the sea, row by row."""
        return rows(self.side)

    def sunk(self, ship: Ship) -> bool:
        return all(square in self.shots for square in ship.squares)

    def afloat(self, captain: Captain) -> list[Ship]:
        return [ship for ship in captain.fleet if not self.sunk(ship)]

    def standing(self, captain: Captain) -> Text:
        """What everyone knows of a fleet: the kinds that are sunk; at the end, all of them."""
        fleet: list[Ship | None] = [*captain.fleet]  # None: out of sight
        return Text("{ships}", {"ships": [self.told_of(ship) for ship in fleet]})

    def told_of(self, ship: Ship | None) -> Text | str:
        if ship and self.sunk(ship):
            return Text(ship.kind)
        if ship and len(self.still_in) < 2:
            return Text("{ship} afloat", {"ship": Text(ship.kind)})
        return "???"


@cache
def side(sea: str, captains: int) -> int:
    """The smallest square with five squares of sea to each of ship; or as wide as in 2012."""
    if sea == "open":
        return 6 + 2 * len(FLEET) * captains
    return isqrt(5 * sum(FLEET.values()) * captains - 1) + 1


@cache
def squares(side: int) -> dict[str, tuple[int, int]]:
    """Every square of a sea, row by row, with its column and row counted from 0."""
    return {name(x, y): (x, y) for y, x in product(range(side), repeat=2)}


@cache
def rows(side: int) -> list[list[str]]:
    """The same squares, a list for each row."""
    return [[name(x, y) for x in range(side)] for y in range(side)]


@cache
def shots_at(side: int) -> tuple[Fire, ...]:
    """A shot at every square of a sea."""
    return tuple(map(Fire, squares(side)))


@cache
def berths(side: int, length: int) -> tuple[tuple[str, ...], ...]:
    """Every way a ship may lie, along a row or down a column."""
    return tuple(_berths(side, length))


def _berths(side: int, length: int) -> Iterator[tuple[str, ...]]:
    for across, along in product(range(side), range(side - length + 1)):
        yield tuple(name(along + step, across) for step in range(length))
        yield tuple(name(across, along + step) for step in range(length))


def name(x: int, y: int) -> str:
    """A1 is the top left; after Z come AA, AB …"""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    column = letters[x] if x < 26 else letters[x // 26 - 1] + letters[x % 26]
    return f"{column}{y + 1}"
