"""The delta as one viewer sees it: the chart, the blocks and what may be done with each, how things stand.

Where the areas and sluices lie is said here, and in `board.css` as `--x` and `--y`: a test compares them.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from strifebarge.rules import Action, Text
from strifebarge.rules.board import BoardView

from .actions import (
    Activate,
    Auto,
    Done,
    EndTurn,
    Fight,
    Pass,
    Place,
    Play,
    Ready,
    Retreat,
    Sail,
    Spy,
    Stop,
    Turn,
)
from .delta import AREAS, FROM, LINKS, Area, Gate, Kind, Link
from .fleet import CRAFTS, DECK, Block, Face, League, Order
from .rules import Mirrow
from .waters import Battle

View = BoardView[Mirrow, League]

# In hundredths of the chart as it stands upright: from its left side, and from its top.  Lying down
# it is turned a quarter to the left.  Half a turn sends area n to area 12 - n.
SPOTS = {
    Area.HERONHITHE: (50, 9),
    Area.ALDER: (50, 29),
    Area.BITTERN: (17, 14),
    Area.COLD: (83, 14),
    Area.DUNMOUTH: (83, 38),
    Area.EEL: (17, 38),
    Area.MIRROW: (50, 50),
    Area.FALLOW: (83, 62),
    Area.GANNET: (17, 62),
    Area.HOLLOW: (17, 86),
    Area.IVEL: (83, 86),
    Area.JUNIPER: (50, 71),
    Area.OTTERHOLM: (50, 91),
}
BENDS = {  # where links turn aside for an area that lies in their way, by name
    "2#8": ((2, 22), (2, 54)),
    "4#10": ((98, 46), (98, 78)),
    "3-7": ((67, 20), (67, 56)),
    "5-9": ((33, 44), (33, 80)),
}
MANY = 12  # buttons for blocks: more than a phone shows at a glance
ENDS = EndTurn(), Ready(), Stop(), Done(), Pass(), Auto()  # the first that is on offer is the one to look at
WITH_AREAS = Activate, Fight, Spy  # by the name of an area on the chart
CUES = {
    "{seat:Your|’s} block {token} takes a hit.": "hit",
    "{seat:Your|’s} block {token} is eliminated at {area}.": "sunk",
    "{seat:You control| controls} {area}.": "capture",
    "Year {year} of {years}": "chapter",
    "Winter of year {year}": "chapter",
}


# -- blocks ------------------------------------------------------------------------


class Piece(NamedTuple):
    """A block as the viewer knows it."""

    seat: int
    token: int
    face: Face | None  # what it is and how strong; None where the viewer may not see it
    area: Area | None
    mine: bool
    held: bool = False  # it was picked up
    moved: bool = False  # in this turn
    pickable: bool = False

    @property
    def marks(self) -> str:
        """The classes of the block in `board.css`."""
        return f"block side-{self.seat}" + " held" * self.held + " moved" * self.moved

    @property
    def name(self) -> str:
        """Its public name: the token and its way over the chart are known to all."""
        return f"block-{self.seat}-{self.token}"

    @property
    def drawing(self) -> str:
        """The name of its kind's drawing; "" where that may not be seen."""
        return f"m-{self.face.craft.lower()}" if self.face else ""

    @property
    def lost(self) -> bool:
        """Is it eliminated?"""
        return self.area is None and self.face is not None and self.face.strength == 0


class Deed(NamedTuple):
    """Something that may be done with a block; `goal` where it moves the block to an area."""

    action: Action
    goal: Area | None


class Deeds(NamedTuple):
    """One of the viewer's blocks, and what may be done with it."""

    piece: Piece
    deeds: list[Deed]  # that move it, but for those that are buttons on the chart
    folded: bool


class Unit(NamedTuple):
    """One of the viewer's own blocks, wherever it lies, and what may be done with it on the spot."""

    piece: Piece
    action: Action | None


class Hold(NamedTuple):
    """The deeds of each of the viewer's blocks, by token, and which of the blocks was picked up."""

    deeds: dict[int, list[Deed]]
    movable: list[int]  # the tokens of blocks that may go somewhere
    held: int  # 0: none

    @property
    def goals(self) -> dict[Area, Action]:
        """The areas to which the held block may go."""
        return {deed.goal: deed.action for deed in self.deeds.get(self.held, []) if deed.goal}


