"""The state of the game, and the steps that every part of a turn uses."""

from collections.abc import Iterator
from typing import Annotated, Literal, NoReturn, TypeAlias

from msgspec import Meta, Struct

from strifebarge.rules import Game, Hidden, Options, Text, hidden

from .delta import AREAS, HERON, LINKS, Area, Gate, Kind, Link
from .fleet import DECK, Block, Craft, League, card_name

Areas: TypeAlias = tuple[Area, ...]


class Scenario(Struct, frozen=True):
    """The terms of a scenario, by side."""

    years: int
    ports: tuple[Areas, Areas]  # where its blocks may begin
    wanted: tuple[Areas, Areas]  # where at least one must; controlled from the start


NORTH, SOUTH = AREAS[:5], AREAS[8:]
NORTHERN = Area.HERONHITHE, Area.BITTERN, Area.DUNMOUTH
SOUTHERN = Area.GANNET, Area.IVEL, Area.OTTERHOLM
SCENARIOS = {
    "toll_war": Scenario(3, (NORTH, SOUTH), (NORTHERN, SOUTHERN)),
    "siege": Scenario(2, (NORTH, (Area.MIRROW, *SOUTH)), (NORTHERN, (Area.MIRROW, *SOUTHERN))),
}


class Terms(Options, frozen=True):
    """The options of a game on the Mirrow."""

    scenario: Annotated[
        Literal["toll_war", "siege"],
        Meta(
            title="Scenario",
            description="The Toll War: three years. The Siege: two, and Otter begins in Mirrow.",
            extra={"labels": {"toll_war": "The Toll War", "siege": "The Siege of Mirrow"}},
        ),
    ] = "toll_war"
    calm_winters: Annotated[
        bool, Meta(title="Calm winters", description="No ice: nobody loses steps on open water.")
    ] = False
    open_fleets: Annotated[
        bool, Meta(title="Open fleets", description="Nothing on the map is hidden. Good for learning.")
    ] = False


class Battle(Struct):
    """A battle that is being fought."""

    area: Area
    attacker: int
    round: int = 0
    letter: str = ""
    acted: list[int] = []  # the tokens of the side that acts, which have
    hits: int = 0  # still to be taken
    fired: str = ""  # the last dice, as in "2, 5"


