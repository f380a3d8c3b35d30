"""StrifeBarge: battleships for any number of captains on one sea."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from math import isqrt
from typing import Annotated, Literal, Self

from msgspec import Meta, Struct, structs

from strifebarge.rules import (
    Action,
    Chance,
    Game,
    Hidden,
    Next,
    No,
    Note,
    NothingFits,
    Options,
    Pace,
    Ranking,
    Refusal,
    Refused,
    Seat,
    SeatNumber,
    Secret,
    Text,
    count,
    hidden,
)

FLEET = {"carrier": 5, "cruiser": 3, "destroyer": 2}
ATTEMPTS = 50  # to imagine where the fleets lie


class Why(Refusal):
    NO_SUCH_SQUARE = "This sea has no square {square}. It goes from A1 to {last}."
    ALREADY_SHOT = "{square} was already fired at. Choose another square."
    OWN_SHIP = "Your own ship is at {square}. Fire elsewhere."
    WRONG_SALVO = "You chose {chosen}. You have {shots}, one for each ship afloat."
    TWICE = "{square} is in this salvo twice. Choose another square."


class Fire(Action):
    """Fire a shot at a square."""

    square: str

    label = "Fire at {square}"

    def __post_init__(self) -> None:
        structs.force_setattr(self, "square", self.square.strip().upper())


class Salvo(Action):
    "Fire one shot for each of your ships."

    squares: list[str]

    label = "Fire at {squares}"

    def __post_init__(self) -> None:
        structs.force_setattr(self, "squares", [square.strip().upper() for square in self.squares])

    @classmethod
    def sample(cls, game: "StrifeBarge", seat: "Captain", chance: Chance) -> "Salvo":
        return cls(chance.sample(game.targets(seat), game.shots_of(seat)))


class HoldFire(Action):
    "Pass (empty seats only)."


class Waters(Options, frozen=True):
    """The sea and the rules of fire."""

    sea: Annotated[
        Literal["close", "open"],
        Meta(
            title="Sea",
            description="Small: five squares of sea per square of ship. Large: the wide sea of 2012.",
            extra={"labels": {"close": "small", "open": "large"}},
        ),
    ] = "close"
    salvo: Annotated[
        bool, Meta(title="Salvo", description="One shot per ship afloat each turn.")
    ] = False


class Ship(Struct):
    kind: str
    squares: list[str]


Fleet = dict[str, Ship]  # by kind


class Captain(Seat):
    fleet: Hidden[Ship] = hidden()
    hits: Note[int] = 0  # squares of ships that its shots have hit
    sank: Note[int] = 0  # ships


class StrifeBarge(Game[Captain]):
    """Every fleet lies hidden on the same sea.  Fire in turn; the last one afloat wins."""

    title = "StrifeBarge"
    players = range(2, 9)
    length = "15 minutes"
    emblem = "destroyer"
    paces = (Pace.turn(180, misses=3),)
    late = "pass"
    plans = "moves"

    options: Waters = Waters()
    shots: dict[str, bool] = {}  # each square shot at: whether a ship was there
    fired_by: Note[dict[str, SeatNumber]] = {}  # who fired each shot; nobody at a ship that was scuttled

    def setup(self) -> None:
        taken: set[str] = set()
        for captain in self.seats:
            for kind, length in FLEET.items():
                free = [berth for berth in berths(self.side, length) if taken.isdisjoint(berth)]
                berth = self.chance.choice(free)
                taken.update(berth)
                captain.fleet.append(Ship(kind, list(berth)))

    # -- the sequence of play --------------------------------------------------

    async def play(self) -> Next:
        """Play a round: each captain afloat fires once."""
        for captain in self.round():
            await self.turn(captain)
        return self.play if len(self.still_in) > 1 else self.last_afloat()

    async def turn(self, captain: Captain) -> None:
        if self.options.salvo:
            shots = shots_in_words(self.shots_of(captain))
            order: Action = await self.ask(captain, "Fire {shots}.", [Salvo], shots=shots)
        else:
            order = await self.ask(captain, "Choose a square to fire at.", shots_at(self.side))
        # fmt: off
        match order:
            case Fire(square): self.fire(captain, [square])
            case Salvo(named): self.fire(captain, named)
            case _: self.log("{seat:You} held fire.", seat=captain)
        # fmt: on

    def fire(self, captain: Captain, named: list[str]) -> None:
        """Land shots in the order named; captains who are out by them are out together."""
        for square in named:
            self.land(captain, square)
        lost = [each for each in self.still_in if not self.afloat(each)]
        for each in lost:
            self.log("{seat:You are| is} out.", seat=each)
        if lost:
            self.eliminate(*lost)

    def land(self, captain: Captain, square: str) -> None:
        """Land a shot: water, a hit, or the hit that sinks."""
        struck = [(owner, ship) for owner in self.seats for ship in owner.fleet if square in ship.squares]
        self.shots[square] = bool(struck)
        self.fired_by[square] = captain.number
        captain.hits += bool(struck)
        if not struck:
            self.log("{seat:You} missed at {square}.", seat=captain, square=square)
        for owner, ship in struck:
            if self.sunk(ship):
                owner.fleet.show(ship)
                captain.sank += 1
                self.log(
                    "{seat:You} sank {owner:your|’s} {ship} at {square}!",
                    seat=captain,
                    owner=owner,
                    ship=Text(ship.kind),
                    square=square,
                )
            else:
                self.log_hit(captain, owner, ship, square)

    def log_hit(self, captain: Captain, owner: Captain, ship: Ship, square: str) -> None:
        """Tell of a hit: its owner reads which ship it is, others whose it is where two are left."""
        kind = Text(ship.kind)
        if len(self.still_in) == 2:
            self.log(
                "{seat:You} hit {owner:your|’s} {ship:ship} at {square}!",
                seat=captain,
                owner=owner,
                ship=Secret(kind, owner),
                square=square,
            )
        else:
            theirs = Secret(Text("{owner:your|’s} {ship}", {"owner": owner, "ship": kind}), owner)
            self.log("{seat:You} hit {ship:a ship} at {square}!", seat=captain, ship=theirs, square=square)

    def last_afloat(self) -> Ranking:
        return self.ranking(why=Text("The last one afloat."))

    # -- leaving ---------------------------------------------------------------

    def leave(self, captain: Captain) -> None:
        "Your ships are sunk and shown."
        for ship in self.afloat(captain):
            self.shots.update(dict.fromkeys(ship.squares, True))
            captain.fleet.show(ship)
            self.log("{seat:You} lost a {ship}.", seat=captain, ship=Text(ship.kind))
        super().leave(captain)

    def absent(self, captain: Captain, offers: list[Action]) -> Action:
        return HoldFire()

    # -- what may be fired at --------------------------------------------------

    def refuse(self, captain: Captain, action: Action) -> No:
        match action:
            case Fire(square):
                return self.refuse_square(captain, square)
            case Salvo(named):
                if len(named) != (shots := self.shots_of(captain)):
                    chosen = count("{n} square", "{n} squares", len(named))
                    return Why.WRONG_SALVO(chosen=chosen, shots=shots_in_words(shots))
                twice = (Why.TWICE(square=square) for square in named if named.count(square) > 1)
                wrong = (self.refuse_square(captain, square) for square in named)
                return next(filter(None, wrong), None) or next(twice, None)
        return None

    def refuse_plan(self, captain: Captain, action: Action) -> No:
        match action:
            case Salvo():
                return self.refuse(captain, action)
            case Fire(square):
                return self.refuse_name(square)
        return None

    def refuse_square(self, captain: Captain, square: str) -> Refused | None:
        if unknown := self.refuse_name(square):
            return unknown
        if square in self.shots:
            return Why.ALREADY_SHOT(square=square)
        if any(square in ship.squares for ship in captain.fleet):
            return Why.OWN_SHIP(square=square)
        return None

    def refuse_name(self, square: str) -> Refused | None:
        if square in squares(self.side):
            return None
        return Why.NO_SUCH_SQUARE(square=square[:8], last=name(self.side - 1, self.side - 1))

    def targets(self, captain: Captain) -> list[str]:
        closed = self.shots.keys() | {square for ship in captain.fleet for square in ship.squares}
        return [square for square in squares(self.side) if square not in closed]

    def shots_of(self, captain: Captain) -> int:
        """Return how many shots a salvo has: one for each ship afloat, but no more than there are targets."""
        mine = {square for ship in captain.fleet for square in ship.squares}
        targets = self.side**2 - len(mine | self.shots.keys())
        return min(len(self.afloat(captain)), targets)

    # -- what helps bots -------------------------------------------------------

    def worth(self, captain: Captain) -> float:
        """Return how much of the other fleets is hit, against how much of your own."""
        hit = [sum(sq in self.shots for ship in each.fleet for sq in ship.squares) for each in self.seats]
        others = (sum(hit) - hit[captain.number]) / (len(hit) - 1)
        return 0.5 + (others - hit[captain.number]) / (2 * sum(FLEET.values()))

    def imagine(self, view: Self, captain: Captain, chance: Chance) -> None:
        """Lay each hidden ship where no shot has missed, so that, if possible, every hit is on one of them.

        Raises NothingFits where no room is found for all of them.
        """
        seen = {square for each in view.seats for ship in each.fleet.visible for square in ship.squares}
        struck = {square for square, hit in view.shots.items() if hit}
        closed = seen | view.shots.keys() - struck
        for _ in range(ATTEMPTS):
            fleets = [{ship.kind: ship for ship in each.fleet.visible} for each in view.seats]
            hidden = [(fleet, kind) for fleet in fleets for kind in FLEET if kind not in fleet]
            if self.lay(chance.shuffled(hidden), struck - seen, closed, chance):
                break
        if any(fleet.keys() != FLEET.keys() for fleet in fleets):
            raise NothingFits("there is no room for all ships")
        for each, fleet in zip(self.seats, fleets, strict=True):
            each.fleet.items = [fleet[kind] for kind in FLEET]

    def lay(
        self, hidden: list[tuple[Fleet, str]], struck: set[str], closed: set[str], chance: Chance
    ) -> bool:
        """Lay ships by chance, most of them on what is struck.  Return whether all of that is covered."""
        taken: set[str] = set()
        for fleet, kind in hidden:
            free = [berth for berth in berths(self.side, FLEET[kind]) if (closed | taken).isdisjoint(berth)]
            afloat = [berth for berth in free if not struck.issuperset(berth)]
            on_hits = [berth for berth in afloat if not (struck - taken).isdisjoint(berth)]
            if not afloat:
                return False
            fleet[kind] = Ship(kind, [*chance.choice(on_hits if on_hits and chance.below(4) else afloat)])
            taken.update(fleet[kind].squares)
        return struck <= taken

    # -- the sea ---------------------------------------------------------------

    @property
    def side(self) -> int:
        """The width and height of the sea, in squares."""
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
        return self.shots.keys() >= set(ship.squares)

    def afloat(self, captain: Captain) -> list[Ship]:
        return [ship for ship in captain.fleet if not self.sunk(ship)]

    def standing(self, captain: Captain) -> Text:
        """Return what everyone knows of a captain: how many ships are afloat, what the shots have done."""
        fleet: list[Ship | None] = [*captain.fleet]  # None: out of sight
        afloat = sum(not (ship and self.sunk(ship)) for ship in fleet)
        ships = count("{n} ship afloat", "{n} ships afloat", afloat)
        if not captain.hits:
            return ships
        hits = count("{n} hit", "{n} hits", captain.hits)
        values = {"ships": ships, "hits": hits, "sank": captain.sank}
        return Text("{ships}, scored {hits}, sank {sank}", values)


def shots_in_words(n: int) -> Text:
    return count("{n} shot", "{n} shots", n)


@cache
def side(sea: str, captains: int) -> int:
    """Return the width of the sea, in squares: five squares of sea to each of ship; or as wide as in 2012."""
    if sea == "open":
        return 6 + 2 * len(FLEET) * captains
    return isqrt(5 * sum(FLEET.values()) * captains - 1) + 1


@cache
def squares(side: int) -> dict[str, tuple[int, int]]:
    """Return every square of a sea, row by row, with its column and row counted from 0."""
    return {name(x, y): (x, y) for y, x in product(range(side), repeat=2)}


@cache
def rows(side: int) -> list[list[str]]:
    """Return the squares of a sea, a list for each row."""
    return [[name(x, y) for x in range(side)] for y in range(side)]


@cache
def shots_at(side: int) -> tuple[Fire, ...]:
    """Return a shot at every square of a sea."""
    return tuple(map(Fire, squares(side)))


@cache
def berths(side: int, length: int) -> tuple[tuple[str, ...], ...]:
    """Return every way a ship may lie, along a row or down a column."""
    return tuple(_berths(side, length))


def _berths(side: int, length: int) -> Iterator[tuple[str, ...]]:
    for across, along in product(range(side), range(side - length + 1)):
        yield tuple(name(along + step, across) for step in range(length))
        yield tuple(name(across, along + step) for step in range(length))


def name(x: int, y: int) -> str:
    """Return the name of a square: A1 is the top left; after Z come AA, AB …"""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    column = letters[x] if x < 26 else letters[x // 26 - 1] + letters[x % 26]
    return f"{column}{y + 1}"