def _hold(view: View) -> Hold:
    deeds: dict[int, list[Deed]] = {}
    for offer in view.offers:
        action, token = offer.action, getattr(offer.action, "block", None)
        if token is not None:
            goal = action.goal if isinstance(action, Place | Sail | Retreat) else None
            deeds.setdefault(token, []).append(Deed(action, goal))
    movable = [token for token, each in deeds.items() if any(deed.goal for deed in each)]
    picked = next((token for token in movable if view.picked == str(token)), 0)
    placing = any(isinstance(deed.action, Place) for each in deeds.values() for deed in each)
    held = movable[0] if len(movable) == 1 or (placing and not picked) else picked
    return Hold(deeds, movable, held)


def _piece(view: View, side: League, block: Block, hold: Hold) -> Piece:
    mine, face = side is view.you, _face(block)
    held = mine and block.token == hold.held
    moved = mine and block.moved and view.game.points > 0
    pickable = mine and not held and block.token in hold.movable
    return Piece(side.number, block.token, face, block.area, mine, held, moved, pickable)


def _face(block: Block) -> Face | None:
    face: Face | None = block.face.value  # None: it may not be seen
    return face


def _deeds(view: View, hold: Hold) -> Iterator[Deeds]:
    many = sum(map(len, hold.deeds.values())) > MANY
    for block in view.you.fleet if view.you else []:
        goals = [deed for deed in hold.deeds.get(block.token, []) if deed.goal]
        if view.you and goals:
            held = block.token == hold.held
            yield Deeds(_piece(view, view.you, block, hold), [] if held else goals, many and not held)


def _fleet(view: View, hold: Hold) -> Iterator[Unit]:
    for block in view.you.fleet if view.you else []:
        if view.you:
            here = (deed.action for deed in hold.deeds.get(block.token, []) if not deed.goal)
            yield Unit(_piece(view, view.you, block, hold), next(here, None))


# -- the chart ---------------------------------------------------------------------


class Port(NamedTuple):
    """An area on the chart, and the blocks in it."""

    area: Area
    worth: int
    holder: int | None  # the seat that controls it
    goal: bool  # the held block may go there
    active: bool
    action: Action | None  # what its name does
    pieces: list[Piece]

    @property
    def still(self) -> bool:
        """Is there no block that may be picked up?"""
        return not any(piece.pickable for piece in self.pieces)

    @property
    def marks(self) -> str:
        """The classes of the area in `board.css`."""
        marked = " valued" * (self.worth > 0) + " goal" * self.goal + " active" * self.active
        return f"area at-{self.area.id}{marked}"


class Water(NamedTuple):
    """A link as it is drawn on the chart: its kind, and its path."""

    kind: str
    path: str


class Sluice(NamedTuple):
    """A sluice on the chart."""

    gate: Gate
    open: bool
    turn: Turn | None  # where the viewer may turn it

    @property
    def marks(self) -> str:
        """The classes of the sluice in `board.css`."""
        return f"gate gate-{self.gate.link.a.id}" + " open" * self.open


def _ports(view: View, hold: Hold) -> Iterator[Port]:
    game, goals = view.game, hold.goals
    for area in AREAS:
        yield Port(
            area=area,
            worth=area.worth,
            holder=game.control.get(area),
            goal=area in goals,
            active=area == game.area,
            action=goals.get(area) or _named(view, area),
            pieces=[_piece(view, side, block, hold) for side in game.seats for block in side.at(area)],
        )


def _named(view: View, area: Area) -> Action | None:
    """Return what may be done by naming an area."""
    return next((kind(area) for kind in WITH_AREAS if view.offered(kind(area))), None)


@cache
def waters() -> list[Water]:
    """Return all links as they are drawn."""
    return [_water(link) for link in LINKS.values()]


def _water(link: Link) -> Water:
    points = SPOTS[link.a], *BENDS.get(link.name, ()), SPOTS[link.b]
    return Water(link.kind.value, "M" + "L".join(f"{x} {y}" for x, y in points))


def _sluice(view: View, gate: Gate) -> Sluice:
    turn = Turn(gate) if view.offered(Turn(gate)) else None
    return Sluice(gate, not view.game.closed(gate.link), turn)


# -- how things stand --------------------------------------------------------------


class Moment(NamedTuple):
    """When it is, and who holds the Weather Gauge."""

    begun: bool
    year: int
    years: int
    turn: int
    gauge: int  # a seat


class Held(NamedTuple):
    """A card of the viewer's hand; `play` where it may be played now."""

    number: int
    order: Order
    play: Play | None


class Side(NamedTuple):
    """A seat's points and what it has lost."""

    seat: League
    role: str
    vp: int
    value: int  # of the areas that it controls
    card: Order | None  # the last one it played
    off: list[Piece]  # its eliminated blocks
    left: int  # blocks

    @property
    def plate(self) -> tuple[int, int, int]:
        """The numbers on its plate."""
        return self.vp, self.value, self.left