class Waters(Game[League]):
    """The state of the game; each part of the sequence of play is a subclass of this one."""

    options: Terms = Terms()
    deck: Hidden[int] = hidden()
    thrown: Hidden[int] = hidden()  # the fourth cards of this year
    spent: list[int] = []  # the cards played in this year, in order
    year: int = 0
    turn: int = 0  # which round of the year
    gauge: int = HERON  # who holds the Weather Gauge
    order: list[int] = []  # who has a turn still to come in this round, in order
    first: int = HERON
    control: dict[Area, int] = {}  # of valued areas
    open: list[Gate] = []  # sluices
    attackers: dict[Area, int] = {}  # of areas in which both sides met in this round
    fog: list[int] = []  # who attacks out of the fog in this round
    spied: dict[int, list[int]] = {}  # by the side that looked: the tokens it sees until the round ends
    points: int = 0  # action points left to spend
    area: Area | None = None  # the one that is activated
    ready: list[int] = []  # the tokens that may still move in this activation
    sailing: int = 0  # the token that is on its way
    way: list[Area] = []  # where it has been
    night: bool = False  # by Night Passage
    carried: dict[str, int] = {}  # by link, in this turn
    may_leave: dict[Area, int] = {}  # areas that held enemies when the turn began: how many more may go
    battle: Battle | None = None
    begun: bool = False  # are all blocks laid out?

    # -- sides -------------------------------------------------------------

    @property
    def scenario(self) -> Scenario:
        return SCENARIOS[self.options.scenario]

    def enemy(self, side: League) -> League:
        return self.seats[1 - side.number]

    def controls(self, side: League) -> list[Area]:
        """Return the valued areas a side controls, in the order of the chart."""
        return [area for area in AREAS if self.control.get(area) == side.number]

    def value(self, side: League) -> int:
        """Return what the areas a side controls are worth together."""
        return sum(area.worth for area in self.controls(side))

    def standing(self, side: League) -> Text:
        return Text("{vp} VP, controls {value}", {"vp": side.vp, "value": self.value(side)})

    def harbour(self, side: League, area: Area | None) -> bool:
        """Tell whether a side may mend blocks in an area."""
        return area is not None and self.control.get(area) == side.number and not self.enemy(side).at(area)

    def contested(self) -> list[Area]:
        """Return the areas with blocks of both sides."""
        return [area for area in AREAS if self.seats[0].at(area) and self.seats[1].at(area)]

    # -- links -------------------------------------------------------------

    def closed(self, link: Link) -> bool:
        return link.kind is Kind.SLUICE and Gate(link.name) not in self.open

    def room(self, link: Link) -> int:
        """Return how many more blocks a link carries in this turn."""
        return link.limit - self.carried.get(link.name, 0)

    # -- what is seen ------------------------------------------------------

    def uncover(self, block: Block) -> None:
        """Show a block to both sides."""
        block.face.show(*self.seats)

    def cover(self, side: League, block: Block) -> None:
        """Hide a block again, except from a side that may still see it."""
        block.face.hide()
        if self.options.open_fleets:
            block.face.show()
        for number, tokens in self.spied.items():
            if number != side.number and block.token in tokens:
                block.face.show(self.seats[number])

    # -- steps -------------------------------------------------------------

    def lose_step(self, side: League, block: Block) -> None:
        """Take a step from a block; without steps it is eliminated."""
        if block.strength == 1:
            self.eliminate_block(side, block)
        else:
            block.strength -= 1

    def eliminate_block(self, side: League, block: Block) -> None:
        """Take a block off the map, open to both sides."""
        block.strength, area, block.area = 0, block.area, None
        self.uncover(block)
        values = {"seat": side, "token": block.token, "area": area}
        self.log("{seat:Your|’s} block {token} is eliminated at {area}.", **values)
        if block.craft is Craft.FLAGSHIP:
            enemy = self.enemy(side)
            enemy.vp += 2
            self.log("{side:Your|’s} Flagship is lost: {seat:you gain| gains} 2 VP.", side=side, seat=enemy)

    # -- the end -----------------------------------------------------------

    def victory(self, side: League, why: str) -> NoReturn:
        self.finish(self.ranking(lambda each: each is side, why=Text(why)))

    def nobody(self, why: str) -> NoReturn:
        """End the game without a result."""
        self.finish(self.no_result(Text(why)))

    # -- questions ---------------------------------------------------------

    def played(self, you: League | None) -> list[Text]:
        """Return the cards played in this year."""
        return [card_name(card) for card in self.spent]

    def losses(self, you: League | None) -> Iterator[Text]:
        """Yield the eliminated blocks of both sides, as far as the viewer may know them."""
        for side in self.seats:
            for block in side.fleet:
                if block.lost:
                    values = {"seat": side, "craft": block.craft, "token": block.token}
                    yield Text("{seat}: {craft}, block {token}", values)

    # -- what must hold ----------------------------------------------------

    def must_hold(self) -> Iterator[tuple[str, bool]]:
        if self.year:
            hands = [card for side in self.seats for card in side.hand]
            cards = [*self.deck, *self.thrown, *self.spent, *hands]
            yield "every card is in one place", sorted(cards) == sorted(DECK)
        blocks = [block for side in self.seats for block in side.fleet]
        faces = [block.face.value for block in blocks]
        yield "no block is stronger than it can be", all(0 <= face.strength <= face.full for face in faces)
        if self.begun:
            off = [block.strength == 0 for block in blocks]
            yield "what has no strength is off the map", off == [block.area is None for block in blocks]
        if self.begun and not self.attackers:
            yield "no two sides share an area", not self.contested()
        carried = [(LINKS[name], count) for name, count in self.carried.items()]
        yield "no link carries more than it can", all(count <= link.limit for link, count in carried)
        yield "no closed sluice was used", not any(self.closed(link) for link, _ in carried)
