"""A player's turn: the card's event, and the movement of blocks."""

from collections.abc import Iterator

from strifebarge.rules import Action, No, Secret, Standard, Text, count

from .actions import Activate, Done, EndTurn, Lose, Mend, Pass, Sail, Spy, Stop, Turn
from .delta import AREAS, FROM, Area, Gate, link_between
from .fleet import DECK, Block, League
from .reasons import Why
from .waters import Waters


class Turns(Waters):
    """Plays turns, and the events of the cards."""

    async def play_turn(self, side: League) -> None:
        """Carry out the event of the card, then spend its points."""
        order = DECK[side.card]
        self.points, self.carried = order.points, {}
        enemy = self.enemy(side)
        self.may_leave = {area: max(0, len(side.at(area)) - len(enemy.at(area))) for area in self.contested()}
        for block in side.fleet:
            block.moved = False
        if order.event:
            await self.call(order.event, side)
        await self.spend_points(side)
        self.points, self.carried, self.may_leave = 0, {}, {}

    async def spend_points(self, side: League) -> None:
        while True:
            options = [*map(Activate, self.places(side)), EndTurn()]
            prompt = "Activate an area ({points} AP left), or end your turn."
            if not self.points:
                prompt = "All points are spent. End your turn or undo steps."
            match await self.ask(side, prompt, options, points=self.points):
                case Activate(area):
                    self.points -= 1
                    await self.activate(side, area)
                case _:
                    return

    def places(self, side: League) -> list[Area]:
        """Return the areas where a side has blocks."""
        return [area for area in AREAS if side.at(area)]

    # -- activation and movement -------------------------------------------

    async def activate(self, side: League, area: Area, night: bool = False) -> None:
        """Move blocks of an area, one after the other, each to its own goal."""
        self.log("{seat:You activate| activates} {area}.", seat=side, area=area)
        self.area, self.night = area, night
        self.ready = [block.token for block in side.at(area) if not block.moved]
        while self.ready and self.may_leave.get(area, 1):
            match await self.ask(side, "Move blocks from {area}.", [*self.ways_out(side), Done()], area=area):
                case Sail(token, to):
                    await self.move_block(side, side.block(token), to)
                case _:
                    break
        self.area, self.night, self.ready = None, False, []

    async def move_block(self, side: League, block: Block, to: Area) -> int:
        """Move a block link by link.  Return how many links it took."""
        start = block.area
        if start in self.may_leave:
            self.may_leave[start] -= 1
        self.ready.remove(block.token)
        self.sailing, self.way, block.moved = block.token, [start] if start else [], True
        self.sail(side, block, to)
        while self.may_sail_on(side, block):
            options = [*self.ways_of(block), Stop()]
            on = await self.ask(
                side, "Block {token} is at {area}.", options, token=block.token, area=block.area
            )
            if not isinstance(on, Sail):
                break
            self.sail(side, block, on.to)
        values = {"token": block.token, "start": start, "end": block.area}
        self.log("{seat:Your|’s} block {token} sails from {start} to {end}.", seat=side, **values)
        links, self.sailing, self.way = len(self.way) - 1, 0, []
        return links

    def sail(self, side: League, block: Block, to: Area) -> None:
        """Move a block over one link."""
        link = link_between(self.way[-1], to)
        if link and not self.night:
            self.carried[link.name] = self.carried.get(link.name, 0) + 1
        self.way.append(to)
        block.area = to
        if self.enemy(side).at(to):
            self.attackers.setdefault(to, side.number)

    def may_sail_on(self, side: League, block: Block) -> bool:
        speed = block.craft.facts.speed + self.night
        if len(self.way) > speed or block.area is None or self.enemy(side).at(block.area):
            return False
        return any(not self.refuse_sail(side, way) for way in self.ways_of(block))

    def ways_out(self, side: League) -> Iterator[Sail]:
        for token in self.ready:
            yield from self.ways_of(side.block(token))

    def ways_of(self, block: Block) -> Iterator[Sail]:
        if block.area:
            yield from (Sail(block.token, link.beyond(block.area)) for link in FROM[block.area])

    def refuse_sail(self, side: League, sail: Sail) -> No:
        block = side.block(sail.block)
        link = link_between(block.area, sail.to) if block.area else None
        if block.area is None or link is None:
            return Standard.NOT_OFFERED()
        start = self.way[0] if self.way else block.area
        if not self.way and not self.may_leave.get(start, 1):
            return Why.PINNED(area=start)
        if sail.to in self.way:
            return Why.BEEN_THERE(token=block.token, area=sail.to)
        if self.closed(link):
            return Why.SLUICE_CLOSED(area=sail.to)
        if not self.night and self.room(link) < 1:
            return Why.LINK_FULL(kind=link.kind, area=sail.to, limit=link.limit)
        if start in self.may_leave and self.enemy(side).at(sail.to):
            return Why.FROM_ENEMY(token=block.token)
        return None

    def refuse_activation(self, side: League, area: Area) -> No:
        if not self.points:
            return Why.NO_POINTS
        if all(block.moved for block in side.at(area)):
            return Why.NONE_LEFT(area=area)
        return None if self.may_leave.get(area, 1) else Why.PINNED(area=area)

    # -- events, by the names on the cards ---------------------------------

    def event_tide(self, side: League) -> None:
        self.open = [*Gate]
        self.log("The spring tide opens all four sluices.")

    async def event_keeper(self, side: League) -> None:
        match await self.ask(side, "Open or close one sluice.", [*map(Turn, Gate), Pass()]):
            case Turn(gate) if gate in self.open:
                self.open.remove(gate)
                self.log("{seat:You close| closes} the sluice {gate}.", seat=side, gate=gate)
            case Turn(gate):
                self.open = [each for each in Gate if each in (*self.open, gate)]
                self.log("{seat:You open| opens} the sluice {gate}.", seat=side, gate=gate)

    async def event_spy(self, side: League) -> None:
        enemy = self.enemy(side)
        if not enemy.afloat:
            return
        spy = await self.ask(side, "Look at the blocks of one area.", [*map(Spy, self.places(enemy)), Pass()])
        if isinstance(spy, Spy):
            self.spied[side.number] = [block.token for block in enemy.at(spy.area)]
            for block in enemy.at(spy.area):
                block.face.show(side)
            self.log("{seat:You look| looks} at the blocks at {area}.", seat=side, area=spy.area)

    async def event_wrights(self, side: League) -> None:
        side.means = 3
        while side.means and any(not self.refuse_mend(side, mend) for mend in self.mendings(side)):
            prompt = "Add a step to a block, up to {means} times."
            mend = await self.ask(side, prompt, [*self.mendings(side), Pass()], means=side.means)
            if not isinstance(mend, Mend):
                break
            self.mend(side, side.block(mend.block))
        side.means = 0

    async def event_night(self, side: League) -> None:
        options = [*map(Activate, self.places(side)), Pass()]
        match await self.ask(side, "Night Passage: activate an area for free.", options):
            case Activate(area):
                await self.activate(side, area, night=True)

    def event_fog(self, side: League) -> None:
        self.fog.append(side.number)
        self.log("Fog on the water: {seat:you act| acts} first when attacking.", seat=side)

    async def event_desertion(self, side: League) -> None:
        enemy = self.enemy(side)
        strong = [Lose(block.token) for block in enemy.afloat if block.strength > 1]
        if not strong:
            self.log("Desertion: no block loses a step.")
            return
        lose = await self.ask(enemy, "Desertion: one of your blocks loses a step.", strong)
        self.lose_step(enemy, enemy.block(lose.block))
        values = {"seat": enemy, "block": self.named(enemy, lose.block)}
        self.log("{seat:You take| takes} a step from {block:a block}.", **values)

    def event_toll(self, side: League) -> None:
        if len(self.controls(side)) > len(self.controls(self.enemy(side))):
            side.vp += 1
            self.log("{seat:You gain| gains} 1 VP by tolls.", seat=side)
        else:
            self.log("No toll is gathered.")

    # -- mending, by the Shipwrights or in winter ---------------------------

    def mendings(self, side: League) -> list[Mend]:
        return [Mend(block.token) for block in side.afloat]

    def mend(self, side: League, block: Block) -> None:
        side.means -= 1
        block.strength += 1
        values = {"seat": side, "block": self.named(side, block.token)}
        self.log("{seat:You add| adds} a step to {block:a block}.", **values)

    def refuse_mend(self, side: League, mend: Mend) -> No:
        block = side.block(mend.block)
        if side.means < 1:
            return Why.NO_MEANS(price=points(1), left=points(side.means))
        if not self.harbour(side, block.area):
            return Why.NO_HARBOUR(token=block.token)
        return Why.AT_FULL(token=block.token) if block.strength == block.full else None

    def named(self, side: League, token: int) -> Secret[Text]:
        """Return a block's token as a secret of its owner."""
        return Secret(Text("block {token}", {"token": token}), side)

    # -- what may not be done ----------------------------------------------

    def refuse_in_turn(self, side: League, action: Action) -> No:
        # fmt: off
        match action:
            case Activate(area): return self.refuse_activation(side, area)
            case Sail(): return self.refuse_sail(side, action)
            case Mend(): return self.refuse_mend(side, action)
            case Pass() if DECK[side.card].event == "event_spy": return Why.MUST_NAME
        # fmt: on
        return None


def points(n: int) -> Text:
    return count("{n} point", "{n} points", n)
