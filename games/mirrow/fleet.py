"""Blocks and cards: the fleets, and the orders they sail by."""

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct

from strifebarge.rules import Hidden, Seat, Secret, Text, hidden

from .delta import Area

LETTERS = "ABC"


class Craft(StrEnum):
    """The kind of a block."""

    FLAGSHIP = "Flagship"
    WARBARGE = "Warbarge"
    GUNBARGE = "Gunbarge"
    SKIFF = "Skiff"
    FIRESHIP = "Fireship"
    DECOY = "Decoy"

    @property
    def text(self) -> Text:
        return Text(str(self))

    @property
    def facts(self) -> "Facts":
        return CRAFTS[self]


class Facts(NamedTuple):
    """The numbers printed on a block."""

    letter: str  # when it acts in a battle; "": never
    hits_on: int  # a die up to this is a hit
    full: int  # its strength when nothing is lost
    speed: int  # links in a move


CRAFTS = {
    Craft.FLAGSHIP: Facts("B", 3, 3, 2),
    Craft.WARBARGE: Facts("B", 2, 4, 2),
    Craft.GUNBARGE: Facts("C", 3, 3, 1),
    Craft.SKIFF: Facts("A", 2, 2, 3),
    Craft.FIRESHIP: Facts("A", 4, 2, 2),
    Craft.DECOY: Facts("", 0, 1, 2),
}
FLEET = (
    Craft.FLAGSHIP,
    *[Craft.WARBARGE] * 3,
    *[Craft.GUNBARGE] * 2,
    *[Craft.SKIFF] * 2,
    Craft.FIRESHIP,
    Craft.DECOY,
)


class Face(Struct, frozen=True):
    """The side of a block that only its owner sees."""

    number: int  # 0 to 9: its place in FLEET
    strength: int

    @property
    def craft(self) -> Craft:
        return FLEET[self.number]

    @property
    def full(self) -> int:
        return self.craft.facts.full


class Block(Struct):
    """A block, of which everyone sees the token and the area."""

    token: int
    face: Secret[Face]
    area: Area | None = None
    moved: bool = False  # in this turn

    @property
    def craft(self) -> Craft:
        return self.face.value.craft

    @property
    def strength(self) -> int:
        return self.face.value.strength

    @strength.setter
    def strength(self, strength: int) -> None:
        self.face.value = Face(self.face.value.number, strength)

    @property
    def full(self) -> int:
        return self.face.value.full

    @property
    def lost(self) -> bool:
        """True where it is eliminated; such blocks are open to both sides."""
        face: Face | None = self.face.value  # None: it may not be seen
        return self.area is None and face is not None and face.strength == 0


class Order(NamedTuple):
    """The name, the numbers and the event printed on a card."""

    name: str
    points: int  # to spend in the turn
    tempo: int  # who is higher goes first
    event: str = ""  # the procedure that is gone through first
    says: str = ""  # what that does


LONG, FULL = Order("Long Haul", 4, 1), Order("Full Sail", 3, 2)
STEADY, QUICK = Order("Steady Oars", 2, 3), Order("Quick Strike", 1, 5)
EVENTS = (
    Order("Spring Tide", 2, 4, "event_tide", "All four sluices open."),
    Order("Lock-Keeper", 2, 4, "event_keeper", "Open or close one sluice."),
    Order("Spyglass", 2, 4, "event_spy", "See the enemy’s blocks in one area until the round ends."),
    Order(
        "Shipwrights",
        1,
        4,
        "event_wrights",
        "Up to three times, add a step to a block in areas you control.",
    ),
    Order(
        "Night Passage",
        1,
        4,
        "event_night",
        "One free activation with no link limits and one extra step.",
    ),
    Order("Fog on the Water", 2, 4, "event_fog", "In this round’s battles you act first where you attack."),
    Order("Desertion", 2, 4, "event_desertion", "The enemy takes a step from one of their blocks."),
    Order("Toll-Gatherers", 1, 4, "event_toll", "1 VP if you control more valued areas than the enemy."),
)
DECK = dict(enumerate([*[LONG] * 2, *[FULL] * 4, *[STEADY] * 4, *[QUICK] * 2, *EVENTS], 1))


def card_name(card: int) -> Text:
    """Return the name of a card."""
    return Text(DECK[card].name)


class League(Seat):
    """One side: its blocks in the order of their tokens, its cards, its points."""

    fleet: list[Block] = []
    hand: Hidden[int] = hidden()
    card: int = 0  # the one played in this round, once both are open
    vp: int = 0
    means: int = 0  # steps it may still pay for, by the Shipwrights or in winter

    def block(self, token: int) -> Block:
        """Return the block with this token.  Raises LookupError if there is none."""
        for block in self.fleet:
            if block.token == token:
                return block
        raise LookupError(token)

    def at(self, area: Area | None) -> list[Block]:
        """Return its blocks in an area; None: those that lie nowhere."""
        return [block for block in self.fleet if block.area == area]

    @property
    def afloat(self) -> list[Block]:
        """Its blocks on the map."""
        return [block for block in self.fleet if block.area is not None]
