"""Strife on the Mirrow: hidden barges in a delta of sluices."""

from collections.abc import Callable
from typing import Any, Self

from strifebarge.rules import Action, Chance, Hidden, Next, No, Secret

from .absence import Absence
from .actions import (
    Activate,
    Auto,
    Done,
    EndTurn,
    Fight,
    Fire,
    Hit,
    Lose,
    Mend,
    Pass,
    Place,
    Play,
    Ready,
    Rebuild,
    Retreat,
    Sail,
    Spy,
    Stop,
    Turn,
)
from .battles import Battles
from .delta import AREAS, Area
from .fleet import DECK, FLEET, Block, Craft, Face, League, card_name
from .reasons import Why
from .waters import Terms
from .winters import Winters

__all__ = [
    "Activate",
    "Auto",
    "Done",
    "EndTurn",
    "Fight",
    "Fire",
    "Hit",
    "Lose",
    "Mend",
    "Mirrow",
    "Pass",
    "Place",
    "Play",
    "Ready",
    "Rebuild",
    "Retreat",
    "Sail",
    "Spy",
    "Stop",
    "Turn",
    "Why",
]

ROUNDS = 3  # in a year
MOST = 3  # blocks of a side in one area, when they are placed
TO_WIN = 9  # of value controlled, at the end of a round