def _moment(game: Mirrow) -> Moment:
    return Moment(game.begun, game.year, game.scenario.years, game.turn, game.gauge)


def _hand(view: View) -> list[Held]:
    """Return the viewer's cards."""
    cards = [*view.you.hand] if view.you else []
    playing = bool(cards) and view.offered(Play(cards[0])) is not None
    return [Held(card, DECK[card], Play(card) if playing else None) for card in cards]


def _side(view: View, side: League) -> Side:
    game = view.game
    off = side.at(None) if game.begun else []
    return Side(
        seat=side,
        role=view.places[side.number].role,
        vp=side.vp,
        value=game.value(side),
        card=DECK[side.card] if side.card and game.turn else None,
        off=[_piece(view, side, block, NOTHING) for block in off],
        left=len(side.afloat if game.begun else side.fleet),
    )


NOTHING = Hold({}, [], 0)


# -- the board ---------------------------------------------------------------------


class Board(NamedTuple):
    """The things that `board.html` shows."""

    moment: Moment
    ends: list[Action]  # what ends a step or the turn, the first to look at first
    held: int  # the token of the block whose goals are buttons on the chart; 0: none
    movable: int  # how many blocks may go somewhere
    battle: Battle | None
    hand: list[Held]  # the viewer's own
    fleet: list[Unit]  # the viewer's own
    ports: list[Port]
    deeds: list[Deeds]
    sluices: list[Sluice]
    sides: list[Side]

    @property
    def idle(self) -> bool:
        """Is there nothing to be done with the viewer's blocks?"""
        return not any(unit.action or unit.piece.pickable for unit in self.fleet)

    @property
    def turning(self) -> bool:
        """May the viewer turn a sluice?"""
        return any(sluice.turn for sluice in self.sluices)


def board(view: View) -> Board:
    """Return the chart and all that is beside it."""
    game, hold, hand = view.game, _hold(view), _hand(view)
    return Board(
        moment=_moment(game),
        ends=[action for action in ENDS if view.offered(action)] if view.mine else [],
        held=hold.held,
        movable=len(hold.movable),
        battle=game.battle,
        hand=hand,
        fleet=[*_fleet(view, hold)],
        ports=[*_ports(view, hold)],
        deeds=[*_deeds(view, hold)],
        sluices=[_sluice(view, gate) for gate in Gate],
        sides=[_side(view, side) for side in game.seats],
    )


def plates(view: View) -> dict[int, tuple[int, int, int]]:
    """Return for each seat its victory points, the value it controls, and how many blocks it has left."""
    return {side.number: _side(view, side).plate for side in view.game.seats}


CELLS = {"CRAFTS": CRAFTS, "waters": waters}  # what cells.html is given


# -- in words ----------------------------------------------------------------------


class Force(NamedTuple):
    """The blocks of a side in an area."""

    seat: League
    pieces: list[Piece]


class Way(NamedTuple):
    """A link, from an area to another."""

    to: Area
    kind: Kind
    open: bool  # or no sluice


class Reach(NamedTuple):
    """An area, what lies there, and its links."""

    area: Area
    worth: int
    holder: int | None  # the seat that controls it
    forces: list[Force]
    ways: list[Way]


class Report(NamedTuple):
    """The things that `text.html` tells."""

    moment: Moment
    sides: list[Side]
    battle: Battle | None
    hand: list[Order]  # the viewer's own
    fleet: list[Piece]  # the viewer's own
    areas: list[Reach]
    losses: list[Text]


def text(view: View) -> Report:
    """Return how things stand, the viewer's own blocks and hand, and the areas with what lies there."""
    game, hand = view.game, _hand(view)
    return Report(
        moment=_moment(game),
        sides=[_side(view, side) for side in game.seats],
        battle=game.battle,
        hand=[held.order for held in hand],
        fleet=[_piece(view, view.you, block, NOTHING) for block in view.you.fleet] if view.you else [],
        areas=[_reach(view, area) for area in AREAS],
        losses=[*game.losses(view.you)],
    )


def _reach(view: View, area: Area) -> Reach:
    game = view.game
    forces = [
        Force(side, [_piece(view, side, block, NOTHING) for block in blocks])
        for side in game.seats
        if (blocks := side.at(area))
    ]
    ways = [Way(link.beyond(area), link.kind, not game.closed(link)) for link in FROM[area]]
    return Reach(area, area.worth, game.control.get(area), forces, ways)
