"""Winter: storm, ice, tolls and repair, or the end."""

from typing import NoReturn

from strifebarge.rules import Next, No, Text

from .actions import Mend, Ready, Rebuild
from .delta import AREAS, HOMES, Area
from .fleet import Block, Craft, League
from .reasons import Why
from .turns import Turns, points


class Winters(Turns):
    """Ends each year."""

    async def new_year(self) -> Next:
        raise NotImplementedError

    async def winter(self) -> Next:
        """Play the winter: storm, ice, tolls and repair, or the end."""
        self.blank()
        self.heading("Winter of year {year}", year=self.year)
        for side in self.seats:
            self.thrown += side.hand.draw()
        self.storm()
        if not self.options.calm_winters:
            self.ice()
        for side in self.seats:
            side.vp += self.value(side)
            values = {"seat": side, "value": self.value(side), "vp": side.vp}
            self.log("{seat:You gather| gathers} {value} VP, {vp} in all.", **values)
        if self.year == self.scenario.years:
            self.count()
        await self.compose(self.repair)
        return self.new_year

    def storm(self) -> None:
        """End the game if a side controls the enemy's home port."""
        stormed = [side for side in self.seats if self.control[HOMES[1 - side.number]] == side.number]
        if len(stormed) == 1:
            self.victory(stormed[0], "Controls the enemy’s home port.")
        if stormed:
            self.finish(self.ranking(self.value, why=Text("Each controls the other’s home port.")))

    def ice(self) -> None:
        """Roll for each block on open water: on a 1 or 2 it loses a step."""
        for area in AREAS:
            for side, block in self.on_open_water(area):
                if self.chance.die() <= 2:
                    values = {"seat": side, "block": self.named(side, block.token)}
                    self.log("The ice takes a step from {seat:you}: {block:a block}.", **values)
                    self.lose_step(side, block)

    def on_open_water(self, area: Area) -> list[tuple[League, Block]]:
        """Return the blocks of both sides on open water, in the order of their numbers."""
        if area.worth:
            return []
        ships = [(side, block) for side in self.seats for block in side.at(area)]
        return sorted(ships, key=lambda each: (each[0].number, each[1].face.value.number))

    def count(self) -> NoReturn:
        """End the game after the last year, by the rule of the scenario."""
        heron, otter = self.seats
        mirrow = self.control.get(Area.MIRROW)
        if self.options.scenario == "siege":
            self.victory(heron if mirrow == 0 else otter, "Mirrow decides.")
        why = Text("More VP, or Mirrow on a tie.")
        ranking = self.ranking(lambda side: side.vp, ties=lambda side: mirrow == side.number, why=why)
        self.finish(ranking)

    async def repair(self, side: League) -> None:
        """Let each side repair, with as many points as it controls."""
        side.means = self.value(side)
        while True:
            lost = [Rebuild(block.token) for block in side.at(None)]
            options = [*self.mendings(side), *lost, Ready()]
            prompt = "Repair your blocks ({means} points left)."
            match await self.ask(side, prompt, options, means=side.means):
                case Mend(token):
                    self.mend(side, side.block(token))
                case Rebuild(token):
                    self.rebuild(side, side.block(token))
                case _:
                    break
        side.means = 0

    def rebuild(self, side: League, block: Block) -> None:
        side.means -= 2
        block.strength, block.area = 1, HOMES[side.number]
        self.cover(side, block)
        self.log("{seat:You rebuild| rebuilds} block {token}.", seat=side, token=block.token)

    def refuse_rebuild(self, side: League, block: Block) -> No:
        home = HOMES[side.number]
        if block.craft is Craft.FLAGSHIP:
            return Why.NOT_REBUILT
        if self.control.get(home) != side.number:
            return Why.HOME_LOST(area=home)
        return Why.NO_MEANS(price=points(2), left=points(side.means)) if side.means < 2 else None