class Mirrow(Winters, Battles, Absence):
    """Two leagues of hidden barges fight for the tolls of a delta.  Bluff, open sluices, fear the ice."""

    title = "Strife on the Mirrow"
    players = "Heron", "Otter"
    length = "20 minutes"
    emblem = "anchor"
    questions = {"played": "Which cards were played in this year?", "losses": "Which blocks are eliminated?"}
    ahead = 16

    options: Terms = Terms()

    # -- set-up ------------------------------------------------------------

    def setup(self) -> None:
        for side in self.seats:
            tokens = self.chance.shuffled(range(1, 11))
            blocks = [Block(token, Secret(_new(number))) for number, token in enumerate(tokens)]
            side.fleet = sorted(filter(self.takes_part(side), blocks), key=lambda block: block.token)
            for block in side.fleet:
                self.cover(side, block)
        self.gauge = self.chance.below(2)
        for side in self.seats:
            self.control.update(dict.fromkeys(self.scenario.wanted[side.number], side.number))
        self.log("{seat:You break| breaks} ties (Weather Gauge).", seat=self.seats[self.gauge])

    def takes_part(self, side: League) -> Any:
        """Return which blocks a side sails with: in the Siege Otter has no Fireship."""
        sails = self.sails(side)
        return lambda block: sails(block.face.value.number)

    def sails(self, side: League) -> Callable[[int], bool]:
        """Return which blocks, by their numbers, a side sails with."""
        without = self.options.scenario == "siege" and side.number == 1
        return lambda number: not (without and FLEET[number] is Craft.FIRESHIP)

    async def play(self) -> Next:
        """Let both sides place their blocks, neither seeing the other's."""
        await self.compose(self.deploy)
        self.begun = True
        self.log("All blocks are placed.")
        return self.new_year

    async def deploy(self, side: League) -> None:
        ports = self.scenario.ports[side.number]
        while True:
            blocks = side.at(None)
            places = [Place(block.token, area) for block in blocks for area in ports]
            rest = [Auto()] if blocks else []
            options = [*places, *rest, Ready()]
            match await self.ask(side, "Place your blocks ({left} left).", options, left=len(blocks)):
                case Place(token, area):
                    side.block(token).area = area
                case Auto():
                    self.place_rest(side)
                case _:
                    return

    def place_rest(self, side: League) -> None:
        """Place the rest by chance: first where a block is wanted, then wherever there is room."""
        chance = self.chance.stream(f"deploy {side.number}")
        for area in self.still_wanted(side):
            chance.choice(side.at(None)).area = area
        for block in side.at(None):
            ports = self.scenario.ports[side.number]
            block.area = chance.choice([area for area in ports if self.room_at(side, area)])

    def still_wanted(self, side: League) -> list[Area]:
        return [area for area in self.scenario.wanted[side.number] if not side.at(area)]

    def room_at(self, side: League, area: Area) -> bool:
        return len(side.at(area)) < MOST

    # -- the sequence of play ----------------------------------------------

    async def new_year(self) -> Next:
        """Shuffle all twenty cards and deal four to each side."""
        self.year, self.turn = self.year + 1, 0
        self.blank()
        self.heading("Year {year} of {years}", year=self.year, years=self.scenario.years)
        deck = self.chance.shuffled(DECK)
        for side in self.seats:
            side.hand, deck = Hidden(sorted(deck[:4])), deck[4:]
        self.deck, self.thrown, self.spent = Hidden(deck), Hidden(), []
        return self.choose_cards

    async def choose_cards(self) -> Next:
        """Let both sides choose a card in secret; the higher tempo goes first."""
        self.turn += 1
        chosen = await self.ask_all("Choose a card.", lambda side: map(Play, side.hand), final=True)
        self.blank()
        self.heading("Round {round}", round=self.turn)
        for side, play in chosen.items():
            side.card = play.card
            side.hand.remove(play.card)
            self.spent.append(play.card)
            self.log("{seat:You play| plays} {card}.", seat=side, card=card_name(play.card))
        self.first = self.who_is_first()
        self.order = [self.first, 1 - self.first]
        return self.take_turns

    def who_is_first(self) -> int:
        tempo = [DECK[side.card].tempo for side in self.seats]
        if tempo[0] != tempo[1]:
            return tempo.index(max(tempo))
        first, self.gauge = self.gauge, 1 - self.gauge
        values = {"seat": self.seats[first], "other": self.seats[self.gauge]}
        self.log("A tie: {seat:you go| goes} first, and the Weather Gauge goes to {other:you}.", **values)
        return first

    async def take_turns(self) -> Next:
        """Let the next side compose its turn, which the other sees when it is ended."""
        side = self.seats[self.order[0]]
        await self.compose(self.play_turn, of=[side])
        self.log("{seat:You end| ends} the turn.", seat=side)
        del self.order[0]
        return self.take_turns if self.order else self.battles

    async def battles(self) -> Next:
        """Fight the next battle; the round ends when no area holds both sides."""
        if not self.contested():
            return self.round_ends
        area = await self.choose_battle(self.seats[self.first])
        await self.fight(area)
        return self.battles

    async def round_ends(self) -> Next:
        self.end_of_sight()
        self.fog, self.attackers = [], {}
        self.set_control()
        self.round_is_won()
        return self.choose_cards if self.turn < ROUNDS else self.winter

    def end_of_sight(self) -> None:
        """Hide again what was seen by the Spyglass."""
        spied, self.spied = self.spied, {}
        for number, tokens in spied.items():
            enemy = self.enemy(self.seats[number])
            for block in enemy.afloat:
                if block.token in tokens:
                    self.cover(enemy, block)

    def set_control(self) -> None:
        for area in AREAS:
            for side in self.seats:
                if area.worth and side.at(area) and self.control.get(area) != side.number:
                    self.control[area] = side.number
                    self.log("{seat:You control| controls} {area}.", seat=side, area=area)

    def round_is_won(self) -> None:
        """End the game if only one side has ships, or one controls enough."""
        able = [side for side in self.seats if any(block.craft is not Craft.DECOY for block in side.afloat)]
        if not able:
            self.nobody("Neither side has a ship left.")
        if len(able) == 1:
            self.victory(able[0], "The enemy has no ship left.")
        for side in self.seats:
            if self.value(side) >= TO_WIN:
                self.victory(side, "Controls nine of eleven.")

    # -- the end -----------------------------------------------------------

    def leave(self, side: League) -> None:
        """Resign: the enemy wins."""
        self.log("{seat:You resign| resigns}.", seat=side)
        self.victory(self.enemy(side), "The enemy has resigned.")

    # -- what helps bots ---------------------------------------------------

    def worth(self, side: League) -> float:
        """Return the points so far, the areas controlled or about to be, and the strength of the fleets."""
        difference = self.promise(side) - self.promise(self.enemy(side))
        return 0.5 + max(-1.0, min(1.0, difference / 30)) / 2

    def promise(self, side: League) -> float:
        """Return what a side has in points, and may get by what it holds and by its strength."""
        enemy = self.enemy(side)
        held = sum(area.worth for area in AREAS if side.at(area) and not enemy.at(area))
        ships = sum(block.strength for block in side.afloat if block.craft is not Craft.DECOY)
        return side.vp + self.value(side) + 2 * held + ships

    def imagine(self, view: Self, side: League, chance: Chance) -> None:
        """Give the enemy's blocks the faces that are seen now, or nowhere; deal the cards that are left."""
        enemy = self.enemy(side)
        for block, now in zip(enemy.fleet, view.enemy(side).fleet, strict=True):
            block.face.fill([_before(face, chance) for face in now.face.visible])
        seen = {face.number for block in enemy.fleet for face in block.face.visible}
        hidden = [number for number in range(len(FLEET)) if number not in seen and self.sails(enemy)(number)]
        faces = [_new(number) for number in chance.shuffled(hidden)]
        for block in enemy.fleet:
            block.face.fill(faces)
        cards = chance.shuffled(card for card in DECK if card not in (*self.spent, *side.hand))
        for pile in (enemy.hand, self.deck, self.thrown):
            pile.fill(cards)

    # -- what may not be done ----------------------------------------------

    def refuse(self, side: League, action: Action) -> No:
        match action:
            case Place(token, area):
                return self.refuse_place(side, area)
            case Ready() if not self.begun and side.at(None):
                return Why.NOT_ALL_PLACED
            case Rebuild(token):
                return self.refuse_rebuild(side, side.block(token))
            case Retreat():
                return self.refuse_in_battle(side, action)
        return self.refuse_in_turn(side, action)

    def refuse_place(self, side: League, area: Area) -> No:
        if not self.room_at(side, area):
            return Why.AREA_FULL(area=area)
        wanted = self.still_wanted(side)
        if area not in wanted and len(side.at(None)) <= len(wanted):
            return Why.KEEP_SOME(areas=wanted)
        return None


def _new(number: int) -> Face:
    """Return the face of a block at full strength."""
    return Face(number, FLEET[number].facts.full)


def _before(face: Face, chance: Chance) -> Face:
    """Return what a face that is seen now may have been when its battle began: it may have lost steps."""
    likely = (face.strength, face.strength, face.strength + 1, face.full)
    return Face(face.number, min(face.full, max(1, chance.choice(likely))))
